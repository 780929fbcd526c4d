"""Publishing shows what it will do, then does it; revisions are compared and made live again."""

import pytest
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.profiles.models import Character
from tests.characters.authoring.editing.conftest import Post, fact_of

pytestmark = pytest.mark.django_db


def change(post: Post, ann: Character, text: str = "Fog") -> None:
    post("edit/save/", {"fact:f3/object": text})


def page(client: Client, path: str) -> str:
    return " ".join(client.get(f"/characters/ann/{path}").content.decode().split())


def test_what_publishing_does_is_shown_first_and_then_live_with_who_and_why(
    ann: Character, post: Post, author_client: Client
) -> None:
    change(post, ann)
    post("edit/facts/change/", {"remove": "f1"})
    text = page(author_client, "publish/preview/")
    assert "What publishing revision 2 will do" in text
    assert "<del>Rain on a tin roof</del><ins>Fog</ins>" in text
    assert "− IS_A: lighthouse keeper" in text
    assert ann.revisions.count() == 1
    post("publish/", {"version": drafts.draft_of(ann).version, "note": "Fog it is"})
    ann.refresh_from_db()
    live = ann.live_revision
    assert live and (live.number, live.note, str(live.created_by)) == (2, "Fog it is", "author")
    assert live.sheet.facts[1].object == "Fog"
    assert ann.waits_for_graph


def test_a_draft_that_changed_since_or_is_not_fit_is_shown_again_with_the_note(ann: Character, post: Post) -> None:
    change(post, ann)
    version = drafts.draft_of(ann).version
    change(post, ann, "Storms")
    answer = post("publish/", {"version": version, "note": "Her weather"})
    text = " ".join(answer.content.decode().split())
    assert answer.status_code == 409
    assert "The draft has changed since you opened it" in text and "<ins>Storms</ins>" in text
    assert 'value="Her weather"' in text and f'name="version" value="{drafts.draft_of(ann).version}"' in text
    change(post, ann, "")
    answer = post("publish/", {"version": drafts.draft_of(ann).version, "note": "Her weather"})
    assert answer.status_code == 422
    assert "object: it is empty" in answer.content.decode() and 'value="Her weather"' in answer.content.decode()
    assert ann.revisions.count() == 1


def test_yaml_that_can_not_be_read_holds_publishing_up(ann: Character, post: Post, author_client: Client) -> None:
    change(post, ann)
    post("edit/yaml/save/", {"yaml": "facts: ["})
    answer = post("publish/", {"version": drafts.draft_of(ann).version})
    assert answer.status_code == 422
    assert "The YAML has an error" in answer.content.decode()
    assert "the YAML has an error" in page(author_client, "edit/")
    assert "The YAML has an error" in page(author_client, "publish/preview/")
    post("edit/yaml/drop/")
    assert post("publish/", {"version": drafts.draft_of(ann).version}).status_code == 302


def test_reverting_publishes_the_old_sheet_anew_and_leaves_alone_what_is_unpublished(
    ann: Character, post: Post, author_client: Client
) -> None:
    change(post, ann)
    post("publish/", {"version": drafts.draft_of(ann).version, "note": "Her weather"})
    listed = page(author_client, "revisions/")
    assert "Her weather" in listed
    assert "Compare with live, or revert" in listed
    post("revisions/1/revert/")
    ann.refresh_from_db()
    assert ann.live_revision and (ann.live_revision.number, ann.live_revision.note) == (3, "Back to revision 1")
    assert ann.sheet and ann.sheet.runtime_facts
    assert ann.sheet == ann.revisions.get(number=1).sheet
    assert fact_of(ann, "f3")["object"] == "Rain on a tin roof"
    warning = "It stays as it is; publishing it afterwards would undo this."
    assert warning not in page(author_client, "compare/?from=live&to=2")
    change(post, ann, "Storms")
    assert warning in page(author_client, "compare/?from=live&to=2")
    post("revisions/2/revert/")
    assert fact_of(ann, "f3")["object"] == "Storms"


def test_any_two_are_compared_and_a_reader_sees_no_draft(
    ann: Character, post: Post, author_client: Client, operator_client: Client
) -> None:
    change(post, ann)
    post("publish/", {"version": drafts.draft_of(ann).version})
    change(post, ann, "Storms")
    assert "<del>Fog</del><ins>Storms</ins>" in page(author_client, "compare/?from=live&to=draft")
    text = page(author_client, "compare/?from=live&to=1")
    assert "<del>Fog</del><ins>Rain on a tin roof</ins>" in text
    assert "Make revision 1 live again" in text
    assert "They are identical" in page(author_client, "compare/?from=1&to=1")
    assert "<ins>Fog</ins>" in page(operator_client, "compare/?from=1&to=live")
    assert "live again" not in page(operator_client, "compare/?from=live&to=1")
    assert operator_client.get("/characters/ann/compare/?from=live&to=draft").status_code == 404
