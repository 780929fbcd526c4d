"""Who reads a message: the model, or patterns where there is none or it fails."""

from characters.memory.extraction.reading import GIVE_UP_AFTER, Found, Reader
from tests.fixtures.talking import Lead
from tests.scripted_model import ScriptedModel

SAID = "I've moved to Portland, and my cat Luna sulks."
NOTHING = '{"facts": []}'


def read(text: str, reader: Reader | None = None) -> Found:
    return (reader or Reader()).read(text, before="", names=(), known={})


def test_a_model_that_reads_is_believed_alone(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model.says(NOTHING))
    assert read(SAID) == Found((), by_model=True)


def test_where_the_model_fails_patterns_read_and_say_why(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    found = read(SAID)
    assert (found.by_model, found.problem) == (False, "the answer is no whole JSON")
    assert "Portland" in [said.object for said in found.statements]
    scripted_model.refuses(401)
    assert "LLM_API_KEY" in read(SAID).problem


def test_a_model_is_not_asked_about_a_word(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    assert read("ok thanks!") == Found()
    assert scripted_model.requests == []


def test_without_a_model_patterns_read(wire: Lead) -> None:
    wire(llm_base_url="")
    found = read(SAID)
    assert (found.by_model, found.problem) == (False, "")
    assert found.statements


def test_a_model_that_fails_again_and_again_is_left_alone(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    reader = Reader()
    for _ in range(GIVE_UP_AFTER + 5):
        found = read(SAID, reader)
        assert found.statements
        assert found.problem == "the answer is no whole JSON"
    assert len(scripted_model.requests) == 2 * GIVE_UP_AFTER


def test_a_model_that_failed_now_and_then_is_asked_on(wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    reader = Reader()
    for _ in range(GIVE_UP_AFTER):
        scripted_model.refuses(401).says(NOTHING)
        assert read(SAID, reader).problem
        assert read(SAID, reader).by_model
