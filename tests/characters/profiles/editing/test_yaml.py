"""The background as YAML: as its author wrote it, and never lost."""

from typing import Any

import pytest
from django.test import Client

from characters.profiles.drafts import services as drafts
from characters.profiles.models import Character
from tests.characters.profiles.editing.conftest import Post, digest_of

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
    seen = drafts.draft_of(ann).version if version is None else version
    return post("edit/yaml/save/", {"yaml": text, "version": seen}, by_itself=by_itself)


def shown(client: Client) -> str:
    answer = client.get("/characters/ann/edit/yaml/")
    return str(answer.context["text"])


def test_what_is_written_is_the_draft_and_stays_as_it_was_written(
    ann: Character, post: Post, author_client: Client
) -> None:
    save(post, ann, TEXT)
    assert [fact.object for fact in drafts.draft_of(ann).sheet.facts] == ["Fog", "She has a limp."]
    assert shown(author_client) == TEXT


def test_a_fact_changed_in_the_table_leaves_comments_and_order(
    ann: Character, post: Post, author_client: Client
) -> None:
    save(post, ann, TEXT)
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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("facts:\n  - predicate: LIKES\n    objects: fog", "line 2, column 5: a fact needs"),
        ("facts: [a", "line 1, column 10"),
        ("facts:\n\t- a", "line 2, column 1"),
        ("weather: fog", "line 1, column 1: weather is no key of a sheet."),
        ("x" * 10, "it must be a mapping"),
    ],
)
def test_an_error_names_its_place_and_nothing_typed_is_lost(
    ann: Character, post: Post, author_client: Client, text: str, said: str
) -> None:
    before = drafts.draft_of(ann).document
    answer = save(post, ann, text)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    page = author_client.get("/characters/ann/edit/yaml/").content.decode()
    assert shown(author_client) == text
    assert said in page
    assert drafts.draft_of(ann).document == before


def test_without_script_the_page_comes_back_with_text_and_error(
    ann: Character, post: Post, author_client: Client
) -> None:
    answer = save(post, ann, "facts: [", by_itself=False)
    assert answer["Location"] == "/characters/ann/edit/yaml/"
    assert "line 1, column 9" in author_client.get("/characters/ann/edit/yaml/").content.decode()


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
    save(post, ann, TEXT, answer.context["newest"])
    assert [fact.object for fact in drafts.draft_of(ann).sheet.facts] == ["Fog", "She has a limp."]
