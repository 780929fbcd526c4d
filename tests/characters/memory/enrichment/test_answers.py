import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.domain.relations import CLASSES
from characters.memory.enrichment.answers import Reading, Verdict, read, relation_named

ASKED = {("message:2", "message:1"), ("message:3", "message:1"), ("message:3", "message:2")}


def item(source: int = 2, target: int = 1, **more: Any) -> dict[str, Any]:
    found = {"source_id": f"message:{source}", "target_id": f"message:{target}", "relation": "Contrast"}
    return found | {"confidence": 0.9, "evidence": "No yoga any more."} | more


WHOLE = [item(2, 1), item(3, 1, relation="Causal"), item(3, 2, relation="Unrelated", confidence=0.4)]


def kinds(reading: Reading) -> list[str]:
    return [trouble.kind for trouble in reading.troubles]


def test_an_answer_is_read_in_whatever_it_is_wrapped() -> None:
    for text in (
        json.dumps({"results": WHOLE}),
        json.dumps(WHOLE),
        json.dumps({"relations": WHOLE}),
        f"```json\n{json.dumps({'results': WHOLE})}\n```",
        f"Here you are:\n```\n{json.dumps(WHOLE)}\n```\nAnything else?",
        f"Natürlich, hier ist das Ergebnis: {json.dumps({'results': WHOLE})} Viel Erfolg!",
        f"Les relations : {json.dumps(WHOLE)}",
    ):
        reading = read(text, ASKED)
        assert reading.verdicts["message:2", "message:1"] == Verdict("Contrast", 0.9, "No yoga any more."), text
        assert (len(reading.verdicts), reading.troubles) == (3, []), text


def test_of_an_answer_that_is_cut_off_the_whole_items_are_taken() -> None:
    text = json.dumps({"results": WHOLE})
    reading = read(text[: text.index("0.4")], ASKED)
    assert set(reading.verdicts) == {("message:2", "message:1"), ("message:3", "message:1")}
    assert kinds(reading) == ["broken JSON", "no answer"]
    assert "1 of 3 pairs" in reading.troubles[1].detail


def test_an_answer_without_items_is_recorded() -> None:
    for text in ("null", "12", '"x"'):
        reading = read(text, ASKED)
        assert (reading.verdicts, kinds(reading)) == ({}, ["no answer"]), text
    for text in ("", "I'm sorry, I can't help with that.", "[" * 5000, "{" * 5000):
        reading = read(text, ASKED)
        assert (reading.verdicts, kinds(reading)) == ({}, ["unreadable", "no answer"]), text[:50]
        assert text[:50] in reading.troubles[0].detail


def test_a_pair_that_was_not_asked_is_recorded_and_left() -> None:
    reading = read(json.dumps([item(9, 1), item(2, 1)]), ASKED)
    assert set(reading.verdicts) == {("message:2", "message:1")}
    assert kinds(reading) == ["unknown id", "no answer"]
    assert "message:9" in reading.troubles[0].detail


def test_ids_the_other_way_round_are_the_pair_that_was_asked() -> None:
    assert set(read(json.dumps([item(1, 2)]), ASKED).verdicts) == {("message:2", "message:1")}


def test_a_class_is_known_however_it_is_spelled_and_what_is_none_is_none() -> None:
    spellings = {
        "Follow up": "Follow-up",
        "follow_up": "Follow-up",
        "FOLLOWUP": "Follow-up",
        "Correction": "Reframe/Correction",
        "reframe / correction": "Reframe/Correction",
        "Self Reference": "Self-Reference",
        "Meta prompting": "Meta-Prompting",
        "Contrasts": "Contrast",
        "none": "Unrelated",
    }
    for spelled, name in (spellings | {name: name for name in CLASSES}).items():
        assert relation_named(spelled) == name, spelled
    for odd in ("Friendship", "", "Kontrast zum Vorigen", None, 3, ["Causal"]):
        assert relation_named(odd) is None, odd


def test_a_confidence_is_brought_between_0_and_1() -> None:
    said: list[object] = [0.7, 1, 1.2, -0.1, "0.8", "85%", 90, " .5 "]
    taken = [0.7, 1, 1, 0, 0.8, 0.85, 0.9, 0.5]
    answers = [read(json.dumps([item(confidence=each)]), ASKED) for each in said]
    found = [reading.verdicts["message:2", "message:1"].confidence for reading in answers]
    assert found == pytest.approx(taken)


def test_a_confidence_that_is_no_number_is_recorded() -> None:
    odd: list[object] = ["high", None, True, [0.5], 1e9, float("nan"), float("inf"), "nan"]
    for confidence in odd:
        reading = read(json.dumps([item(confidence=confidence)]), ASKED)
        assert (reading.verdicts, kinds(reading)[0]) == ({}, "no confidence"), confidence


def test_evidence_may_be_missing_long_or_unprintable() -> None:
    bare = item()
    del bare["evidence"]
    assert read(json.dumps([bare]), ASKED).verdicts["message:2", "message:1"].evidence == ""
    odd = read(json.dumps([item(evidence="a\0b\ud800" + "x" * 900)]), ASKED)
    assert odd.verdicts["message:2", "message:1"].evidence.startswith("abx")
    assert len(odd.verdicts["message:2", "message:1"].evidence) == 500


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.sampled_from(["message:2", "message:1", "Contrast"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["results", "source_id", "relation", "x"]), inner),
    max_leaves=20,
)


@given(JSON.map(json.dumps) | st.text())
def test_whatever_comes_every_pair_is_answered_or_told(text: str) -> None:
    reading = read(text, ASKED)
    assert set(reading.verdicts) <= ASKED
    assert reading.troubles or set(reading.verdicts) == ASKED
    assert all(0.0 <= verdict.confidence <= 1.0 for verdict in reading.verdicts.values())
    assert all("\0" not in trouble.detail for trouble in reading.troubles)
