"""Find facts that no likely question brings up, by asking the background stage."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from characters.authoring.drafts.services import Edit
from characters.authoring.lint import question_forms
from characters.authoring.lint.findings import Finding, Fix, fact_row
from characters.domain import grammar
from characters.domain.facts import FAMILIES, NOTE, first_person, predicate_words, sentence
from characters.domain.sheet import Fact, Predicate, Sheet
from characters.turn.background import NARROW_LIMIT, background
from characters.turn.fact_index import build_index
from characters.turn.intent import Intent
from characters.turn.request import Snapshot, TurnRequest

LONGEST = 80
PROGRESS_EVERY = 50
_ASKED = Intent(kind="self-query")
_LINKS = frozenset("in of at by to with for on from about as under over into after against through than like".split())

_ANY_FAMILY = tuple(family.questions[0] for family in FAMILIES.values())
"""Questions for a fact of no family. Low relevance to one doesn't count: no other fact fitted better."""

Vectors = Mapping[str, NDArray[np.float32]]
Tried = dict[str, tuple[str, ...]]
"""Questions that somebody would ask to hear each fact, by its id."""


def likely_questions(sheet: Sheet, registry: Mapping[str, Predicate]) -> Tried:
    """Return each fact's questions: the author's, those that its sentence answers, its predicate's and its family's."""
    count = Counter(fact.predicate for fact in sheet.facts)
    return {
        fact.id: _questions(fact, registry.get(fact.predicate), count[fact.predicate], sheet.name)
        for fact in sheet.facts
    }


def _questions(fact: Fact, predicate: Predicate | None, alike: int, name: str) -> tuple[str, ...]:
    questions = [*fact.questions, *_of_its_own(fact, predicate, name)]
    if fact.predicate != NOTE and predicate and predicate.question:
        questions.append(predicate.question)
    if fact.predicate != NOTE and alike > NARROW_LIMIT:
        questions.append(with_its_words(fact))
    family = FAMILIES.get(predicate.family) if predicate else None
    questions += family.questions if family else _ANY_FAMILY
    plain = predicate_words(fact.predicate)  # one can ask for "shoe size", not for "featured in"
    if predicate is None and plain and plain.split()[-1] not in _LINKS:
        questions.append(f"What is your {plain}?")
    return tuple(dict.fromkeys(questions))


def _of_its_own(fact: Fact, predicate: Predicate | None, name: str) -> tuple[str, ...]:
    """Return questions that the fact's sentence answers; none for an unregistered predicate, which has no sentence."""
    if predicate is None and fact.predicate != NOTE:
        return ()
    statement = sentence(fact, predicate)
    asked = question_forms.questions(first_person(statement, name) if fact.predicate == NOTE else statement)
    return asked or ((_whether(statement),) if fact.predicate == NOTE else ())


def _whether(statement: str) -> str:
    return f"Is it true that {grammar.inline(statement[:LONGEST]).rstrip(' .!')}?"


def with_its_words(fact: Fact) -> str:
    """Return a question that names the object."""
    return f"What do you know about {fact.object[:LONGEST].rstrip(' .')}?"


def not_findable(
    sheet: Sheet,
    registry: Mapping[str, Predicate],
    vectors: Vectors,
    tried: Tried,
    embed: Callable[[list[str]], Vectors],
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Finding]:
    """Yield facts that no question in `tried` brings up, each with a question that would, which `embed` embeds.

    `progress` is called with the number of facts done, every `PROGRESS_EVERY` facts.
    """
    ask = Asker(sheet, registry, vectors)
    lost: list[Fact] = []
    for number, fact in enumerate(sheet.facts):
        if number % PROGRESS_EVERY == 0:
            progress(number)
        vague = set(_ANY_FAMILY) - set(fact.questions) if fact.predicate not in registry else set()
        questions = sorted(tried[fact.id], key=lambda question: not ask.knows(question))
        relevances = ((ask(question).get(fact.id), question in vague) for question in questions)
        if not any(relevance and not (is_vague and relevance == "low") for relevance, is_vague in relevances):
            lost.append(fact)
    offers = _offers(sheet, registry, vectors, lost, embed)
    for fact in lost:
        yield _finding(fact, tried[fact.id], offers.get(fact.id, ""))


def _offers(
    sheet: Sheet,
    registry: Mapping[str, Predicate],
    vectors: Vectors,
    lost: list[Fact],
    embed: Callable[[list[str]], Vectors],
) -> dict[str, str]:
    """Return the first question that finds each lost fact once it is added to the fact, by the fact's id.

    All first choices are tried together, then all second ones: the sheet is indexed once per choice, not per fact.
    """
    offers: dict[str, str] = {}
    choices = {fact.id: _choices(fact, registry.get(fact.predicate), sheet.name) for fact in lost}
    for place in range(max(map(len, choices.values()), default=0)):
        chosen = {id: each[place] for id, each in choices.items() if id not in offers and place < len(each)}
        known = {**vectors, **embed(list(dict.fromkeys(chosen.values())))}
        facts = tuple(
            replace(fact, questions=(*fact.questions, chosen[fact.id])) if fact.id in chosen else fact
            for fact in sheet.facts
        )
        ask = Asker(replace(sheet, facts=facts), registry, known)
        offers |= {id: question for id, question in chosen.items() if id in ask(question)}
    return offers


def _choices(fact: Fact, predicate: Predicate | None, name: str) -> list[str]:
    named = (
        [_whether(fact.object)]
        if fact.predicate == NOTE
        else [
            with_its_words(fact),
            f"What does {fact.object[:LONGEST].rstrip(' .')} mean to you?",
        ]
    )
    possible = dict.fromkeys([*_of_its_own(fact, predicate, name), *named])
    return [question for question in possible if question not in fact.questions]


def _finding(fact: Fact, questions: tuple[str, ...], offer: str) -> Finding:
    edit = Edit(f"fact:{fact.id}", fact_row(fact, [*fact.questions, offer]))
    fixes = (Fix(f"Add the question “{offer}”", (edit,)),) if offer else ()
    text = f"No likely question finds {fact.predicate} “{fact.object}”."
    return Finding("not findable", text, (fact.id,), fixes, questions)


class Asker:
    """Asks a sheet questions, and keeps the answers."""

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
        """Return whether `question` was asked before."""
        return question in self._answers

    def __call__(self, question: str) -> Mapping[str, str]:
        """Return the relevance of each fact that a turn would use, by its id; none for a broad question."""
        if question not in self._answers:
            request = replace(self._request, message=question)
            evidence = background(request, lambda _: self._snapshot, self._vectors.get(question), _ASKED)
            used = () if evidence.broad else evidence.used
            self._answers[question] = {fact.id: fact.relevance for fact in used}
        return self._answers[question]
