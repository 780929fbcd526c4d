"""Reading by a language model, a real HTTP server that answers well and badly; by patterns where it fails."""

import json
from typing import Any

from characters.domain.people import Statement
from characters.memory import facts_by_model
from characters.memory.message_reader import GIVE_UP_AFTER, Extracted, Extractor
from kgadmin.stores.openai_model import OpenAIModel
from tests.fixtures.talk import Lead
from tests.scripted_model import ScriptedModel

MESSAGE = "I've moved to Portland, and my cat Luna got a brother called Sol. Ann planned it."


def item(**changed: Any) -> dict[str, Any]:
    """A sound fact, or one with these fields instead."""
    fields = {"subject": "", "predicate": "LIVES_IN", "object": "Portland", "quote": "moved to Portland"}
    return {**fields, "ends": False, "confidence": 0.9} | changed


SOL = item(subject="Luna", predicate="HAS_BROTHER", object="Sol", quote="Luna got a brother called Sol")


def answer(*items: Any) -> str:
    return json.dumps({"facts": items})


def read(server: ScriptedModel, *, before: str = "", names: tuple[str, ...] = ()) -> list[Statement]:
    model = OpenAIModel(base_url=server.base_url, model="scripted", api_key="", timeout=5)
    return facts_by_model.extract(MESSAGE, before=before, names=names, model=model)


def objects(statements: list[Statement]) -> list[tuple[str, str, str]]:
    return [(each.subject, each.predicate, each.object) for each in statements]


BOTH = [("", "LIVES_IN", "Portland"), ("Luna", "HAS_BROTHER", "Sol")]


def test_facts_are_read_with_the_place_where_they_were_said(scripted_model: ScriptedModel) -> None:
    facts = read(scripted_model.says(answer(item(), SOL)), before="Where do you live?")
    assert objects(facts) == BOTH
    assert [MESSAGE[fact.start : fact.end] for fact in facts] == ["moved to Portland", "Luna got a brother called Sol"]
    assert "<before>\nWhere do you live?\n</before>" in scripted_model.requests[0].prompt
    (misquoted,) = read(scripted_model.says(answer(item(quote="I live in Portland now"))))
    assert MESSAGE[misquoted.start : misquoted.end] == "Portland"


UNSOUND: list[dict[str, Any]] = [
    {"predicate": "SAILS_WITH"},
    {"object": "Lisbon"},
    {"object": "it", "quote": "planned it"},
    {"object": ""},
    {"object": None},
    {"subject": "Rex"},
    {"confidence": 0.2},
    {"confidence": "high"},
]


def test_an_item_that_is_not_sound_is_left_out_and_the_others_are_taken(scripted_model: ScriptedModel) -> None:
    for changed in UNSOUND:
        assert objects(read(scripted_model.says(answer(item(**changed), SOL)))) == BOTH[1:], changed
    assert objects(read(scripted_model.says(answer(item(), SOL)), names=("Sol",))) == BOTH[:1]  # the character's own


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
