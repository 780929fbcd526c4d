"""Rows of the facts' table: added, pasted, moved, removed, restored, filtered."""

import pytest
from django.test import Client

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.authoring.editing.conftest import Post

pytestmark = pytest.mark.django_db


def facts(character: Character) -> list[tuple[str, str]]:
    return [(fact.predicate, fact.object) for fact in drafts.draft_of(character).sheet.facts]


def ids(character: Character) -> list[str]:
    return [fact.id for fact in drafts.draft_of(character).sheet.facts]


def page(client: Client, address: str = "/characters/ann/edit/facts/") -> str:
    return " ".join(client.get(address).content.decode().split())


def test_a_fact_is_added_with_a_predicate_or_as_a_sentence(ann: Character, post: Post) -> None:
    assert post("edit/facts/add/", {"predicate": "has pet", "object": "A gull"})["Location"].endswith("?added")
    post("edit/facts/add/", {"object": "I sleep badly in calm weather."})
    assert facts(ann)[-2:] == [("HAS_PET", "A gull"), ("NOTE", "I sleep badly in calm weather.")]


def test_what_is_pasted_is_shown_before_it_is_added(ann: Character, post: Post) -> None:
    text = "HAS_PET\tA gull\n- Lives in: Odense\nShe has a limp.\nIS_A\tlighthouse keeper\nHAS_PET\tA gull"
    shown = post("edit/facts/paste/", {"text": text})
    assert [(fact.predicate, fact.object) for fact in shown.context["new"]] == [
        ("HAS_PET", "A gull"),
        ("LIVES_IN", "Odense"),
        ("NOTE", "She has a limp."),
    ]
    assert len(facts(ann)) == 4
    assert post("edit/facts/paste/", {"text": text, "add": "yes"}).status_code == 302
    assert len(facts(ann)) == 7
    text = 'predicate,object,questions\r\nHAS_CAT,"A cat, tame","Any cats?\r\nIs it tame?"\r\n'
    shown = post("edit/facts/paste/", {"text": text})
    assert "<td>Any cats? Is it tame?</td>" in " ".join(shown.content.decode().split())
    post("edit/facts/paste/", {"text": text, "add": "yes"})
    added = drafts.draft_of(ann).sheet.facts[-1]
    assert (added.object, added.questions) == ("A cat, tame", ("Any cats?", "Is it tame?"))


def test_many_are_removed_and_one_button_acts_on_its_row_alone(ann: Character, post: Post) -> None:
    post("edit/facts/change/", {"selected": ["f1", "f2"], "many": "remove"})
    assert ids(ann) == ["f3", "f4"]
    post("edit/facts/change/", {"fact:f4/object": "Keeper", "selected": ["f4"], "remove": "f3"})
    assert facts(ann) == [("NOTE", "Keeper")]  # what was typed in other rows is saved, too, without script


def test_a_removed_fact_stays_in_sight_and_comes_back_unless_it_was_written_anew(
    ann: Character, post: Post, author: User, author_client: Client
) -> None:
    post("edit/facts/change/", {"remove": "f2"})
    assert "Restore Built boats in Odense" in page(author_client)
    post("edit/facts/change/", {"restore": "f2"})
    assert ("HAS_FATHER", "Built boats in Odense") in facts(ann)
    assert "Restore Built boats" not in page(author_client)
    assert ids(ann) == ["f1", "f2", "f3", "f4"]
    post("edit/facts/change/", {"remove": "f2"})
    fact = {"id": "f2", "predicate": "HAS_FATHER", "object": "A pilot", "questions": []}
    drafts.save(ann, [Edit("fact:f2", fact)], by=author)
    post("edit/facts/change/", {"restore": "f2"})
    assert ("HAS_FATHER", "A pilot") in facts(ann)


def test_a_row_is_moved_beside_another(ann: Character, post: Post, author: User) -> None:
    as_it_was = ["f1", "f2", "f3", "f4"]
    cases: list[tuple[dict[str, str], str, list[str]]] = [
        ({"up": "f3"}, "", ["f1", "f3", "f2", "f4"]),
        ({"down": "f1"}, "", ["f2", "f1", "f3", "f4"]),
        ({"up": "f4"}, "f1", ["f4", "f1", "f2", "f3"]),
        ({"down": "f1"}, "f4", ["f2", "f3", "f4", "f1"]),
        ({"up": "f1"}, "", as_it_was),
        ({"down": "f4"}, "", as_it_was),
        ({"up": "f9"}, "", as_it_was),
    ]
    for button, beside, order in cases:
        post("edit/facts/change/", {**button, "beside": beside})
        assert ids(ann) == order, button
        drafts.save(ann, [Edit(parts.ORDER, as_it_was)], by=author)


def test_a_removal_is_undone_also_where_something_was_saved_since(
    ann: Character, post: Post, author_client: Client
) -> None:
    post("edit/facts/change/", {"many": "remove", "selected": ["f1", "f3"]})
    assert "2 facts removed." in page(author_client)
    post("edit/save/", {"name/value": "Bo"})
    post("edit/facts/change/", {"down": "f2"})
    assert "2 facts removed." not in page(author_client)
    post("edit/facts/change/", {"undo": "yes"})
    assert ids(ann) == ["f1", "f4", "f2", "f3"]


def test_a_question_that_should_find_a_fact_is_added_to_it_once(ann: Character, post: Post) -> None:
    for _ in range(2):
        post("edit/facts/change/", {"asked": "f3", "question": "Do you  mind wet days?"})
    assert drafts.draft_of(ann).sheet.facts[2].questions == ("Do you mind wet days?",)
    post("edit/facts/change/", {"asked": "f3", "question": " "})
    assert len(drafts.draft_of(ann).sheet.facts[2].questions) == 1


def test_rows_are_filtered_by_words_of_predicate_object_and_family(ann: Character, author_client: Client) -> None:
    assert "Rain on a tin roof" in page(author_client, "/characters/ann/edit/facts/?q=likes rain")
    text = page(author_client, "/characters/ann/edit/facts/?q=FAMILY")
    assert "Built boats" in text
    assert "Rain on a tin roof" not in text
    assert "No facts contain “moon”" in page(author_client, "/characters/ann/edit/facts/?q=moon")
