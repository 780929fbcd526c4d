"""Ambient connections: what the graph knows of the entities that the message names.

Score in [0, 1] of an item that was reached from the message, all constants here:
`0.35 direct + 0.20 recency + 0.15 frequency + 0.10 trust + 0.10 novelty + 0.10 anchor`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from characters.domain import words
from characters.domain.facts import sentence as own_sentence
from characters.domain.people import KnownFact, person_predicate
from characters.domain.sheet import Fact
from characters.turn.background import Background
from characters.turn.request import Edge, Known, Readers, TurnRequest
from characters.turn.said import times_said, was_just_said
from characters.turn.sections import in_one_line
from characters.turn.texts import TurnVectors
from characters.turn.user_facts import UserFacts, fact_sentence, says_nothing

DIRECT, RECENCY, FREQUENCY, TRUST, NOVELTY, ANCHOR = 0.35, 0.20, 0.15, 0.10, 0.10, 0.10
HALF_LIFE_DAYS = 30
HALF_OFTEN = 3
"""Mentions with which frequency is one half."""
MAX_NAMED = 5
MAX_ITEMS = 5
NEAR_MISSES = 10
EXPLORED_HOPS, EXPLORED_NODES = 3, 40
OFTEN, LATELY_DAYS = 4, 14
HEAD, CLOSING = "[RELEVANT CONNECTIONS]", "(These came to mind by themselves. You can mention them where they fit.)"
"""What stands around the connections in the prompt, and counts towards the sheet's budget."""
MAX_LINE = 300
"""Characters of a connection."""

_EXPLORES = re.compile(
    r"\b(?:what|everything|anything|all)\b.*\byou\b.*\b(?:remember|know|recall)\b.*\b(?:about|of|on)\b"
    r"|\bdo you remember\b|\btell me (?:everything|all) about\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """The six parts of the score, each in [0, 1], before their weights."""

    direct: float
    recency: float
    frequency: float
    trust: float
    novelty: float
    anchor: float

    @property
    def score(self) -> float:
        """Their weighted sum."""
        return (
            DIRECT * self.direct
            + RECENCY * self.recency
            + FREQUENCY * self.frequency
            + TRUST * self.trust
            + NOVELTY * self.novelty
            + ANCHOR * self.anchor
        )


@dataclass(frozen=True, slots=True)
class Connection:
    """A fact that came up by itself. `subject` and `object` are ids of nodes ("person:1", "entity:7")."""

    id: str
    """"user_fact:12", or "fact:ID" of the character's sheet."""
    sentence: str
    subject: str
    predicate: str
    object: str
    seed: str
    """Id of the entity from which it was reached."""
    depth: int
    """Hops from the message: 0 where it names the item itself."""
    score: float
    parts: ScoreParts
    why: str = ""
    """Why it was dropped, where it was."""


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity that the message names."""

    id: str
    name: str
    text: str
    """As it stands in the message."""
    whose: str
    """"person" or "character"."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the drawing. `kind` is "person", "character" or an entity's kind."""

    id: str
    name: str
    kind: str
    named: bool = False
    """Whether the message names it."""


@dataclass(frozen=True, slots=True)
class Ambient:
    """Connections that go into the prompt, best first, those that don't, and the nodes of the graph of both."""

    named: tuple[NamedEntity, ...] = ()
    used: tuple[Connection, ...] = ()
    dropped: tuple[Connection, ...] = ()
    nodes: tuple[Node, ...] = ()
    depth: int = 1
    threshold: float = 0.5
    explored: bool = False
    """The message asks what is remembered: deeper, and what was said lately is said again."""
    skipped: str = ""


def ambient(
    request: TurnRequest,
    known: Known,
    readers: Readers,
    vectors: TurnVectors | None,
    background: Background,
    theirs: UserFacts,
) -> Ambient:
    """Walk from the entities that the message names, score what is reached, and keep what is worth saying."""
    if request.is_off("ambient"):
        return Ambient(skipped="switched off")
    if not request.person_id:
        return Ambient(skipped="nobody is known here")
    knobs = request.sheet.settings.ambient
    named = _named(request, known)
    explored = bool(named and _EXPLORES.search(request.message))
    hops, nodes = (EXPLORED_HOPS, EXPLORED_NODES) if explored else (knobs.depth, knobs.max_nodes)
    evidence = Ambient(named=tuple(named), depth=hops, threshold=knobs.threshold, explored=explored)
    if not named:
        return replace(evidence, skipped="the message names nothing that is known")
    edges = readers.walk(request, [each.id for each in named], hops, nodes)
    found = sorted(_connections(edges, request, known, vectors, named), key=lambda each: (-each.score, each.id))
    told = _told(background, theirs)
    asked = explored or theirs.asked
    judged = _within([_judged(each, request, told, asked=asked) for each in found], knobs.tokens, readers.count_tokens)
    used = tuple(each for each in judged if not each.why)
    return replace(
        evidence,
        used=used,
        dropped=tuple(each for each in judged if each.why)[:NEAR_MISSES],
        nodes=tuple(_nodes(judged, request, known, named)),
        skipped="" if used else "nothing worth saying is connected with what the message names",
    )


def recency(last_seen: datetime | None, now: datetime) -> float:
    """`0.5^(days / 30)`; what a sheet holds was never said, and counts as long ago."""
    if last_seen is None:
        return 0.0
    days = max(0.0, (now - last_seen).total_seconds() / 86_400)
    return float(0.5 ** (days / HALF_LIFE_DAYS))


def parts_of(
    edge: Edge, *, named: bool, hops: int, trust: float, times: int, anchor: float, now: datetime
) -> ScoreParts:
    """The parts of an item's score. `hops` from the message to the item, `times` that it was said in ten turns."""
    return ScoreParts(
        direct=1.0 if named else 1 / (1 + hops),
        recency=recency(edge.last_seen, now),
        frequency=edge.mentions / (edge.mentions + HALF_OFTEN),
        trust=edge.confidence * (0.5 + trust / 2),
        novelty=1 / (1 + times),
        anchor=anchor,
    )


def _named(request: TurnRequest, known: Known) -> list[NamedEntity]:
    """The entities that the message names, the person's before the character's of the same name."""
    found = []
    for whose, matcher in (("person", known.matcher), ("character", known.own_matcher)):
        names = {entity.id: entity.name for entity in matcher.entities}
        for each in matcher.find(request.message):
            found += [(each.start, NamedEntity(id_, names[id_], each.text, whose)) for id_ in each.entities]
    return [entity for _, entity in sorted(found, key=lambda each: each[0])[:MAX_NAMED]]


def _connections(
    edges: Sequence[Edge],
    request: TurnRequest,
    known: Known,
    vectors: TurnVectors | None,
    named: Sequence[NamedEntity],
) -> Iterator[Connection]:
    """The edges as sentences. An edge whose fact isn't known any more was forgotten a moment ago: it is left out."""
    facts = {fact.id: place for place, fact in enumerate(known.facts)}
    own = {f"{request.character}/fact:{fact.id}": fact for fact in request.facts}
    anchors = _anchors(known, vectors)
    directly = {each.id for each in named}
    for edge in edges:
        if edge.fact in facts:
            fact = known.facts[facts[edge.fact]]
            if not says_nothing(fact):
                yield _of_person(edge, fact, request, known, anchors[facts[edge.fact]], directly)
        elif edge.fact in own:
            yield _of_character(edge, own[edge.fact], request)


def _of_person(
    edge: Edge, fact: KnownFact, request: TurnRequest, known: Known, anchor: float, directly: set[str]
) -> Connection:
    is_named = fact.object in directly if not fact.subject else {fact.subject, fact.object} <= directly
    parts = parts_of(
        edge,
        named=is_named,
        hops=edge.depth + (1 if fact.subject else 0),
        trust=request.trust,
        times=times_said(request.said, fact.id, request.turn),
        anchor=anchor,
        now=request.now,
    )
    weight = request.sheet.settings.ambient.families.get(person_predicate(fact.predicate).family, 1.0)
    return Connection(
        id=fact.id,
        sentence=_with_standing(fact_sentence(fact, known, request.person), edge, fact, request.now),
        subject=fact.subject or request.person_id,
        predicate=fact.predicate,
        object=fact.object,
        seed=edge.seed,
        depth=0 if is_named else edge.depth + 1,
        score=min(1.0, parts.score * weight),
        parts=parts,
    )


def _with_standing(sentence: str, edge: Edge, fact: KnownFact, now: datetime) -> str:
    """ "Mark has a cat called Luna, who has come up often lately." """
    lately = edge.last_seen is not None and (now - edge.last_seen).days <= LATELY_DAYS
    if edge.mentions < OFTEN or not lately:
        return sentence
    who = "who" if person_predicate(fact.predicate).kind in {"person", "pet"} else "which"
    return f"{sentence.rstrip('.')}, {who} has come up often lately."


def _of_character(edge: Edge, fact: Fact, request: TurnRequest) -> Connection:
    item = f"fact:{fact.id}"
    predicate = request.predicates.get(fact.predicate)
    parts = parts_of(
        edge,
        named=True,
        hops=0,
        trust=request.trust,
        times=times_said(request.said, item, request.turn),
        anchor=_own_anchor(fact, request),
        now=request.now,
    )
    weight = request.sheet.settings.ambient.families.get(predicate.family if predicate else "other", 1.0)
    return Connection(
        id=item,
        sentence=own_sentence(fact, predicate),
        subject=request.character,
        predicate=fact.predicate,
        object=edge.fact,
        seed=edge.seed,
        depth=0,
        score=min(1.0, parts.score * weight),
        parts=parts,
    )


def _own_anchor(fact: Fact, request: TurnRequest) -> float:
    """Share of the best anchor's words that the fact has."""
    its = set(words.stems(f"{fact.predicate.replace('_', ' ')} {fact.object}"))
    shares = [len(its & stems) / len(stems) for each in request.sheet.anchors if (stems := set(words.stems(each)))]
    return max(shares, default=0.0)


def _anchors(known: Known, vectors: TurnVectors | None) -> list[float]:
    """Per fact of the person the highest similarity to one of the character's anchors."""
    if vectors is None or not len(vectors.anchors) or known.vectors is None:
        return [0.0] * len(known.facts)
    if known.vectors.shape[1] != vectors.anchors.shape[1]:
        return [0.0] * len(known.facts)
    return np.clip(known.vectors @ vectors.anchors.T, 0, 1).max(axis=1).tolist()  # type: ignore[no-any-return]


def _told(background: Background, theirs: UserFacts) -> Mapping[str, str]:
    """By item, which stage says it already."""
    said = {f"fact:{fact.id}": "background says it" for fact in background.used}
    said |= {each.hers: "common ground says it" for each in theirs.common}
    said |= {each.theirs: "common ground says it" for each in theirs.common}
    return said | {fact.id: "the user facts say it" for fact in theirs.used}


def _judged(each: Connection, request: TurnRequest, told: Mapping[str, str], *, asked: bool) -> Connection:
    """With the reason why it is left out, where it is."""
    threshold = request.sheet.settings.ambient.threshold
    reasons = (
        (request.is_off(each.id), "switched off"),
        (each.id in told, told.get(each.id, "")),
        (each.score < threshold, f"below {threshold:.2f}"),
        (not asked and was_just_said(request.said, each.id, request.turn), "said in the last three turns"),
    )
    return replace(each, why=next((why for applies, why in reasons if applies), ""))


def _within(found: Sequence[Connection], tokens: int, count: Callable[[str], int]) -> list[Connection]:
    """At most five, within the budget; what a kept sentence says already is a duplicate."""
    kept: list[Connection] = []
    judged = []
    spent = count(HEAD) + count(CLOSING)
    for each in found:
        why = each.why or _unfit(each, kept)
        cost = 0 if why else count(line(each.sentence))
        if spent + cost > tokens:
            why = why or f"over {tokens} tokens"
        if not why:
            kept.append(each)
            spent += cost
        judged.append(replace(each, why=why))
    return judged


def line(sentence: str) -> str:
    """A connection as a line of the prompt."""
    return f"- {in_one_line(sentence, MAX_LINE)}"


def _unfit(each: Connection, kept: Sequence[Connection]) -> str:
    if len(kept) >= MAX_ITEMS:
        return f"more than {MAX_ITEMS}"
    says_species = any(other.predicate == "HAS_PET" and other.object == each.subject for other in kept)
    return "another sentence says it" if each.predicate == "IS_A" and says_species else ""


def _nodes(
    found: Sequence[Connection], request: TurnRequest, known: Known, named: Sequence[NamedEntity]
) -> Iterator[Node]:
    """Person, character and every entity that a connection or the message names, each once."""
    kinds = {entity.id: (entity.name, entity.kind) for entity in (*known.entities, *known.own)}
    directly = {each.id for each in named}
    ends = dict.fromkeys([*(end for each in found for end in (each.subject, each.object)), *directly])
    if request.person_id in ends:
        yield Node(request.person_id, request.person, "person")
    if request.character in ends:
        yield Node(request.character, request.sheet.name, "character")
    for id_ in ends:
        if id_ in kinds:
            yield Node(id_, *kinds[id_], named=id_ in directly)
