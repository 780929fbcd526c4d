"""Facts that no likely question would find: the background stage is asked what somebody would ask."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from characters.profiles.drafts.services import Edit
from characters.profiles.lint.findings import Finding, Fix, fact_row
from characters.turn.background import NARROW_LIMIT, background
from characters.turn.fact_index import build_index
from characters.turn.facts import FAMILIES, NOTE, predicate_words
from characters.turn.intent import Intent
from characters.turn.request import Snapshot, TurnRequest
from characters.turn.sheet import Fact, Predicate, Sheet

LONGEST = 80
TOLD_EVERY = 50
_ASKED = Intent(kind="self-query")
_LINKS = frozenset("in of at by to with for on from about as under over into after against through than like".split())

_ANY_FAMILY = tuple(family.questions[0] for family in FAMILIES.values())
"""Asked for a fact of no family; one that comes up as a low one there came up for want of a better."""

Vectors = Mapping[str, NDArray[np.float32]]
Tried = dict[str, tuple[str, ...]]
"""Per id of a fact the questions that somebody would ask to hear it."""


def likely_questions(sheet: Sheet, registry: Mapping[str, Predicate]) -> Tried:
    """The author's own, the predicate's and its family's; for one of many alike, and for a note, one with its words.

    Nobody asks in the words of a predicate that isn't registered ("featured in"), unless it is a noun ("shoe size").
    """
    count = Counter(fact.predicate for fact in sheet.facts)
    return {fact.id: _questions(fact, registry.get(fact.predicate), count[fact.predicate]) for fact in sheet.facts}


def _questions(fact: Fact, predicate: Predicate | None, alike: int) -> tuple[str, ...]:
    found = list(fact.questions)
    if fact.predicate == NOTE or alike > NARROW_LIMIT:
        found.append(with_its_words(fact))
    if fact.predicate != NOTE and predicate and predicate.question:
        found.append(predicate.question)
    family = FAMILIES.get(predicate.family) if predicate else None
    found += family.questions if family else _ANY_FAMILY
    plain = predicate_words(fact.predicate)
    if predicate is None and plain and plain.split()[-1] not in _LINKS:
        found.append(f"What is your {plain}?")
    return tuple(dict.fromkeys(found))


def with_its_words(fact: Fact) -> str:
    """A question that names the object."""
    return f"What can you tell me about {fact.object[:LONGEST].rstrip(' .')}?"


def not_findable(
    sheet: Sheet,
    registry: Mapping[str, Predicate],
    vectors: Vectors,
    tried: Tried,
    tell: Callable[[int], None] = lambda done: None,
) -> Iterator[Finding]:
    """Facts that none of the questions tried brings up. `tell` is told now and then for how many it is known."""
    ask = Asker(sheet, registry, vectors)
    for number, fact in enumerate(sheet.facts):
        if number % TOLD_EVERY == 0:
            tell(number)
        vague = set(_ANY_FAMILY) - set(fact.questions) if fact.predicate not in registry else set()
        questions = sorted(tried[fact.id], key=lambda question: not ask.knows(question))
        if not any(_finds(ask(question), fact, question in vague) for question in questions):
            yield _finding(fact, tried[fact.id])


def _finds(used: Mapping[str, str], fact: Fact, vague: bool) -> bool:
    return used.get(fact.id, "low") != "low" if vague else fact.id in used


def _finding(fact: Fact, questions: tuple[str, ...]) -> Finding:
    new = with_its_words(fact)
    edit = Edit(f"fact:{fact.id}", fact_row(fact, questions=[*fact.questions, new]))
    fixes = () if new in questions else (Fix(f"Add the question “{new}”", (edit,)),)
    said = f"No likely question finds {fact.predicate} “{fact.object}”."
    return Finding("not findable", said, (fact.id,), fixes, questions)


class Asker:
    """Asks a sheet, each question once."""

    def __init__(self, sheet: Sheet, registry: Mapping[str, Predicate], vectors: Vectors) -> None:
        index = build_index(sheet.facts, registry, sheet.concepts, vectors, sheet.name)
        self._snapshot = Snapshot(index, "document", "this sheet isn't published")
        self._vectors = vectors
        self._answers: dict[str, dict[str, str]] = {}
        self._request = TurnRequest(
            message="",
            character="",
            sheet=sheet,
            revision=None,
            person="",
            now=datetime(2000, 1, 1, tzinfo=UTC),
            predicates=registry,
        )

    def knows(self, question: str) -> bool:
        """Whether this was asked before."""
        return question in self._answers

    def __call__(self, question: str) -> Mapping[str, str]:
        """The ids of the facts that a turn would bring up, with their relevance.

        A broad question ("Tell me about yourself") brings some of everything, so it finds nothing.
        """
        if question not in self._answers:
            request = replace(self._request, message=question)
            found = background(request, lambda _: self._snapshot, self._vectors.get(question), _ASKED)
            self._answers[question] = {} if found.broad else {fact.id: fact.relevance for fact in found.used}
        return self._answers[question]
