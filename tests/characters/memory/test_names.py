"""Finding a person's entities by what they are called."""

import pytest

from characters.conversations.models import Person
from characters.domain.entities import key
from characters.memory.models import Entity
from characters.memory.names import entity_named, find_entity, give_alias


@pytest.fixture
def mark(db: None) -> Person:
    return Person.objects.create(namespace="tester:all", outside_id="mark", name="Mark")


def entity(of: Person, name: str, *aliases: str) -> Entity:
    made = Entity.objects.create(person=of, key=key(name), name=name, kind="person")
    for alias in aliases:
        assert give_alias(made, alias)
    return made


def test_somebody_is_found_by_a_whole_name_or_alias_whatever_case_and_accent(mark: Person) -> None:
    zoe = entity(mark, "Zoë", "my sister", "Zo")
    for name in ("Zoë", "zoe", "ZOE", "my sister", "Zo", "sister"):
        assert find_entity(mark, name) == zoe, name
    for name in ("Zoes", "Zo ë", "my", "brother", "my brother", ""):
        assert find_entity(mark, name) is None, name


def test_a_name_counts_more_than_an_alias(mark: Person) -> None:
    entity(mark, "Luna", "Sol")
    sol = entity(mark, "Sol")
    assert find_entity(mark, "sol") == sol


def test_of_two_sisters_neither_is_the_sister(mark: Person) -> None:
    entity(mark, "Ana", "my sister")
    entity(mark, "Lea", "my sister")
    assert find_entity(mark, "sister") is None
    nameless, is_new = entity_named(mark, "sister", "person")
    assert is_new
    assert find_entity(mark, "sister") == nameless


def test_nobody_elses_entity_is_found(mark: Person) -> None:
    kim = Person.objects.create(namespace="tester:all", outside_id="kim", name="Kim")
    entity(kim, "Luna", "my cat")
    assert find_entity(mark, "Luna") is None
    assert find_entity(mark, "my cat") is None
    ours, is_new = entity_named(mark, "Luna", "pet")
    assert (is_new, ours.person) == (True, mark)


def test_an_entity_is_made_once_and_a_very_long_name_is_cut(mark: Person) -> None:
    first, is_new = entity_named(mark, "x" * 300, "thing")
    again, is_new_again = entity_named(mark, "X" * 300, "thing")
    assert (is_new, is_new_again, first) == (True, False, again)
    assert len(first.key) == len(first.name) == 200


def test_nothing_is_its_own_alias(mark: Person) -> None:
    zoe = entity(mark, "Zoë", "Zo")
    assert not give_alias(zoe, "ZOE")
    assert not give_alias(zoe, "zo")
    assert [alias.text for alias in zoe.aliases.all()] == ["Zo"]
