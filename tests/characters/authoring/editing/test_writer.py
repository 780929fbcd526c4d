"""One tab writes; what another one typed is saved under Revisions."""

import pytest
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.profiles.models import Character, Draft, Unsaved
from kgadmin.accounts.models import User
from tests.characters.authoring.editing.conftest import Post, fact_of

pytestmark = pytest.mark.django_db
FOG = {"fact:f3/object": "Fog", "tab": "one"}


def page(client: Client, path: str) -> str:
    return " ".join(client.get(f"/characters/ann/{path}").content.decode().split())


def test_another_tab_is_told_who_writes_and_what_it_typed_is_kept(
    ann: Character, post: Post, author: User, author_client: Client, other_client: Client
) -> None:
    assert "editing" not in page(other_client, "edit/")
    post("edit/save/", FOG, by_itself=True)
    assert "author is editing this draft, last saved" in page(other_client, "edit/")
    assert "You are editing this in another tab" in page(author_client, "edit/draft/?tab=two")
    assert "editing this" not in page(author_client, "edit/draft/?tab=one")
    answer = post("edit/save/", FOG | {"fact:f3/object": "Storms", "tab": "two"}, by_itself=True)
    assert (answer.status_code, fact_of(ann, "f3")["object"]) == (409, "Fog")
    assert "some of what you typed isn’t in it" in " ".join(answer.content.decode().split())
    shown = page(author_client, "revisions/")
    assert "<del>Fog</del><ins>Storms</ins>" in shown and "Apply to the draft" in shown
    assert "Apply to the draft" not in page(other_client, "revisions/")


def test_without_script_it_is_kept_as_well(ann: Character, post: Post, other_client: Client) -> None:
    post("edit/save/", FOG)
    for path, form in (
        ("save", {"fact:f3/object": "Storms"}),
        ("facts/change", {"fact:f2/object": "Sailed", "remove": "f1"}),
        ("yaml/save", {"yaml": "facts: [Snow"}),
    ):
        text = page_after(other_client, f"edit/{path}/", form)
        assert "author is editing this draft" in text and "is saved under Revisions" in text, path
    stored = [row.edits[0] for row in Unsaved.objects.order_by("pk")]
    assert [part for part, _ in stored] == ["fact:f3", "fact:f2", "yaml"]
    assert len(drafts.draft_of(ann).sheet.facts) == 4


def page_after(client: Client, path: str, form: dict[str, str]) -> str:
    answer = client.post(f"/characters/ann/{path}", form | {"next": "/characters/ann/edit/"}, follow=True)
    return " ".join(answer.content.decode().split())


def test_a_page_that_is_older_than_what_others_wrote_saves_nothing(
    ann: Character, post: Post, other_client: Client, other_author: User
) -> None:
    version = drafts.draft_of(ann).version
    post("edit/save/", FOG)
    other_client.post("/characters/ann/edit/take-over/", {"tab": "two"})
    other_client.post("/characters/ann/edit/save/", {"fact:f3/object": "Snow", "tab": "two"})
    Draft.objects.update(written_at=None)
    for path, form in (("save", FOG), ("entries", {"remove": "persona:day"}), ("facts/change", {"remove": "f1"})):
        post(f"edit/{path}/", form | {"version": version, "tab": "one"})
    sheet = drafts.draft_of(ann).sheet
    assert (len(sheet.personas), len(sheet.facts), sheet.facts[2].object) == (2, 4, "Snow")


def test_who_typed_it_puts_it_into_the_draft_or_discards_it(
    ann: Character, post: Post, author_client: Client, other_client: Client
) -> None:
    def keep(text: str) -> str:
        post("edit/save/", FOG | {"fact:f3/object": text, "tab": "two"}, by_itself=True)
        return f"/characters/ann/revisions/unsaved/{Unsaved.objects.get().pk}/"

    post("edit/save/", FOG)
    address = keep("Storms")
    assert other_client.post(address, {"use": "yes"}).status_code == 404
    author_client.post(address, {"use": "yes", "tab": "two"})
    assert (fact_of(ann, "f3")["object"], Unsaved.objects.count()) == ("Fog", 1)
    author_client.post(address, {"use": "yes", "tab": "one"})
    assert (fact_of(ann, "f3")["object"], Unsaved.objects.count()) == ("Storms", 0)
    author_client.post(keep("Snow"))
    assert (fact_of(ann, "f3")["object"], Unsaved.objects.count()) == ("Storms", 0)


def test_who_takes_over_comes_back_to_a_page_that_can_be_looked_at(ann: Character, author_client: Client) -> None:
    for form, page_ in (("publish/", "publish/preview/"), ("edit/facts/paste/", "edit/facts/"), ("edit/yaml/",) * 2):
        answer = author_client.post(
            "/characters/ann/edit/take-over/",
            {"tab": "two"},
            headers={"Referer": f"http://testserver/characters/ann/{form}"},
        )
        assert answer["Location"] == f"/characters/ann/{page_}"


def test_something_new_that_is_refused_is_left_in_the_browser(ann: Character, post: Post, other_client: Client) -> None:
    post("edit/save/", FOG)
    for path, form in (("edit/facts/add/", {"object": "Snow"}), ("edit/entries/", {"add": "persona", "name": "Dusk"})):
        answer = other_client.post(f"/characters/ann/{path}", form)
        assert (answer.status_code, "Go back to find what you typed" in answer.content.decode()) == (409, True), path
