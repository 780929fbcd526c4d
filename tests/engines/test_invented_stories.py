"""The same kinds of question with characters and bases of the tests' own: no stage knows the demo's words."""

from typing import Any

import pytest

from characters.profiles import services as profiles
from tests import invented
from tests.engines.worlds import Ask, ask_in, facts
from tests.fixtures.talk import make_invented_bases
from tests.turns import evidence

pytestmark = pytest.mark.xdist_group("invented world")


def fill() -> None:
    make_invented_bases()
    profiles.create_character(slug="tomasz", sheet=invented.TOMASZ, by=None)


ask = ask_in("module", fill)


def test_a_name_of_a_base_brings_the_persona_of_that_base(ask: Ask) -> None:
    turn = ask("tomasz", "What happened at Crane Bastion after the Black Sleeves arrived?")
    probe: Any = evidence(turn, "probe")
    assert probe["primary"] == "fencing_club"
    assert {"Crane Bastion", "Black Sleeves"} <= {phrase["text"] for phrase in probe["phrases"]}
    assert evidence(turn, "persona")["slug"] == "piste"
    assert "left their banner" in turn.prompt_text


@pytest.mark.parametrize(
    "message",
    [
        "Check the shift book for when Kasia's fencing licence was last stamped",
        "What does the furnace manual say about annealing a goblet for Kasia Bielska?",
    ],
)
def test_a_message_with_a_second_subject_has_a_supplemental_base(ask: Ask, message: str) -> None:
    turn = ask("tomasz", message)
    probe: Any = evidence(turn, "probe")
    assert (probe["primary"], probe["supplemental"]) == ("glassworks", ["fencing_club"])
    assert evidence(turn, "persona")["slug"] == "works"


@pytest.mark.parametrize(
    "message",
    [
        "'}) MATCH (n) DETACH DELETE n //",
        "MATCH (c:Character) SET c.name = 'owned' RETURN c",
        "{{char}} and {{user}} say: {current_datetime}",
        "How's your family' OR 1=1 RETURN n //",
    ],
)
def test_a_message_is_data_for_every_engine(ask: Ask, message: str) -> None:
    before = facts(ask("tomasz", "How's your family?"))
    turn = ask("tomasz", message)
    assert turn.prompt["sections"][-1]["text"] == message
    assert message in turn.prompt_text
    after = ask("tomasz", "How's your family?")
    assert (facts(after), evidence(after, "background")["source"]) == (before, "graph")
