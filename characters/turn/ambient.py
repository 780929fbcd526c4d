"""Ambient connections: what the graph knows about the entities that the message names.

Score in [0, 1] of an item that was reached from the message, all constants here:
`0.35 direct + 0.20 recency + 0.15 frequency + 0.10 trust + 0.10 novelty + 0.10 anchor`.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from characters.domain import words
from characters.domain.facts import sentence as fact_in_first_person
from characters.domain.people import KnownFact, person_predicate
from characters.domain.sheet import Fact
from characters.turn.background import Background
from characters.turn.fact_index import in_turn
from characters.turn.request import Edge, Known, Readers, TurnRequest, TurnVectors
from characters.turn.sections import Count, in_one_line
from characters.turn.trace import first_reason
from characters.turn.user_facts import UserFacts, fact_sentence, says_nothing

WEIGHTS = {"direct": 0.35, "recency": 0.20, "frequency": 0.15, "trust": 0.10, "novelty": 0.10, "anchor": 0.10}
HALF_LIFE_DAYS = 30
HALF_OFTEN = 3
MAX_NAMED = 5
MAX_ITEMS = 5
RECENT_TURNS = 3
"""Turns during which a connection isn't repeated, unless the message asks for it."""
NEAR_MISSES = 10
EXPLORED_HOPS, EXPLORED_NODES = 3, 40
OFTEN, LATELY_DAYS = 4, 14
HEAD, CLOSING = "[RELEVANT CONNECTIONS]", "(These came to mind by themselves. You can mention them where they fit.)"
"""Text around the connections in the prompt; it counts towards the sheet's budget."""
MAX_LINE = 300

_EXPLORES = re.compile(
    r"\b(?:what|everything|anything|all)\b.*\byou\b.*\b(?:remember|know|recall)\b.*\b(?:about|of|on)\b"
    r"|\bdo you remember\b|\btell me (?:everything|all) about\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """The six parts of a connection's score, each in [0, 1], before their weights."""

    direct: float
    recency: float
    frequency: float
    trust: float
    novelty: float
    anchor: float

    @property
    def score(self) -> float:
        """Return the weighted sum of the parts."""
        return sum(weight * float(getattr(self, name)) for name, weight in WEIGHTS.items())


@dataclass(frozen=True, slots=True)
class Connection:
    """A fact that came up unasked. `subject` and `object` are ids of nodes ("person:1", "entity:7")."""

    id: str
    """"user_fact:12", or "fact:ID" for a fact of the character's sheet."""
    sentence: str
    subject: str
    predicate: str
    object: str
    score: float
    parts: ScoreParts
    why: str = ""


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity that the message names."""

    id: str
    name: str
    text: str
    whose: str
    """Owner of the entity: "person" or "character"."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the drawing. `kind` is "person", "character" or an entity's kind."""

    id: str
    name: str
    kind: str
    named: bool = False


@dataclass(frozen=True, slots=True)
class Ambient:
    """The connections in the prompt, best first, those left out, and the graph nodes of both."""

    named: tuple[NamedEntity, ...] = ()
    used: tuple[Connection, ...] = ()
    dropped: tuple[Connection, ...] = ()
    nodes: tuple[Node, ...] = ()
    depth: int = 1
    threshold: float = 0.5
    explored: bool = False
    """Whether the message asks what is remembered: the walk goes deeper, and recent items may be repeated."""
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Walk:
    """The walk through the graph: from which named entities, how many hops, and at most how many edges."""

    named: tuple[NamedEntity, ...]
    hops: int
    nodes: int
    explored: bool

    @property
    def seeds(self) -> list[str]:
        """Return the ids of the entities."""
        return [each.id for each in self.named]


def plan_walk(request: TurnRequest, known: Known) -> Walk:
    """Plan the walk. Nothing is looked up yet."""
    settings = request.sheet.settings.ambient
    named = tuple(_named(request, known))
    explored = bool(named and _EXPLORES.search(request.message))
    hops, nodes = (EXPLORED_HOPS, EXPLORED_NODES) if explored else (settings.depth, settings.max_nodes)
    return Walk(named, hops, nodes, explored)


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
        return Ambient(skipped="no person is known in this conversation")
    walk, threshold = plan_walk(request, known), request.sheet.settings.ambient.threshold
    named = walk.named
    evidence = Ambient(named=named, depth=walk.hops, threshold=threshold, explored=walk.explored)
    if not named:
        return replace(evidence, skipped="the message mentions nothing known")
    edges = readers.walk(request, walk.seeds, walk.hops, walk.nodes)
    reached = _in_turn(list(_connections(edges, request, known, vectors, named)), named)
    stated = _stated(background, theirs)
    judged = _judged(reached, request, stated, readers.count_tokens, again=walk.explored or theirs.asked)
    used = tuple(each for each in judged if not each.why)
    return replace(
        evidence,
        used=used,
        dropped=tuple(each for each in judged if each.why)[:NEAR_MISSES],
        nodes=tuple(_nodes(judged, request, known, named)),
        skipped="" if used else "no relevant connections for what the message mentions",
    )


def _in_turn(connections: Sequence[Connection], named: Sequence[NamedEntity]) -> list[Connection]:
    """Return the connections, best first: the best of each entity that the message names, then the second of each."""
    ordered = sorted(connections, key=lambda each: (-each.score, each.id))
    names = [each.id for each in named]
    nearest = (next((name for name in names if name in {each.subject, each.object}), "") for each in ordered)
    return [ordered[place] for place in in_turn(nearest, ())]


def parts_of(edge: Edge, item: str, request: TurnRequest, *, named: bool, hops: int, anchor: float) -> ScoreParts:
    """Return the parts of an item's score, `hops` from the message. Facts of a sheet have no date and count as old."""
    days = max(0.0, (request.now - edge.last_seen).total_seconds() / 86_400) if edge.last_seen else math.inf
    return ScoreParts(
        direct=1.0 if named else 1 / (1 + hops),
        recency=float(0.5 ** (days / HALF_LIFE_DAYS)),
        frequency=edge.mentions / (edge.mentions + HALF_OFTEN),
        trust=edge.confidence * (0.5 + request.trust / 2),
        novelty=1 / (1 + request.times_shown(item)),
        anchor=anchor,
    )


def _named(request: TurnRequest, known: Known) -> list[NamedEntity]:
    """Return the entities that the message names; of one name, the person's entity comes before the character's."""
    mentions = []
    for whose, matcher in (("person", known.matcher), ("character", known.character_matcher)):
        for mention in matcher.find(request.message, misspelt=True):
            named = (NamedEntity(id_, matcher.by_id[id_].name, mention.text, whose) for id_ in mention.entities)
            mentions += [(mention.start, entity) for entity in named]
    return [entity for _, entity in sorted(mentions, key=lambda each: each[0])[:MAX_NAMED]]


def _connections(
    edges: Sequence[Edge], request: TurnRequest, known: Known, vectors: TurnVectors | None, named: Sequence[NamedEntity]
) -> Iterator[Connection]:
    """Return the edges as sentences, without edges whose fact was forgotten a moment ago."""
    of_sheet = {f"{request.character}/fact:{fact.id}": fact for fact in request.facts}
    places = [known.places.get(edge.fact) for edge in edges]
    anchors = _anchors([place for place in places if place is not None], known, vectors)
    directly = {each.id for each in named}
    for edge, place in zip(edges, places, strict=True):
        if edge.fact in of_sheet:
            yield _of_character(edge, of_sheet[edge.fact], request)
        elif place is not None and not says_nothing(known.facts[place]):
            yield _of_person(edge, known.facts[place], request, known, anchors[place], directly)


def _of_person(
    edge: Edge, fact: KnownFact, request: TurnRequest, known: Known, anchor: float, directly: set[str]
) -> Connection:
    is_named = fact.object in directly if not fact.subject else {fact.subject, fact.object} <= directly
    hops = edge.depth + (1 if fact.subject else 0)
    parts = parts_of(edge, fact.id, request, named=is_named, hops=hops, anchor=anchor)
    return Connection(
        id=fact.id,
        sentence=_with_standing(fact_sentence(fact, known, request.person), edge, fact, request.now),
        subject=fact.subject or request.person_id,
        predicate=fact.predicate,
        object=fact.object,
        score=_weighed(parts, person_predicate(fact.predicate).family, request),
        parts=parts,
    )


def _weighed(parts: ScoreParts, family: str, request: TurnRequest) -> float:
    return min(1.0, parts.score * request.sheet.settings.ambient.families.get(family, 1.0))


def _with_standing(sentence: str, edge: Edge, fact: KnownFact, now: datetime) -> str:
    """Return the sentence with how old and how frequent its fact is: "Mark has a cat called Luna, who has come up often
    lately."
    """
    lately = edge.last_seen is not None and (now - edge.last_seen).days <= LATELY_DAYS
    if edge.mentions < OFTEN or not lately:
        return sentence
    who = "who" if person_predicate(fact.predicate).kind in {"person", "pet"} else "which"
    return f"{sentence.rstrip('.')}, {who} has come up often lately."


def _of_character(edge: Edge, fact: Fact, request: TurnRequest) -> Connection:
    item = f"fact:{fact.id}"
    predicate = request.predicates.get(fact.predicate)
    its = set(words.stems(f"{fact.predicate.replace('_', ' ')} {fact.object}"))
    shares = [len(its & stems) / len(stems) for text in request.sheet.anchors if (stems := set(words.stems(text)))]
    best = max(shares, default=0.0)  # of an anchor's words
    parts = parts_of(edge, item, request, named=True, hops=0, anchor=best)
    return Connection(
        id=item,
        sentence=fact_in_first_person(fact, predicate),
        subject=request.character,
        predicate=fact.predicate,
        object=edge.fact,
        score=_weighed(parts, predicate.family if predicate else "other", request),
        parts=parts,
    )


def _anchors(places: Sequence[int], known: Known, vectors: TurnVectors | None) -> dict[int, float]:
    """Return how near each of these facts is to the nearest anchor of the character."""
    anchors = vectors.anchors if vectors else np.zeros((0, 0), np.float32)
    if not places or not len(anchors) or known.vectors is None or known.vectors.shape[1] != anchors.shape[1]:
        return dict.fromkeys(places, 0.0)
    nearest = np.clip(known.vectors[list(places)] @ anchors.T, 0, 1).max(axis=1)
    return dict(zip(places, map(float, nearest), strict=True))


def _stated(background: Background, theirs: UserFacts) -> dict[str, str]:
    stated = {f"fact:{fact.id}": "already in the background" for fact in background.used}
    for shared in theirs.common:
        stated |= dict.fromkeys((shared.person_fact, shared.character_fact), "already in the common ground")
    stated |= dict.fromkeys(theirs.taken_back, "taken back a moment ago")
    return stated | {fact.id: "already in the user facts" for fact in theirs.used}


def _judged(
    reached: Sequence[Connection], request: TurnRequest, stated: Mapping[str, str], count: Count, *, again: bool
) -> list[Connection]:
    """Return each connection with the reason why it is left out, if any; those used stay within the sheet's budget."""
    budget = request.sheet.settings.ambient.tokens
    used: list[Connection] = []
    judged = []
    spent = count(HEAD) + count(CLOSING)
    for connection in reached:
        why = _why(connection, used, request, stated, again=again)
        cost = 0 if why else count(line(connection.sentence))
        if spent + cost > budget:
            why = why or f"over {budget} tokens"
        if not why:
            used.append(connection)
            spent += cost
        judged.append(replace(connection, why=why) if why else connection)
    return judged


def _why(
    connection: Connection, used: Sequence[Connection], request: TurnRequest, stated: Mapping[str, str], *, again: bool
) -> str:
    """Return why a connection is left out beside those used. `again`, where the message asks for them, allows what was
    mentioned in recent turns, and as many as fit.
    """
    threshold = request.sheet.settings.ambient.threshold
    says_species = any(other.predicate == "HAS_PET" and other.object == connection.subject for other in used)
    return first_reason(
        (request.is_off(connection.id), "switched off"),
        (connection.id in stated, stated.get(connection.id, "")),
        (connection.score < threshold, f"below {threshold:.2f}"),
        (not again and request.times_shown(connection.id, RECENT_TURNS), "shown in the last three turns"),
        (not again and len(used) >= MAX_ITEMS, f"more than {MAX_ITEMS} unasked"),
        (connection.predicate == "IS_A" and says_species, "another sentence already says it"),
    )


def line(sentence: str) -> str:
    """Return a connection as a line of the prompt."""
    return f"- {in_one_line(sentence, MAX_LINE)}"


def _nodes(
    connections: Sequence[Connection], request: TurnRequest, known: Known, named: Sequence[NamedEntity]
) -> Iterator[Node]:
    """Return the person, the character and every entity that a connection or the message names, each once."""
    directly = {each.id for each in named}
    ends = dict.fromkeys([*(end for each in connections for end in (each.subject, each.object)), *directly])
    if request.person_id in ends:
        yield Node(request.person_id, request.person, "person")
    if request.character in ends:
        yield Node(request.character, request.sheet.name, "character")
    for id_ in ends:
        if entity := known.matcher.by_id.get(id_) or known.character_matcher.by_id.get(id_):
            yield Node(id_, entity.name, entity.kind, named=id_ in directly)
