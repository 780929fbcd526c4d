from dataclasses import replace

from characters.domain.sheet import Settings
from tests.characters.turn.world import OSKAR, request


def test_a_stage_is_off_for_one_turn_or_by_the_sheet() -> None:
    silent = replace(OSKAR, settings=Settings(stages_off=("documents",)))
    assert request("Hi", sheet=silent).is_off("documents")
    assert request("Hi", off=frozenset({"documents"})).is_off("documents")
    assert not request("Hi").is_off("documents")
