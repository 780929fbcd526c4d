import json
from dataclasses import dataclass

import numpy as np

from characters.turn.assemble import assemble
from characters.turn.persona import PersonaChoice
from characters.turn.trace import StageRun, as_json
from tests.characters.turn.test_assemble import QUESTION, StrictRecorder
from tests.characters.turn.world import World


@dataclass(frozen=True, slots=True)
class Sample:
    score: float
    parts: tuple[str, ...]


def test_evidence_is_on_record_and_says_whether_the_stage_had_anything_to_do() -> None:
    stage = StageRun("persona", started_ms=1.0)
    chosen = stage.keep(PersonaChoice("driver", "Driver"))
    assert (stage.evidence, stage.status, stage.reason) == (chosen, "ok", "")
    stage.keep(PersonaChoice(skipped="switched off"))
    assert (stage.status, stage.reason) == ("skipped", "switched off")


def test_evidence_becomes_plain_json() -> None:
    for value, expected in (
        (Sample(0.123456, ("a", "b")), '{"score": 0.1235, "parts": ["a", "b"]}'),
        ({1: Sample(1.0, ())}, '{"1": {"score": 1.0, "parts": []}}'),
        (np.float32(0.5), "0.5"),
        ([True, None, 3, "x"], '[true, null, 3, "x"]'),
    ):
        assert json.dumps(as_json(value)) == expected


def test_a_whole_turn_can_be_written_as_json() -> None:
    world, record = World(), StrictRecorder()
    made = assemble(world.request(QUESTION), world.readers(), record)
    for stage in record.stages:
        assert json.loads(json.dumps(as_json(stage.evidence)))
    assert json.loads(json.dumps(as_json(made.carried)))["probe"]["message"] == QUESTION
