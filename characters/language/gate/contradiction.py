"""Whether a later statement follows from what was said, contradicts it, or neither. Pure; no Django.

Two statements of a character are compared by rules: liking against disliking the same, the same words said and denied,
opposites, other numbers, and another object where there can be only one. What was said in a conversation or in prose
is compared by a small logistic model over `heard` (`tests.quality.fit_gate` writes its weights); it
is right in half of the cases (docs/quality.md), so it is a hint and no verdict.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from characters.language.gate import heard, opposites
from characters.language.gate.heard import Vectors

FILE = Path(__file__).with_name("contradiction.json")
Label = Literal["Contradiction", "Entailment", "Neutral"]
LABELS: tuple[Label, ...] = get_args(Label)
MOST_STATEMENTS = 2
"""Sentences of a text that is still a statement and not prose."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What the later statement is to what was said. `score` is between 0 and 1, `why` a sentence for people."""

    label: Label
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class Model:
    """A multinomial logistic regression over named figures and words of grammar. A column per label."""

    figures: Mapping[str, tuple[float, ...]]
    grammar: Mapping[str, tuple[float, ...]]
    intercept: tuple[float, ...]

    def chances(self, found: Mapping[str, float], grammar: frozenset[str]) -> NDArray[np.float64]:
        """A probability per label."""
        logits = np.array(self.intercept)
        for name, weights in self.figures.items():
            logits = logits + found[name] * np.array(weights)
        for piece in grammar & self.grammar.keys():
            logits = logits + np.array(self.grammar[piece])
        odds = np.exp(logits - logits.max())
        return np.asarray(odds / odds.sum(), dtype=np.float64)


def compare(earlier: str, later: str, vectors: Vectors | None = None, *, only_one: bool = False) -> Relation:
    """`vectors` by text, of what `heard.texts` lists. `only_one`: both tell a thing that one can have once only."""
    if _is_statement(earlier) and _is_statement(later):
        return by_rules(earlier, later, vectors or {}, only_one=only_one)
    return by_weights(shipped(), earlier, later, vectors or {})


def _is_statement(text: str) -> bool:
    told = heard.lines(text)
    return len(told) <= MOST_STATEMENTS and not any(who for who, _ in told)


def by_rules(earlier: str, later: str, vectors: Vectors, *, only_one: bool) -> Relation:
    """Of two statements of the character herself."""
    one, other = opposites.told(earlier), opposites.told(later)
    for rule, score in opposites.RULES:
        if why := rule(one, other):
            return Relation("Contradiction", score, why)
    if opposites.is_within(other, one):
        return Relation("Entailment", 0.8, "All that the later one says stands in the earlier one.")
    if only_one and one.rest != other.rest and not opposites.is_within(one, other):
        return Relation("Contradiction", 0.9, "Only one of them can be so.")
    near = float(vectors[earlier] @ vectors[later]) if earlier in vectors and later in vectors else 0.0
    if near >= opposites.SAME and one.denies == other.denies and one.liking == other.liking:
        return Relation("Entailment", near, "Both mean nearly the same.")
    return Relation("Neutral", 1 - max(0.0, near) / 2, "They don't speak of the same.")


def by_weights(model: Model, said: str, statement: str, vectors: Vectors) -> Relation:
    """Of a statement about a conversation or a text."""
    chances = model.chances(heard.figures(said, statement, vectors), heard.grammar(statement))
    best = int(chances.argmax())
    return Relation(
        LABELS[best], float(chances[best]), "By words, moods and nearness; right in about half of the cases."
    )


@cache
def shipped() -> Model:
    """The model that comes with the program."""
    return model(json.loads(FILE.read_text(encoding="utf-8")))


def model(kept: Mapping[str, Any]) -> Model:
    """The model that `as_json` wrote."""
    figures, grammar = ({name: tuple(row) for name, row in kept[block].items()} for block in ("figures", "grammar"))
    return Model(figures, grammar, tuple(kept["intercept"]))


def as_json(fitted: Model, sources: str) -> dict[str, Any]:
    """What `contradiction.json` has."""
    blocks = {"figures": fitted.figures, "grammar": fitted.grammar}
    return {"sources": sources, "labels": LABELS, "intercept": fitted.intercept, **blocks}
