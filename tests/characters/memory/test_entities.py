"""A person's entities: found by what they are called, and what people change about them."""

import pytest

from characters.conversations.models import Acquaintance, Message
from characters.memory import entities
from characters.memory.entities import entity_named, find_entity
from characters.memory.models import Entity
from characters.profiles.models import Character
from kgadmin.rest.actions import Refused
from tests.characters.memory import people
from tests.characters.memory.people import entity, person
from tests.characters.memory.teller import Teller


def versions() -> list[int]:
    return list(Acquaintance.objects.order_by("pk").values_list("facts_version", flat=True))


def named(entity: Entity) -> set[str]:
    return {alias.text for alias in entity.aliases.all()}


def test_a_renamed_entity_is_still_found_by_its_old_name(teller: Teller, bo: Character) -> None:
    Teller(teller.person, bo).tells("I live in Oslo.")
    luna, before = teller.entity("Luna"), versions()
    entities.rename(entity=luna, name="Lulu", by=None)
    luna.refresh_from_db()
    assert (luna.name, luna.key) == ("Lulu", "lulu")
    assert find_entity(teller.person, "Luna") == find_entity(teller.person, "LULU") == luna
    fact = teller.fact("HAS_PET")
    assert fact.text == "Lulu"
    assert versions() == [version + 1 for version in before]
    teller.tells("Luna loves tuna.")
    assert ("Lulu", "LIKES", "tuna") in teller.current


def test_a_further_name_is_found_and_can_be_taken_away(teller: Teller) -> None:
    luna, before = teller.entity("Luna"), versions()
    entities.add_alias(entity=luna, text=" Lulu ", by=None)
    assert find_entity(teller.person, "lulu") == luna
    teller.tells("Lulu loves tuna.")
    assert ("Luna", "LIKES", "tuna") in teller.current
    with pytest.raises(Refused, match="already has that name"):
        entities.add_alias(entity=luna, text="LULU", by=None)
    entities.remove_alias(alias=luna.aliases.get(text="Lulu"), by=None)
    assert find_entity(teller.person, "lulu") is None
    assert versions() > before


def test_two_entities_that_are_one_share_everything(teller: Teller) -> None:
    teller.tells("I have a cat called Lulu.", "Lulu loves tuna.", "My cat Lulu loves rain.")
    people.fact(teller.character, "HAS_SISTER", teller.entity("Lulu"), subject=teller.entity("Luna"))
    luna, lulu, before = teller.entity("Luna"), teller.entity("Lulu"), versions()
    spoken_of = Message.objects.filter(mentions__entity__in=[luna, lulu]).distinct().count()
    entities.merge(into=luna, other=lulu, by=None)
    assert [fact for fact in teller.current if "Lulu" in fact] == []
    assert [fact for fact in teller.current if fact[0] == "Luna"] == [  # what tied the two is gone
        ("Luna", "IS_A", "cat"), ("Luna", "LIKES", "rain"), ("Luna", "LIKES", "tuna"),
    ]  # fmt: skip
    assert named(luna) == {"my cat", "Lulu"}
    assert luna.mentions.count() == teller.fact("HAS_PET").mentions == spoken_of
    assert teller.person.facts.get(subject=luna, object__name="rain").evidence.count() == 2
    assert versions() > before


def test_ones_own_entity_is_found_by_a_whole_name_or_alias_whatever_case_and_accent(db: None) -> None:
    mark = person()
    zoe = entity(mark, "Zoë", "person", "my sister", "Zo")
    for name in ("Zoë", "zoe", "ZOE", "my sister", "Zo", "sister"):
        assert find_entity(mark, name) == zoe, name
    for name in ("Zoes", "Zo ë", "my", "brother", "my brother", ""):
        assert find_entity(mark, name) is None, name
    entity(person("Kim"), "Luna", "pet", "my cat")
    assert find_entity(mark, "Luna") is find_entity(mark, "my cat") is None
    ours, is_new = entity_named(mark, "Luna", "pet")
    assert (is_new, ours.person) == (True, mark)
