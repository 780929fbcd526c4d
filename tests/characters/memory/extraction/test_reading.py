"""Who reads a message: the model, or patterns where there is none or it fails."""

from characters.memory.extraction.reading import GIVE_UP_AFTER, Found, Reader
from tests.fixtures.talk import Lead
from tests.scripted_model import ScriptedModel

SAID = "I've moved to Portland, and my cat Luna sulks."
NOTHING = '{"facts": []}'


def read(text: str, reader: Reader | None = None) -> Found:
    return (reader or Reader()).read(text, before="", names=(), known={})


def test_a_model_is_not_asked_about_a_word(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    assert read("ok thanks!") == Found()
    assert scripted_model.requests == []


def test_a_model_that_fails_again_and_again_is_left_alone(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    reader = Reader()
    for _ in range(GIVE_UP_AFTER + 5):
        found = read(SAID, reader)
        assert found.statements
        assert found.problem == "the answer is not complete JSON"
    assert len(scripted_model.requests) == 2 * GIVE_UP_AFTER


def test_a_model_that_failed_now_and_then_is_asked_on(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    reader = Reader()
    for _ in range(GIVE_UP_AFTER):
        scripted_model.refuses(401).says(NOTHING)
        assert read(SAID, reader).problem
        assert read(SAID, reader).by_model
