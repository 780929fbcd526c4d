"""Background: which facts about the character bear on this message? (seed 000)

Lexical, semantic and concept signals rank the facts; a gate decides whether she is asked about herself at all.
Weights of `mix` are the fixed ones that measured as well as learned ones (questions > sentence = predicate:object).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from characters.turn.facts import FactIndex, category_words
from characters.turn.intent import Intent
from characters.turn.request import Snapshot, TurnRequest
from kgadmin import words

NARROW_LIMIT = 3
SHORT_WORDS = 2
BROAD_LIMIT = 8
FLOOR = 0.34
"""Score that the best fact has to reach."""
RELATIVE = 0.72
"""Share of the best score that a further fact has to reach."""
NEAR_MISSES = 5
_HIGH, _MEDIUM = 0.75, 0.50
_GENERAL = 0.2
"""Share of a word's weight where it names a category of facts anyway ("family")."""
_FIRST = 0.15
"""What the first fact of a category gains where the message names the category: authors write first what matters."""
_FIRST_ALONE = 0.30
"""The same where the message names the category and nothing else ("Your job?")."""

Level = Literal["high", "medium", "low"]

_SECOND_PERSON = frozenset("you your yours yourself yourselves u ur you're you've you'd you'll youre".split())
_FIRST_PERSON = frozenset("my mine myself".split())
_PLAIN = frozenset("how how's what what's is are your you tell me about the and please".split())
_BROAD = re.compile(
    r"\b(?:about|describe|introduce) (?:you|yourself|your (?:life|story))\b(?! (?:and|like|think|know))"
    r"|\bwho (?:are|r) (?:you|u)\b|\byour (?:life )?story\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(?:please )?(?:can|could|would|will) you (?:please )?(?!tell me about you|describe you)(\w+)", re.IGNORECASE
)
_RECALLING = re.compile(r"\b(?:do|can) you (?:\w+ )?(?:remember|know|recall)\b(?=.*\b(?:about|of)\b)", re.IGNORECASE)
"""Asks for something by name: then "remember" is no subject, and doesn't stand for her memories."""
_REQUEST_VERBS = frozenset(
    "check find show give help explain look write make list read search open send remind fix summarise".split()
)
_BROAD_ORDER = ("identity", "work", "origin", "family", "taste", "dream", "personality", "education", "home", "opinion")


@dataclass(frozen=True, slots=True)
class ScoredFact:
    """A fact with the signals that speak for it, each in [0, 1], and their mix."""

    id: str
    predicate: str
    object: str
    sentence: str
    score: float
    relevance: Level
    lexical: float
    semantic: float
    concept: float
    why: str = ""
    """Why it was dropped, where it was."""


@dataclass(frozen=True, slots=True)
class Background:
    """The facts that go into the prompt, best first, and those that nearly did."""

    used: tuple[ScoredFact, ...] = ()
    dropped: tuple[ScoredFact, ...] = ()
    total: int = 0
    """Facts of the sheet."""
    broad: bool = False
    gate: str = ""
    """Why she is, or isn't, asked about herself."""
    threshold: float = FLOOR
    source: str = ""
    source_reason: str = ""
    missing_vectors: int = 0
    skipped: str = ""


def background(
    request: TurnRequest,
    read: Callable[[TurnRequest], Snapshot],
    vector: NDArray[np.float32] | None,
    intent: Intent,
) -> Background:
    """Choose the facts for this message. Without a vector of it, words alone decide."""
    if request.is_off("background"):
        return Background(skipped="switched off")
    snapshot = read(request)
    index = snapshot.index
    if not index.facts:
        return Background(skipped=f"{request.sheet.name} has no facts yet")
    gate, asked = _gate(request, intent)
    broad = bool(_BROAD.search(request.message))
    scored = _scored(index, _RECALLING.sub(" ", request.message), vector)
    ranked = sorted(scored, key=lambda fact: -fact.score)
    chosen = (_diverse(scored, index) if broad else _best(ranked, _limit(request.message))) if asked else []
    used = [fact for fact in chosen if not request.is_off(f"fact:{fact.id}")]
    kept = {fact.id for fact in used}
    nothing = "" if used else (gate if not asked else "no fact is close enough to the message")
    return Background(
        used=tuple(used),
        dropped=_near_misses([fact for fact in ranked if fact.id not in kept], request, asked, gate),
        total=len(index.facts),
        broad=broad,
        gate=gate,
        source=snapshot.source,
        source_reason=snapshot.reason,
        missing_vectors=index.missing,
        skipped=nothing,
    )


def _limit(message: str) -> int:
    """One fact for a question of one or two words, three for a narrow question."""
    return NARROW_LIMIT if len(message.split()) > SHORT_WORDS else 1


def _gate(request: TurnRequest, intent: Intent) -> tuple[str, bool]:
    """Whether the message asks about the character, and by which sign: the first that fits decides."""
    found = words.tokens(request.message)
    second = next((word for word in found if word in _SECOND_PERSON), "")
    named = {f"{word}'s" for word in words.tokens(request.sheet.name)}
    match = _REQUEST.match(request.message.strip())
    is_request = bool(match and match.group(1).lower() in _REQUEST_VERBS and not {"your", "yourself"} & set(found))
    signs: tuple[tuple[bool, str, bool], ...] = (
        (intent.kind == "small talk" and not intent.by_vectors, "it is small talk", False),
        (is_request, "a request, not a question about the character", False),
        (bool(second), f"it says “{second}”", True),
        (bool(named & set(found)), f"it names {request.sheet.name}", True),
        (not _FIRST_PERSON.isdisjoint(found), "it is about the person, not the character", False),
    )
    return next(((why, asks) for fits, why, asks in signs if fits), ("it doesn't speak to the character", False))


def _scored(index: FactIndex, message: str, vector: NDArray[np.float32] | None) -> list[ScoredFact]:
    """Every fact with its signals, in the sheet's order."""
    asked = frozenset(words.stems(message))
    named = frozenset(words.stem(word) for word in words.tokens(message))
    categories = named & frozenset[str]().union(*index.concept_stems)
    members = {i: 0.0 for i, stems in enumerate(index.concept_stems) if stems & named}
    core = [i for i in members if named & category_words(index.families[i])]
    is_category = _is_category(message, asked, categories)
    lead = _FIRST_ALONE if is_category else _FIRST
    first = members | {i: lead * (1 - place / len(core)) for place, i in enumerate(core)}
    own, family, sentence, labelled = _similarities(index, vector)
    comparable = _comparable(index, vector)
    found = []
    for i, fact in enumerate(index.facts):
        lexical = _lexical(asked, categories, index.predicate_stems[i], index.object_stems[i])
        concept = 1.0 if i in first else 0.0
        question = max(own[i], 0.92 * max((family[row] for row in index.family_rows[i]), default=0.0))
        told = question if is_category else (question + 0.5 * sentence[i] + 0.5 * labelled[i]) / 1.6
        semantic = min(1.0, told)
        signals = 0.74 * semantic + 0.26 * lexical if comparable[i] else lexical
        score = min(1.0, signals + 0.2 * concept + first.get(i, 0.0))
        level: Level = "high" if score >= _HIGH else "medium" if score >= _MEDIUM else "low"
        found.append(  # in the order of its fields
            ScoredFact(
                fact.id, fact.predicate, fact.object, index.sentences[i], score, level, lexical, semantic, concept
            )
        )
    return found


def _is_category(message: str, asked: frozenset[str], categories: frozenset[str]) -> bool:
    """Whether nothing in the message tells the facts of a category apart: "Your job?", but not "Where do you work?"."""
    rest = {word for word in words.tokens(message) if words.stem(word) not in categories}
    return bool(asked) and asked <= categories and rest <= _PLAIN


def _similarities(index: FactIndex, vector: NDArray[np.float32] | None) -> tuple[list[float], ...]:
    arrays = (
        index.own_question_vectors,
        index.family_question_vectors,
        index.sentence_vectors,
        index.labelled_vectors,
    )
    if vector is None:
        return tuple([0.0] * len(array) for array in arrays)
    return tuple(
        np.clip(array @ vector, 0, 1).tolist() if array.shape[1] == len(vector) else [0.0] * len(array)
        for array in arrays
    )


def _comparable(index: FactIndex, vector: NDArray[np.float32] | None) -> list[bool]:
    """Per fact, whether vectors can speak for it: where they can't, words alone do."""
    if vector is None or index.sentence_vectors.shape[1] != len(vector):
        return [False] * len(index.facts)
    return [bool(row.any()) for row in index.sentence_vectors]


def _lexical(
    asked: frozenset[str], categories: frozenset[str], predicate: frozenset[str], words_of_object: frozenset[str]
) -> float:
    """Share of the message's subject words that the fact has, rare words weighing more; the predicate counts double.

    A word that names a category says little where it stands in an object: "the family restaurant" is no family.
    """
    weights = {word: words.stem_rarity(word) for word in asked}
    total = sum(weights.values())
    if asked <= categories:  # a category alone is the concept signal's business
        return 0.0
    told = {word: weight * (_GENERAL if word in categories else 1.0) for word, weight in weights.items()}
    shared = sum(told[word] for word in asked & words_of_object)
    named = sum(told[word] for word in asked & predicate)
    return min(1.0, (shared + 2 * named) / total)


def _best(ranked: list[ScoredFact], limit: int) -> list[ScoredFact]:
    top = ranked[0].score
    if top < FLOOR:
        return []
    return [fact for fact in ranked[:limit] if fact.score >= max(FLOOR * 0.9, top * RELATIVE)]


def _diverse(scored: list[ScoredFact], index: FactIndex) -> list[ScoredFact]:
    """The first facts of each family in turn: what somebody would say of herself when asked in general."""
    order = {family: place for place, family in enumerate(_BROAD_ORDER)}
    seen: dict[str, int] = {}
    places = []
    for i, fact in enumerate(scored):
        family = index.families[i]
        round_ = seen[family] = seen.get(family, -1) + 1
        places.append((round_, order.get(family, len(order)), i, fact))
    chosen = [fact for *_, fact in sorted(places, key=lambda place: place[:3])[:BROAD_LIMIT]]
    # Nothing in a general question ranks one fact over another: the sheet's order did.
    return [replace(fact, relevance="medium") for fact in chosen]


def _near_misses(rest: list[ScoredFact], request: TurnRequest, asked: bool, gate: str) -> tuple[ScoredFact, ...]:
    def why(fact: ScoredFact) -> str:
        if request.is_off(f"fact:{fact.id}"):
            return "switched off"
        if not asked:
            return gate
        return "below the threshold" if fact.score < FLOOR else "less fitting than those used"

    off = [fact for fact in rest if request.is_off(f"fact:{fact.id}")]
    near = [fact for fact in rest if fact not in off and fact.score >= FLOOR / 2][:NEAR_MISSES]
    return tuple(replace(fact, why=why(fact)) for fact in (*off, *near))
