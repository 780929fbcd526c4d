"""User facts and common ground: what is known about the person, and what person and character share."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from characters.domain import people, words
from characters.domain.entities import Entity, EntityMatcher, fold, key
from characters.domain.facts import category_words, predicate_words
from characters.domain.people import KnownFact
from characters.language import corrections
from characters.turn.background import Background
from characters.turn.fact_index import in_turn
from characters.turn.intent import Intent
from characters.turn.request import Known, TurnRequest, TurnVectors, Vectors
from characters.turn.trace import NEAR_MISSES, near_misses, nothing_found

NARROW_LIMIT, BROAD_LIMIT = 3, 8
FLOOR = 0.40
RELATIVE = 0.72
"""Share of the best score that a further fact has to reach."""
CANDIDATES = 30
MAX_SHARED = 3
_ENDING = re.compile(r"(?<=\w{4})(?:(?:ist|er|ian|ic)s?|y|ing)+$")
"""Endings of what one is, does or studies: "biologist", "biology"."""
_SEMANTIC, _LEXICAL, _FAMILY = 0.75, 0.25, 0.25
_SHAREABLE = frozenset({"topic", "place", "organisation", "thing"})

_BROAD = re.compile(
    r"\babout (?:me|myself)\b|\bknow me\b|\bremember (?:about )?me\b|\bwho (?:am i|i am)\b|\bdescribe me\b",
    re.IGNORECASE,
)
_FIRST_PERSON = frozenset("i me my mine myself i'm i've i'd am".split())
_ASKS = frozenset(
    "what who where when which how why do does did is are am was were can could have has tell remind".split()
)
_BROAD_ORDER = tuple("identity home work family taste opinion education origin dream health belongings".split())


@dataclass(frozen=True, slots=True)
class ScoredUserFact:
    """A fact about the person with its scores."""

    id: str
    predicate: str
    sentence: str
    score: float
    lexical: float
    semantic: float
    confidence: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class Shared:
    """An entity that facts of both sides name."""

    name: str
    entity: str
    person_fact: str
    character_fact: str
    sentence: str
    why: str = ""

    @property
    def item(self) -> str:
        """Return the id under which the prompt shows it."""
        return f"common:{self.entity}"


@dataclass(frozen=True, slots=True)
class UserFacts:
    """The person's facts that go into the prompt, best first, and the common ground."""

    used: tuple[ScoredUserFact, ...] = ()
    dropped: tuple[ScoredUserFact, ...] = ()
    common: tuple[Shared, ...] = ()
    common_dropped: tuple[Shared, ...] = ()
    total: int = 0
    broad: bool = False
    asked: bool = False
    gate: str = ""
    threshold: float = FLOOR
    taken_back: frozenset[str] = frozenset()
    """Ids of facts that the person took back in a message that isn't read yet."""
    skipped: str = ""


def user_facts(
    request: TurnRequest,
    known: Known,
    vectors: TurnVectors | None,
    read_questions: Callable[[], Mapping[str, Vectors]],
    intent: Intent,
    background: Background,
) -> UserFacts:
    """Return facts for a question about the person, and what both share where it bears on the message."""
    if request.is_off("user_facts"):
        return UserFacts(skipped="switched off")
    unread = partial(nothing_found, unread=request.unread_messages, noun="message")
    if not known.facts:
        return UserFacts(skipped=unread(f"nothing is known about {request.person} yet"))
    taken_back = _taken_back(request, known)
    gate, asked = _gate(request, intent)
    broad = bool(_BROAD.search(request.message))
    ranked = _ranked(request, known, vectors, read_questions()) if asked else []
    least = max(FLOOR, RELATIVE * max((fact.score for fact in ranked), default=0.0))
    chosen = _broad(ranked, known) if broad else _narrow(ranked, least)
    used = [fact for fact in chosen if not request.is_off(fact.id) and fact.id not in taken_back]
    common, elsewhere = _common(request, known, background, used, asked=asked and broad)
    used_ids = {fact.id for fact in used}
    rest = [fact for fact in ranked if fact.id not in used_ids]
    off = (fact for fact in rest if request.is_off(fact.id))
    near = (fact for fact in rest if fact.score >= FLOOR / 2 and not request.is_off(fact.id))
    return UserFacts(
        used=tuple(used),
        dropped=near_misses(off, near, FLOOR),
        common=tuple(common),
        common_dropped=tuple(elsewhere),
        total=len(known.facts),
        broad=broad,
        asked=asked,
        gate=gate,
        taken_back=taken_back,
        skipped="" if used or common else (unread("no fact is close enough to the message") if asked else gate),
    )


def _taken_back(request: TurnRequest, known: Known) -> frozenset[str]:
    """Return the facts that this message, or one that isn't read yet, says to be so no more."""
    before = [message.text for message in request.history if message.role == "user"]
    unread = before[-request.unread_messages :] if request.unread_messages else []
    ended = [stems for text in (*unread, request.message) for stems in corrections.ended(text)]
    if not ended:
        return frozenset()
    return frozenset(fact.id for fact in known.facts if corrections.is_among(fact.text, ended))


def fact_sentence(fact: KnownFact, known: Known, person: str) -> str:
    """Return a fact in words; for a pet with its kind, if that is known."""
    text, species = fact.text, ""
    if fact.predicate == "HAS_PET":
        text = fact.object_name
        kinds = (other.text for other in known.facts if other.subject == fact.object and other.predicate == "IS_A")
        species = next(kinds, "")
    return people.sentence(person, fact.predicate, text, subject=fact.subject_name, species=species) + "."


def says_nothing(fact: KnownFact) -> bool:
    """Return whether a fact says no more than a relative's name: that somebody has a father, or that he is father."""
    is_relative = fold(fact.object_name) in people.KIN_WORDS
    return is_relative and (fact.predicate.startswith("HAS_") or fold(fact.subject_name) == fold(fact.object_name))


def _gate(request: TurnRequest, intent: Intent) -> tuple[str, bool]:
    tokens = words.tokens(request.message)
    if intent.kind == "user-query":
        return "it asks what is known about the person", True
    if {"your", "my"} <= set(tokens):
        return "it asks about both sides", True
    first = next((word for word in tokens if word in _FIRST_PERSON), "")
    if first and (request.message.rstrip().endswith("?") or tokens[0] in _ASKS):
        return f"a question that says “{first}”", True
    if intent.kind == "small talk":
        return "it is small talk", False
    return ("it is a statement, not a question" if first else "it isn't about the person"), False


def _ranked(
    request: TurnRequest, known: Known, vectors: TurnVectors | None, questions: Mapping[str, Vectors]
) -> list[ScoredUserFact]:
    """Return the best facts of all and of each family; only these are put into words."""
    semantic = _semantic(known, vectors, questions)
    lexical = _lexical(request, known)
    asked = frozenset(words.stems(request.message))
    families = {fact.family for fact in known.facts}
    pets = {fact.object for fact in known.facts if fact.predicate == "HAS_PET"}  # their sentence says what they are
    named = {family: _FAMILY if asked & category_words(family) else 0.0 for family in families}
    scores = {
        place: min(1.0, _SEMANTIC * semantic[place] + _LEXICAL * lexical[place] + named[fact.family])
        for place, fact in enumerate(known.facts)
        if not says_nothing(fact) and not (fact.predicate == "IS_A" and fact.subject in pets)
    }
    ranked = sorted(scores, key=lambda place: (-scores[place], known.facts[place].id))
    return [
        ScoredUserFact(
            id=fact.id,
            predicate=fact.predicate,
            sentence=fact_sentence(fact, known, request.person),
            score=scores[place],
            lexical=lexical[place],
            semantic=semantic[place],
            confidence=fact.confidence,
        )
        for place, fact in _candidates(ranked, known)
    ]


def _candidates(ranked: Sequence[int], known: Known) -> list[tuple[int, KnownFact]]:
    """Return the first facts of all and of each family: no other can be chosen or shown."""
    counted = Counter[str]()
    candidates = []
    for rank, place in enumerate(ranked):
        fact = known.facts[place]
        counted[fact.family] += 1
        if rank < CANDIDATES or counted[fact.family] <= BROAD_LIMIT:
            candidates.append((place, fact))
    return candidates


def _semantic(known: Known, vectors: TurnVectors | None, questions: Mapping[str, Vectors]) -> list[float]:
    """Return each fact's similarity to the message: by its sentence, or by a question that asks for it."""
    if vectors is None:
        return [0.0] * len(known.facts)
    message = vectors.message
    by_question = {name: float((rows @ message).max()) for name, rows in questions.items()}
    by_sentence = np.zeros(len(known.facts), dtype=np.float32)
    if known.vectors is not None and known.vectors.shape[1:] == message.shape:
        by_sentence = known.vectors @ message
    asked = [by_question.get(fact.predicate, 0.0) if not fact.subject else 0.0 for fact in known.facts]
    return [min(1.0, max(0.0, *both)) for both in zip(asked, map(float, by_sentence), strict=True)]


def _lexical(request: TurnRequest, known: Known) -> list[float]:
    """Return each fact's share of the message's subject words, weighted by rarity; 1 where it is named."""
    named = known.named_in(request.message)
    weights = {stem: words.stem_rarity(stem) for stem in words.stems(request.message)}
    total = sum(weights.values()) or 1.0
    return [
        1.0
        if fact.object in named or fact.subject in named
        else sum(weights[s] for s in weights.keys() & stems) / total
        for fact, stems in zip(known.facts, known.stems, strict=True)
    ]


@lru_cache(maxsize=20_000)
def _stems_of(predicate: str, text: str, subject_name: str) -> frozenset[str]:
    """Return the subject words by which a fact is found."""
    return frozenset(words.stems(f"{predicate_words(predicate)} {text} {subject_name}"))


def _narrow(ranked: Sequence[ScoredUserFact], least: float) -> list[ScoredUserFact]:
    """Return the first facts, and of the best one's predicate all: a set that is asked for is told whole."""
    return [
        fact
        for place, fact in enumerate(ranked)
        if fact.score >= least and (place < NARROW_LIMIT or fact.predicate == ranked[0].predicate)
    ]


def _broad(ranked: Sequence[ScoredUserFact], known: Known) -> list[ScoredUserFact]:
    """Return the first facts of each family in turn: the person first, in predicates' order, most mentioned first."""
    facts = {fact.id: fact for fact in known.facts}
    predicates = {name: place for place, name in enumerate(people.PERSON_PREDICATES)}

    def first(scored: ScoredUserFact) -> tuple[bool, int, int, str]:
        fact = facts[scored.id]
        return bool(fact.subject), predicates.get(fact.predicate, len(predicates)), -fact.mentions, fact.id

    ordered = sorted(ranked, key=first)
    places = in_turn((facts[scored.id].family for scored in ordered), _BROAD_ORDER)
    return [ordered[place] for place in places[:BROAD_LIMIT]]


def _common(
    request: TurnRequest, known: Known, background: Background, used: Sequence[ScoredUserFact], *, asked: bool
) -> tuple[list[Shared], list[Shared]]:
    """Return what both share and bears on the message (it is named, or one side's fact was used), and what doesn't."""
    named = known.named_in(request.message)
    stated = {fact.id for fact in used} | {f"fact:{fact.id}" for fact in background.used}
    shared = _shared(request, known)
    common = [
        both for both in shared if asked or both.entity in named or {both.person_fact, both.character_fact} & stated
    ]
    rest = [replace(both, why="not relevant to the message") for both in shared if both not in common]
    return [both for both in common if not request.is_off(both.person_fact)][:MAX_SHARED], rest[:NEAR_MISSES]


def _shared(request: TurnRequest, known: Known) -> list[Shared]:
    shared: dict[str, Shared] = {}
    for fact, character_fact, name in known.common:
        yours = "" if key(name) == key(fact.object_name) else f" ({name}, in your case)"
        sentence = f"You and {request.person} have {fact.object_name}{yours} in common."
        shared.setdefault(fact.object, Shared(fact.object_name, fact.object, fact.id, character_fact, sentence))
    return list(shared.values())


def known_of(
    facts: Sequence[KnownFact], entities: tuple[Entity, ...], vectors: Vectors | None, of_sheet: tuple[Entity, ...]
) -> Known:
    """Return what is known, ready for the turns until it changes. `of_sheet` are the character's own entities."""
    matcher = EntityMatcher(entities)
    of_character: dict[tuple[str, ...], tuple[str, Entity]] = {}
    for entity in of_sheet:
        for name in (entity.name, *entity.aliases):
            of_character.setdefault(_roots(name), (name, entity))

    def shared(fact: KnownFact) -> tuple[str, Entity] | None:
        mine = matcher.by_id.get(fact.object)
        is_shareable = mine is not None and mine.kind in _SHAREABLE and not fact.subject
        return of_character.get(_roots(fact.object_name)) if is_shareable else None

    return Known(
        facts=tuple(facts),
        stems=tuple(_stems_of(fact.predicate, fact.text, fact.subject_name) for fact in facts),
        vectors=vectors,
        places={fact.id: place for place, fact in enumerate(facts)},
        matcher=matcher,
        character_matcher=EntityMatcher(of_sheet),
        common=tuple(
            (fact, f"fact:{both[1].id.rpartition('/fact:')[2]}", both[0]) for fact in facts if (both := shared(fact))
        ),
    )


def _roots(name: str) -> tuple[str, ...]:
    """Return what a name has in common with its like: of several words the roots ("marine biology", "marine
    biologist"), of a single one that alone.
    """
    parts = key(name).split()
    return tuple(_ENDING.sub("", part) for part in parts) if len(parts) > 1 else (key(name),)
