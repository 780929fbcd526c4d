"""Checks that compare: is a statement known or proposed already, is it contradicted, and does it fit?

Whether it fits is a language model's opinion. Without a model, or if its answer doesn't match the schema, the verdict
is "not judged", never valid.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from characters.domain import words
from characters.domain.facts import sentence
from characters.domain.sheet import Fact, Predicate
from characters.language.claims.meaning import meaning
from characters.language.contradictions import contradiction
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import AnswerError, Line, ask_json
from kgadmin.stores.language_model import LanguageModel

Outcome = Literal["good", "warn", "bad", "not judged"]
Vector = NDArray[np.float32]

VERSION = "1"
SAME, NEAR = 0.92, 0.80
"""Cosine of two sentences from which they say the same, and from which they are near."""
NEAREST_SHOWN = 3
CONFLICTS_SHOWN = 5
MOST_RIVALS = 20
"""Most contradicting proposals; each of them has to name the others."""
MAX_TOKENS = 300
MAX_FACTS = 60
"""Core facts that a model reads."""
MAX_REASON = 300
_PLACES = {"core": "in the sheet", "learned": "learned", "identity": "in the identity text", "proposal": "proposed"}
_GRAVITY: Mapping[str, Outcome] = {"core": "bad", "identity": "bad", "learned": "warn", "proposal": "warn"}


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict of one check: `summary` is a sentence for the operator, `evidence` what it is based on."""

    outcome: Outcome
    summary: str
    version: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """A fact or another proposal, which a proposal is compared with. `sentence` is in the first person."""

    kind: Literal["core", "learned", "identity", "proposal"]
    id: str
    predicate: str
    object: str
    sentence: str
    vector: Vector | None = None

    def evidence(self, **more: Any) -> dict[str, Any]:
        """Return its values as a verdict's evidence stores them."""
        names = ("kind", "id", "predicate", "object", "sentence")
        return {name: getattr(self, name) for name in names} | more


@dataclass(frozen=True, slots=True)
class Proposed:
    """The statement to judge. `only_one`: the predicate has a single value."""

    predicate: str
    object: str
    sentence: str
    meaning: str
    vector: Vector | None
    character: str
    only_one: bool


def fact_sentence(fact: Fact, registry: Mapping[str, Predicate]) -> str:
    """Return a fact as a sentence in the first person."""
    return sentence(fact, registry.get(fact.predicate))


def judge_duplicate(proposed: Proposed, known: Sequence[Known]) -> Finding:
    """Return the duplicate verdict: bad for the same meaning, warn for a near one."""
    ranked = sorted(((_near(proposed, other), other) for other in known), key=lambda pair: -pair[0])
    nearest = [other.evidence(near=round(near, 2)) for near, other in ranked[:NEAREST_SHOWN] if near > 0]
    if not nearest:
        return Finding("good", "Nothing similar found.", VERSION, {"nearest": nearest})
    near, first = ranked[0]
    if near < NEAR:
        return Finding("good", f"Nearest {near:.2f}: {first.sentence}", VERSION, {"nearest": nearest})
    what = "It is" if near >= SAME else "Something near it is"
    summary = f"{what} {_PLACES[first.kind]} already: {first.sentence}"
    return Finding("bad" if near >= SAME else "warn", summary, VERSION, {"nearest": nearest})


def _near(proposed: Proposed, other: Known) -> float:
    if other.predicate and meaning(other.predicate, other.object) == proposed.meaning:
        return 1.0
    if proposed.vector is None or other.vector is None:
        return 0.0
    return float(proposed.vector @ other.vector)


def judge_contradiction(proposed: Proposed, known: Iterable[Known]) -> Finding:
    """Return the contradiction verdict: bad against the sheet, warn against a learned fact or another proposal."""
    stems = frozenset(words.stems(proposed.object))
    conflicts = [(other, why) for other in known if (why := _contradicts(proposed, other, stems))]
    if not conflicts:
        return Finding("good", "No contradiction found.", VERSION, {"conflicts": []})
    facts = [pair for pair in conflicts if pair[0].kind != "proposal"][:CONFLICTS_SHOWN]
    rivals = [pair for pair in conflicts if pair[0].kind == "proposal"][:MOST_RIVALS]
    shown = [other.evidence(why=why) for other, why in (*facts, *rivals)]
    gravest = min((other for other, _ in conflicts), key=lambda other: _GRAVITY[other.kind])
    return Finding(_GRAVITY[gravest.kind], f"Contradicts: {gravest.sentence}", VERSION, {"conflicts": shown})


def _contradicts(proposed: Proposed, other: Known, stems: frozenset[str]) -> str:
    is_one = proposed.only_one and other.predicate == proposed.predicate
    if not is_one and stems.isdisjoint(words.stems(other.sentence)):
        return ""
    return contradiction(other.sentence, proposed.sentence, only_one=is_one)


class Validation(BaseModel):
    """Whether the statement is true to the core facts and fits the character."""

    verdict: Literal["VALID", "INVALID", "UNSURE"]
    reason: Line = Field(json_schema_extra={"maxLength": MAX_REASON})


_VALIDATED: Mapping[str, Outcome] = {"VALID": "good", "INVALID": "bad", "UNSURE": "warn"}
_INSTRUCTIONS = """You check what a fictional character said of themself. You get their core facts and one statement.
Answer with JSON: "verdict" is VALID where the statement agrees with the core facts and suits this character, INVALID
where it contradicts them or doesn't suit, UNSURE where nobody can tell from this; "reason" is one short sentence."""


def validate(proposed: Proposed, known: Sequence[Known], model: LanguageModel) -> Finding:
    """Return the model's opinion; it is asked again if its answer can't be used."""
    if not model.judges:
        return Finding("not judged", "No language model is connected.", VERSION)
    facts = "\n".join(f"- {fact.sentence}" for fact in known[:MAX_FACTS])
    data = {"name": proposed.character, "facts": facts, "statement": proposed.sentence}
    try:
        answer = ask_json(model, Validation, _INSTRUCTIONS, data, max_tokens=MAX_TOKENS)
    except (AnswerError, StoreError) as error:
        return Finding("not judged", f"The model gave no usable answer: {error}"[:MAX_REASON], VERSION)
    summary = f"“{answer.reason[:MAX_REASON]}” {model.name}"
    evidence = {"verdict": answer.verdict, "model": model.name}
    return Finding(_VALIDATED[answer.verdict], summary[:MAX_REASON], VERSION, evidence)
