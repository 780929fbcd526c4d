"""Suggestions on their page, deciding without script, and through the API."""

from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.authoring.models import SuggestedFact
from characters.authoring.suggestions import services
from characters.profiles.models import Character
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from tests.characters.authoring.suggestions.conftest import waiting
from tests.rest import call, get
from tests.scripted_model import ScriptedModel

API = "/characters/ann/suggestions"
PAGE = "/characters/ann/edit/suggestions/"


def text_of(client: Client, path: str = PAGE) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def address(character: Character, predicate: str) -> str:
    return f"{PAGE}{SuggestedFact.objects.get(character=character, predicate=predicate).pk}/"


def test_reading_the_identity_shows_each_suggestion_with_its_sentence(author_client: Client, ann: Character) -> None:
    assert "No suggestions waiting." in text_of(author_client)
    answer = author_client.post(f"{PAGE}read/", follow=True)
    assert answer.redirect_chain == [(f"{PAGE}#suggestions", 302)]
    text = " ".join(answer.content.decode().split())
    assert "2 new suggestions." in text
    assert "2 waiting" in text
    assert 'value="Odense"' in text
    assert "<q>You grew up in Odense.</q> (identity)" in text
    assert "Read it with" not in text


def test_deciding_works_without_script_and_can_be_undone(author_client: Client, ann: Character) -> None:
    services.suggest_from_identity(ann)
    grew, loves = address(ann, "GREW_UP_IN"), address(ann, "LOVES")
    answer = author_client.post(grew, {"verb": "accept", "object": "Odense, Fyn"}, follow=True)
    assert "Added to the draft: GREW_UP_IN “Odense, Fyn”." in answer.content.decode()
    assert drafts.draft_of(ann).sheet.facts[-1].object == "Odense, Fyn"
    author_client.post(loves, {"verb": "dismiss"})
    assert waiting(ann) == []
    assert "dismissed by author" in text_of(author_client).lower()
    author_client.post(loves, {"verb": "undo"})
    assert waiting(ann) == [("LOVES", "sea glass")]


def test_a_model_that_reads_is_watched_and_its_failure_is_said(
    author_client: Client, ann: Character, connected: ScriptedModel
) -> None:
    assert "Read it with scripted" in text_of(author_client)
    author_client.post(f"{PAGE}read/", {"model": "1"})
    text = text_of(author_client)
    assert "The language model reads the identity text" in text
    assert 'hx-trigger="every 1s"' in text
    job = services.job_of(ann)
    assert job is not None
    runner.run(job.pk)
    text = text_of(author_client).partition('id="suggestions"')[2]
    assert "The language model couldn’t read the text" in text
    assert "the answer is not complete JSON" in text
    assert 'hx-trigger="every 1s"' not in text


def test_hidden_characters_and_markup_are_shown_as_they_are_and_not_taken_over(
    author_client: Client, ann: Character
) -> None:
    services.suggest(ann, "Ann loves f\u200bog.", source="<i>")
    row = SuggestedFact.objects.get(predicate="LOVES")
    text = text_of(author_client)
    assert "Marked characters are invisible and won’t be copied: f<span" in text
    assert "U+200B</span>og.</q>" in text
    assert "(&lt;i&gt;)" in text
    author_client.post(address(ann, "LOVES"), {"verb": "accept", "object": row.object})
    assert drafts.draft_of(ann).document["facts"][-1]["object"] == "fog"


def test_suggestions_are_read_listed_and_decided(author_client: Client, ann: Character) -> None:
    made = call(author_client, "POST", API, {})
    assert (made.status, made.body) == (201, {"count": 2, "state": "done", "error": ""})
    first, second = get(author_client, API)["items"]
    assert (first["predicate"], first["object"], first["sentence"]) == (
        "GREW_UP_IN", "Odense", "You grew up in Odense.",
    )  # fmt: skip
    assert (first["state"], first["decided_by"], first["by_model"]) == ("waiting", None, False)
    taken = call(author_client, "POST", f"{API}/{first['id']}/accept", {"object": "Fyn"}).body
    assert (taken["state"], taken["fact_id"], taken["decided_by"]) == ("accepted", "f5", "author")
    assert drafts.draft_of(ann).sheet.facts[-1].object == "Fyn"
    assert call(author_client, "POST", f"{API}/{second['id']}/dismiss").body["state"] == "dismissed"
    assert call(author_client, "POST", f"{API}/{second['id']}/dismiss").status == 409
    assert get(author_client, f"{API}?state=waiting")["total"] == 0
    assert call(author_client, "POST", f"{API}/{second['id']}/undo").body["state"] == "waiting"


def test_without_a_language_model_none_is_asked(author_client: Client, ann: Character) -> None:
    refused = call(author_client, "POST", API, {"by_model": True})
    assert (refused.status, refused.body["detail"]) == (409, services.NO_MODEL)
    page = author_client.post("/characters/ann/edit/suggestions/read/", {"model": "yes"}, follow=True)
    assert services.NO_MODEL in page.content.decode()
    assert not Job.objects.exists()
