"""The background as YAML: as its author wrote it, and never lost."""

from typing import Any

import pytest
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.profiles.models import Character
from tests.characters.authoring.editing.conftest import Post

pytestmark = pytest.mark.django_db

TEXT = """# Who she is
facts:
  # the sea first
  - predicate: LIKES
    object: Fog   # of the north
  - She has a limp.
anchors: [light]
"""


def save(post: Post, text: str) -> Any:
    return post("edit/yaml/save/", {"yaml": text}, by_itself=True)


def shown(client: Client) -> str:
    answer = client.get("/characters/ann/edit/yaml/")
    return str(answer.context["text"])


def test_what_is_written_is_the_draft_and_stays_as_it_was_written_where_the_table_changes_a_fact(
    ann: Character, post: Post, author_client: Client
) -> None:
    save(post, TEXT)
    assert [fact.object for fact in drafts.draft_of(ann).sheet.facts] == ["Fog", "She has a limp."]
    assert shown(author_client) == TEXT
    limp = drafts.draft_of(ann).sheet.facts[1].id
    post("edit/save/", {f"fact:{limp}/object": "She walks well."})
    assert shown(author_client) == TEXT.replace("She has a limp.", "She walks well.")


def test_comments_survive_publish_discard_and_revert(ann: Character, post: Post, author_client: Client) -> None:
    save(post, TEXT)
    post("publish/", {"version": drafts.draft_of(ann).version})
    save(post, "facts: []\n")
    post("discard/")
    assert shown(author_client) == TEXT
    save(post, "facts: []\n")
    post("publish/", {"version": drafts.draft_of(ann).version})
    post("revisions/2/revert/")
    assert shown(author_client) == TEXT


def test_an_error_names_its_place_and_nothing_typed_is_lost(ann: Character, post: Post, author_client: Client) -> None:
    before = drafts.draft_of(ann).document
    for text, message in (
        ("facts:\n  - predicate: LIKES\n    objects: fog", "line 2, column 5: a fact needs"),
        ("facts: [a", "line 1, column 10"),
        ("facts:\n\t- a", "line 2, column 1"),
        ("weather: fog", "line 1, column 1: weather isn&#x27;t a key of a sheet."),
        ("x" * 10, "it must be a mapping"),
        ("{" * 5000, "line 1, column 51: more than 50 lists or mappings are nested."),
        *((f'facts:\n- object: "a{each}b"\n  predicate: LIKES', "line 2, column 3") for each in (r"\ud800", r"\u0000")),
    ):
        answer = save(post, text)
        assert answer.status_code == 422, text
        assert message in answer.content.decode(), text
        page = author_client.get("/characters/ann/edit/yaml/")
        assert (page.context["text"], message in page.content.decode()) == (text, True), text
    assert drafts.draft_of(ann).document == before


def test_comments_survive_an_object_that_is_empty_for_a_while(
    ann: Character, post: Post, author_client: Client
) -> None:
    save(post, TEXT)
    for text in ("", "Fog and rain"):
        post("edit/save/", {"fact:f3/object": text})
    assert shown(author_client) == TEXT.replace("Fog   # of the north", "Fog and rain").replace(
        "  - predicate", "  # of the north\n  - predicate"
    )


def test_facts_keep_their_ids_and_a_new_one_never_gets_that_of_one_that_is_live(
    ann: Character, post: Post, author_client: Client
) -> None:
    text = shown(author_client)
    save(post, text.replace("HAS_FATHER", "HAS_FATHE"))  # mistyped for a while: it keeps its id
    save(post, text)
    assert drafts.draft_of(ann).sheet == ann.sheet
    post("edit/facts/change/", {"remove": "f4"})
    assert drafts.next_fact_id(drafts.draft_of(ann)) == "f5"
    boat = "facts:\n  - predicate: OWNS\n    object: a red boat\n"
    save(post, shown(author_client).replace("facts:\n", boat))
    assert [fact.id for fact in drafts.draft_of(ann).sheet.facts] == ["f5", "f1", "f2", "f3"]
