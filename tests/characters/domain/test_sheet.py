from dataclasses import replace

from characters.domain.sheet import Settings
from tests.characters.turn.world import OSKAR, request


def test_the_default_persona_is_the_one_marked_so() -> None:
    assert OSKAR.default_persona is not None
    assert OSKAR.default_persona.slug == "driver"
    assert replace(OSKAR, personas=OSKAR.personas[:2]).default_persona is None


def test_a_stage_is_off_for_one_turn_or_by_the_sheet() -> None:
    silent = replace(OSKAR, settings=Settings(stages_off=("documents",)))
    assert request("Hi", sheet=silent).is_off("documents")
    assert request("Hi", off=frozenset({"documents"})).is_off("documents")
    assert not request("Hi").is_off("documents")


def test_a_sheet_can_be_compared_and_hashed() -> None:
    assert hash(replace(OSKAR)) == hash(OSKAR)
    assert replace(OSKAR, anchors=("bells",)) != OSKAR
