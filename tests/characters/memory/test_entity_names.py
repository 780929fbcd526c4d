"""Finding a person's entities by what they are called."""

import pytest

from characters.conversations.models import Person
from characters.domain.entities import key
from characters.memory.entities import entity_named, find_entity, give_alias
from characters.memory.models import Entity


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


def test_nobody_elses_entity_is_found(mark: Person) -> None:
    kim = Person.objects.create(namespace="tester:all", outside_id="kim", name="Kim")
    entity(kim, "Luna", "my cat")
    assert find_entity(mark, "Luna") is None
    assert find_entity(mark, "my cat") is None
    ours, is_new = entity_named(mark, "Luna", "pet")
    assert (is_new, ours.person) == (True, mark)
