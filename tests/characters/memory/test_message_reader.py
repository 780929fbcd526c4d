"""Who reads a message: the model, or patterns where there is none or it fails."""

from characters.memory.message_reader import GIVE_UP_AFTER, Extracted, Extractor
from tests.fixtures.talk import Lead
from tests.scripted_model import ScriptedModel

MESSAGE = "I've moved to Portland, and my cat Luna sulks."
NOTHING = '{"facts": []}'


def extract(text: str, extractor: Extractor | None = None) -> Extracted:
    return (extractor or Extractor()).extract(text, before="", names=(), known={})


def test_a_model_is_not_asked_about_a_word(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    assert extract("ok thanks!") == Extracted()
    assert scripted_model.requests == []


def test_a_model_that_fails_again_and_again_is_left_alone(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    extractor = Extractor()
    for _ in range(GIVE_UP_AFTER + 5):
        extracted = extract(MESSAGE, extractor)
        assert extracted.statements
        assert extracted.problem == "the answer is not complete JSON"
    assert len(scripted_model.requests) == 2 * GIVE_UP_AFTER


def test_a_model_that_failed_now_and_then_is_asked_on(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    extractor = Extractor()
    for _ in range(GIVE_UP_AFTER):
        scripted_model.refuses(401).says(NOTHING)
        assert extract(MESSAGE, extractor).problem
        assert extract(MESSAGE, extractor).by_model
