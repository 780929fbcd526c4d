"""What each check says of a statement, with its evidence; without a model, or with a wrong answer, nothing is valid."""

from typing import Any

import pytest

from characters.domain.sheet import Fact
from characters.language.claims.meaning import meaning
from characters.review.verdicts import confidence
from characters.review.verdicts.comparison import (
    Known,
    Proposed,
    fact_sentence,
    judge_contradiction,
    judge_duplicate,
    validate,
)
from characters.review.verdicts.confidence import Time
from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import Completion, LanguageModel, Usage
from kgadmin.stores.model_list import ModelList
from tests.characters.turn.world import OSKAR, REGISTRY, embed


def proposed(predicate: str, object: str) -> Proposed:
    words = fact_sentence(Fact("x", predicate, object), REGISTRY)
    only_one = not REGISTRY[predicate].many
    return Proposed(predicate, object, words, meaning(predicate, object), embed([words])[0], OSKAR.name, only_one)


def known(predicate: str, object: str, kind: Any = "core") -> Known:
    words = fact_sentence(Fact("x", predicate, object), REGISTRY)
    return Known(kind, "f1", predicate, object, words, embed([words])[0])


@pytest.mark.parametrize(
    ("kind", "predicate", "object", "outcome"),
    [
        ("core", "LOVES", "the Rhubarb", "bad"),
        ("learned", "LIKES", "rhubarb", "bad"),
        ("core", "LIKES", "trams at night", "good"),
        ("core", "DISLIKES", "rhubarb", "good"),
    ],
)
def test_what_is_known_in_other_words_is_a_duplicate(kind: str, predicate: str, object: str, outcome: str) -> None:
    finding = judge_duplicate(proposed("ENJOYS", "rhubarb"), [known(predicate, object, kind)])
    assert finding.outcome == outcome


@pytest.mark.parametrize(
    ("kind", "predicate", "object", "outcome"),
    [
        ("core", "DISLIKES", "rhubarb", "bad"),
        ("learned", "HATES", "rhubarb", "warn"),
        ("proposal", "DISLIKES", "rhubarb", "warn"),
        ("core", "DISLIKES", "trams", "good"),
    ],
)
def test_what_says_otherwise_is_named(kind: str, predicate: str, object: str, outcome: str) -> None:
    finding = judge_contradiction(proposed("LOVES", "rhubarb"), [known(predicate, object, kind)])
    assert finding.outcome == outcome
    assert [each["kind"] for each in finding.evidence["conflicts"]] == ([kind] if outcome != "good" else [])


def test_of_a_favourite_there_is_one() -> None:
    assert judge_contradiction(proposed("FAVORITE_COLOR", "red"), [known("FAVORITE_COLOR", "grey")]).outcome == "bad"
    assert judge_contradiction(proposed("LIKES", "red"), [known("LIKES", "grey")]).outcome == "good"


def time(person: int = 1, conversation: int = 1, *, hedged: bool = False, tainted: bool = False) -> Time:
    return Time(0.95, hedged, person, conversation, tainted)


def test_confidence_grows_with_people_and_conversations_and_not_with_repeats() -> None:
    once, _ = confidence.judge([time()])
    again, _ = confidence.judge([time(), time()])
    elsewhere, _ = confidence.judge([time(), time(1, 2)])
    others, finding = confidence.judge([time(), time(2, 2)])
    assert once == again < elsewhere < others < 1
    assert finding.evidence["parts"]["people"] == 2


def test_a_hedge_lowers_confidence_and_taint_takes_most_of_it() -> None:
    sure, good = confidence.judge([time()])
    hedged, warn = confidence.judge([time(hedged=True)])
    tainted, _ = confidence.judge([time(tainted=True)])
    assert tainted < hedged < sure
    assert (good.outcome, warn.outcome) == ("good", "warn")
    clean, _ = confidence.judge([time(), time(2, 2, tainted=True)])
    assert clean == sure


class Model(LanguageModel):
    """Gives these answers, one after the other."""

    name, judges = "a model", True

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), 0

    def complete(self, request: Any) -> Completion:
        self.asked += 1
        answer = self.answers.pop(0)
        if answer == "down":
            raise StoreError("The model does not answer.")
        return Completion(answer, Usage())

    def models(self, wait: float = 0.0) -> ModelList:
        return ModelList()

    def stream(self, request: Any, usage: Any) -> Any:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        (['{"verdict": "VALID", "reason": "It suits him."}'], "good"),
        (['{"verdict": "INVALID", "reason": "He hates it."}'], "bad"),
        (['{"verdict": "UNSURE", "reason": "?"}'], "warn"),
        (["VALID", "VALID"], "not judged"),
        (["{}", '{"verdict": "valid", "reason": ""}'], "not judged"),
        (['{"verdict": "VALID"}', "down"], "not judged"),
        (["down", '{"verdict": "VALID", "reason": "It suits him."}'], "good"),
    ],
)
def test_only_a_whole_answer_is_an_opinion(answers: list[str], outcome: str) -> None:
    model = Model(*answers)
    assert validate(proposed("LOVES", "rhubarb"), [], model).outcome == outcome
    assert model.asked == len(answers)
    assert model.answers == []
