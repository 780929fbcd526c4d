"""The background as YAML: as its author wrote it, and never lost."""

from typing import Any

import pytest
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.profiles.models import Character
from tests.characters.authoring.editing.conftest import Post, digest_of

pytestmark = pytest.mark.django_db

TEXT = """# Who she is
facts:
  # the sea first
  - predicate: LIKES
    object: Fog   # of the north
  - She has a limp.
anchors: [light]
"""


def save(post: Post, ann: Character, text: str, version: int | None = None, *, by_itself: bool = True) -> Any:
    draft = drafts.draft_of(ann)
    form = {"yaml": text, "version": draft.version if version is None else version, "seen": drafts.yaml_seen(draft)}
    return post("edit/yaml/save/", form, by_itself=by_itself)


def shown(client: Client) -> str:
    answer = client.get("/characters/ann/edit/yaml/")
    return str(answer.context["text"])


def test_what_is_written_is_the_draft_and_stays_as_it_was_written_where_the_table_changes_a_fact(
    ann: Character, post: Post, author_client: Client
) -> None:
    save(post, ann, TEXT)
    assert [fact.object for fact in drafts.draft_of(ann).sheet.facts] == ["Fog", "She has a limp."]
    assert shown(author_client) == TEXT
    limp = drafts.draft_of(ann).sheet.facts[1].id
    post("edit/save/", {f"fact:{limp}/object": "She walks well.", f"fact:{limp}/was": digest_of(ann, f"fact:{limp}")})
    assert shown(author_client) == TEXT.replace("She has a limp.", "She walks well.")


def test_comments_survive_publish_discard_and_revert(ann: Character, post: Post, author_client: Client) -> None:
    save(post, ann, TEXT)
    post("publish/", {"version": drafts.draft_of(ann).version})
    save(post, ann, "facts: []\n")
    post("discard/")
    assert shown(author_client) == TEXT
    save(post, ann, "facts: []\n")
    post("publish/", {"version": drafts.draft_of(ann).version})
    post("revisions/2/revert/")
    assert shown(author_client) == TEXT


def test_an_error_names_its_place_and_nothing_typed_is_lost(ann: Character, post: Post, author_client: Client) -> None:
    before = drafts.draft_of(ann).document
    for text, said in (
        ("facts:\n  - predicate: LIKES\n    objects: fog", "line 2, column 5: a fact needs"),
        ("facts: [a", "line 1, column 10"),
        ("facts:\n\t- a", "line 2, column 1"),
        ("weather: fog", "line 1, column 1: weather is no key of a sheet."),
        ("x" * 10, "it must be a mapping"),
        ("{" * 5000, "line 1, column 51: more than 50 lists or mappings lie in each other."),
        *((f'facts:\n- object: "a{each}b"\n  predicate: LIKES', "line 2, column 3") for each in (r"\ud800", r"\u0000")),
    ):
        answer = save(post, ann, text)
        assert answer.status_code == 422, text
        assert said in answer.content.decode(), text
        page = author_client.get("/characters/ann/edit/yaml/")
        assert (page.context["text"], said in page.content.decode()) == (text, True), text
    assert drafts.draft_of(ann).document == before


def test_a_draft_that_another_changed_is_never_overwritten_silently(
    ann: Character, post: Post, other_client: Client
) -> None:
    seen = drafts.draft_of(ann).version
    other_client.post(
        "/characters/ann/edit/save/", {"fact:f3/object": "Storms", "fact:f3/was": digest_of(ann, "fact:f3")}
    )
    answer = save(post, ann, TEXT, seen, by_itself=False)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "outsider changed the draft" in page
    assert "Storms" in page
    assert drafts.draft_of(ann).sheet.facts[2].object == "Storms"
    save(post, ann, TEXT, answer.context["version"])
    assert [fact.object for fact in drafts.draft_of(ann).sheet.facts] == ["Fog", "She has a limp."]


def form_of(answer: Any) -> dict[str, Any]:
    """What the button of a page of two versions sends to keep one's own."""
    return {"yaml": answer.context["text"], "version": answer.context["version"], "seen": answer.context["seen"]}


def test_a_text_with_an_error_is_not_erased_by_another_author_who_has_not_seen_it(
    ann: Character, post: Post, author_client: Client, other_client: Client
) -> None:
    save(post, ann, "facts: [Storms")
    url = "/characters/ann/edit/yaml/save/"
    answer = other_client.post(url, {"yaml": TEXT, "version": drafts.draft_of(ann).version, "seen": ""})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "author typed another text" in page
    assert "Storms" in page
    assert shown(author_client) == "facts: [Storms"
    save(post, ann, "facts: [Storms, Fog")  # typed on
    again = other_client.post(url, form_of(answer))
    assert again.status_code == 409
    assert other_client.post(url, form_of(again)).status_code == 302
    assert shown(author_client) == TEXT


def test_a_text_with_an_error_is_not_erased_by_another_page_of_the_same_account(ann: Character, post: Post) -> None:
    version = drafts.draft_of(ann).version
    refused = save(post, ann, "facts: [Storms")
    answer = post("edit/yaml/save/", {"yaml": TEXT, "version": version, "seen": ""}, by_itself=True)
    assert answer.status_code == 409
    assert drafts.draft_of(ann).yaml_typed == "facts: [Storms"
    mended = post("edit/yaml/save/", {"yaml": TEXT, "version": version, "seen": refused["X-Seen"]}, by_itself=True)
    assert (mended.status_code, mended["X-Seen"]) == (200, "")


def test_comments_survive_an_object_that_is_empty_for_a_while(
    ann: Character, post: Post, author_client: Client
) -> None:
    save(post, ann, TEXT)
    for text in ("", "Fog and rain"):
        post("edit/save/", {"fact:f3/object": text, "fact:f3/was": digest_of(ann, "fact:f3")})
    assert shown(author_client) == TEXT.replace("Fog   # of the north", "Fog and rain").replace(
        "  - predicate", "  # of the north\n  - predicate"
    )


def test_a_fact_keeps_its_id_while_its_predicate_is_mistyped(ann: Character, post: Post, author_client: Client) -> None:
    text = shown(author_client)
    save(post, ann, text.replace("HAS_FATHER", "HAS_FATHE"))
    save(post, ann, text)
    assert drafts.draft_of(ann).sheet == ann.sheet


def test_a_new_fact_never_gets_the_id_of_one_that_is_live(ann: Character, post: Post, author_client: Client) -> None:
    post("edit/facts/change/", {"remove": "f4"})
    boat = "facts:\n  - predicate: OWNS\n    object: a red boat\n"
    save(post, ann, shown(author_client).replace("facts:\n", boat))
    assert [fact.id for fact in drafts.draft_of(ann).sheet.facts] == ["f5", "f1", "f2", "f3"]


def test_a_text_that_another_author_types_on_is_not_dropped(ann: Character, post: Post, other_client: Client) -> None:
    save(post, ann, "facts: [")
    seen = other_client.get("/characters/ann/edit/yaml/").context["seen"]
    save(post, ann, "facts: [Fog")
    answer = other_client.post("/characters/ann/edit/yaml/drop/", {"seen": seen}, follow=True)
    assert "author typed on meanwhile, so nothing was dropped" in answer.content.decode()
    assert shown(other_client) == "facts: [Fog"
