"""Suggested facts through the API."""

from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.authoring.suggestions import services
from characters.profiles.models import Character
from kgadmin.jobs.models import Job
from tests.rest import call, get

PATH = "/characters/ann/suggestions"


def test_suggestions_are_read_listed_and_decided(author_client: Client, ann: Character) -> None:
    made = call(author_client, "POST", PATH, {})
    assert (made.status, made.body) == (201, {"count": 2, "state": "done", "error": ""})
    first, second = get(author_client, PATH)["items"]
    assert (first["predicate"], first["object"], first["sentence"]) == (
        "GREW_UP_IN", "Odense", "You grew up in Odense.",
    )  # fmt: skip
    assert (first["state"], first["decided_by"], first["by_model"]) == ("waiting", None, False)
    taken = call(author_client, "POST", f"{PATH}/{first['id']}/accept", {"object": "Fyn"}).body
    assert (taken["state"], taken["fact_id"], taken["decided_by"]) == ("accepted", "f5", "author")
    assert drafts.draft_of(ann).sheet.facts[-1].object == "Fyn"
    assert call(author_client, "POST", f"{PATH}/{second['id']}/dismiss").body["state"] == "dismissed"
    assert call(author_client, "POST", f"{PATH}/{second['id']}/dismiss").status == 409
    assert get(author_client, f"{PATH}?state=waiting")["total"] == 0
    assert call(author_client, "POST", f"{PATH}/{second['id']}/undo").body["state"] == "waiting"


def test_without_a_language_model_none_is_asked(author_client: Client, ann: Character) -> None:
    refused = call(author_client, "POST", PATH, {"by_model": True})
    assert (refused.status, refused.body["detail"]) == (409, services.NO_MODEL)
    page = author_client.post("/characters/ann/edit/suggestions/read/", {"model": "yes"}, follow=True)
    assert services.NO_MODEL in page.content.decode()
    assert not Job.objects.exists()
