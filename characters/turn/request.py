"""What goes into a turn: one value. The same call serves the chat, a replay and a test."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from characters.domain.entities import Entity, EntityMatcher
from characters.domain.people import KnownFact
from characters.domain.relations import Relation
from characters.domain.sheet import Fact, Predicate, Sheet
from characters.turn.calibration import Calibration, WordCounts
from characters.turn.fact_index import FactIndex
from characters.turn.messages import MessageIndex

Vectors = NDArray[np.float32]
"""Shape (n, dimensions), rows of unit length."""
Vector = NDArray[np.float32]
"""Shape (dimensions,)."""

IntentKind = Literal["small talk", "self-query", "user-query", "knowledge question", "command", "mixed"]

NOVEL_TURNS = 10
"""Turns of the branch that count for novelty: who was shown something within them knows it."""


@dataclass(frozen=True, slots=True)
class TurnVectors:
    """What a turn embeds: the probe's texts, the full message first; what memory is asked; the character's anchors."""

    probe: Vectors
    question: Vector
    anchors: Vectors

    @property
    def message(self) -> Vector:
        """Of the full message."""
        first: Vector = self.probe[0]
        return first


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """A message of the history."""

    role: Literal["user", "assistant"]
    text: str
    id: str = ""
    """"message:7"; empty for what isn't saved."""


@dataclass(frozen=True, slots=True)
class Base:
    """A knowledge base in scope."""

    slug: str
    provenance: str
    threshold: float
    version: int
    collection: str
    is_lore: bool = False
    """Whether it is an imported lorebook: an author's text, with placeholders."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a document, as the turn shows and quotes it."""

    id: str
    base: str
    document: str
    heading: str
    index: int
    text: str


@dataclass(frozen=True, slots=True)
class CachedHit:
    """A hit as the conversation's cache keeps it; its text is read again, so that a deleted chunk is gone."""

    base: str
    chunk: str
    similarity: float


@dataclass(frozen=True, slots=True)
class CachedPhrase:
    """The hits of a phrase, in which turn, at which versions of the bases."""

    turn: int
    versions: Mapping[str, int]
    hits: tuple[CachedHit, ...]


@dataclass(frozen=True, slots=True)
class ProbeMemory:
    """What the probe carries from a turn to its follow-up."""

    message: str = ""
    turn: int = 0
    base: str = ""
    phrases: Mapping[str, CachedPhrase] = field(default_factory=dict)
    follow_up: str = ""
    """What was asked together with the message before, so that a repeat asks the same."""
    leaning: Mapping[str, float] = field(default_factory=dict)
    """By base how far the turns until now were about it, fading."""
    leaning_before: Mapping[str, float] = field(default_factory=dict)
    """The same before the last turn, so that a repeat of it decides alike."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What a turn hands to its follow-up. `shown`: by item, in which turns of the branch it went into the prompt."""

    probe: ProbeMemory = field(default_factory=ProbeMemory)
    shown: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """What one character knows of one person, as it is now. Row i of `vectors` is fact i's sentence."""

    entities: tuple[Entity, ...] = ()
    facts: tuple[KnownFact, ...] = ()
    stems: tuple[frozenset[str], ...] = ()
    vectors: Vectors | None = None
    matcher: EntityMatcher = field(default_factory=EntityMatcher)
    character_entities: tuple[Entity, ...] = ()
    """Those that the character's sheet names; their ids are facts' ids."""
    character_matcher: EntityMatcher = field(default_factory=EntityMatcher)

    def named_in(self, message: str) -> set[str]:
        """Ids of the person's entities that the message names."""
        return {entity for mention in self.matcher.find(message) for entity in mention.entities}


@dataclass(frozen=True, slots=True)
class Edge:
    """A fact that the walk through the graph reached. `subject` and `object` are ids of nodes."""

    fact: str
    """Id of the fact: "user_fact:12", or "fact:ID" of the character's sheet."""
    subject: str
    object: str
    depth: int
    """Hops between the seed and this edge: 0 for an edge of the seed itself."""
    mentions: int = 1
    last_seen: datetime | None = None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Related:
    """A drawn relation between two messages of the person, `earlier` and `later` by when they were said."""

    earlier: str
    later: str
    relation: Relation
    confidence: float


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens per section of the prompt, and of the model's window."""

    window: int = 4096
    reply: int = 800
    identity: int = 500
    persona: int = 200
    client: int = 400
    examples: int = 300
    lore: int = 400
    instructions: int = 200
    background: int = 200
    primary: int = 700
    supplemental: int = 250
    memory: int = 450
    """User facts, common ground and memory together."""
    history: int = 1200


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One message to one character, with everything that doesn't have to be looked up."""

    message: str
    character: str
    """Its id in the graph, "character:3"."""
    sheet: Sheet
    revision: int | None
    """Its number; None for a draft."""
    person: str
    now: datetime
    client: str = ""
    """What the client program through which they talk says to the model: text from outside."""
    person_id: str = ""
    """"person:12"; empty where nobody is known, so that nothing of anybody is remembered."""
    trust: float = 0.5
    """Between person and character, in [0, 1]."""
    facts_version: int = 0
    """Of what is known of the person: who kept it under another number reads it again."""
    messages_epoch: int = 0
    """Of the person's messages: new ones are appended under the same number."""
    learned: tuple[Fact, ...] = ()
    """What it learned about itself, and an operator approved."""
    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    bases: tuple[Base, ...] = ()
    history: tuple[HistoryMessage, ...] = ()
    memory: ProbeMemory = field(default_factory=ProbeMemory)
    shown: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By item ("user_fact:12", "message:7"): in which turns of this branch it went into the prompt."""
    turn: int = 1
    budgets: Budgets = field(default_factory=Budgets)
    off: frozenset[str] = frozenset()
    """Stages ("background") and items ("fact:ID", "user_fact:12", "message:7", "chunk:ID") that are switched off."""
    persona: str = ""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The sheet's, then the learned ones."""
        return (*self.sheet.facts, *self.learned)

    def is_off(self, name: str) -> bool:
        """Whether this stage or item is switched off, for this turn or by the sheet."""
        return name in self.off or name in self.sheet.settings.stages_off

    def times_shown(self, item: str, turns: int = NOVEL_TURNS) -> int:
        """In how many of the last `turns` turns it went into the prompt."""
        return sum(self.turn - turns <= turn < self.turn for turn in self.shown.get(item, ()))

    def carry(self, probe: ProbeMemory, items: Iterable[str]) -> Carried:
        """What the follow-up's request carries, where this turn shows `items`."""
        since = self.turn - NOVEL_TURNS
        shown = {item: tuple(turn for turn in turns if turn > since) for item, turns in self.shown.items()}
        for item in items:
            shown[item] = (*shown.get(item, ()), self.turn)
        return Carried(probe, {item: turns for item, turns in shown.items() if turns})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The facts of one sheet, ready to be searched, and where they were read."""

    index: FactIndex
    source: Literal["graph", "document"]
    reason: str = ""
    """Why the facts come from the document, where they do."""
    fits_weights: bool = True
    """Whether the vectors are of the model that `weights` was fitted for."""
    with_learned: FactIndex | None = None
    """The sheet's facts and the learned ones, where there are any: `index` has the sheet's alone."""

    @property
    def full(self) -> FactIndex:
        """With the learned facts, if there are any."""
        return self.with_learned or self.index


@dataclass(frozen=True, slots=True)
class Readers:
    """Everything a turn may look up. Nothing in here writes. Each may raise a `StoreError`."""

    embed: Callable[[Sequence[str]], Vectors]
    examples: Callable[[], Mapping[IntentKind, Vectors]]
    """Vectors of `intent.EXAMPLES`, by kind."""
    nearest: Callable[[Sequence[Base], Vectors, int], Mapping[str, Sequence[Sequence[tuple[str, float]]]]]
    """Per base and vector the nearest chunks: (chunk id, cosine), best first."""
    word_counts: Callable[[Sequence[Base]], Mapping[str, WordCounts]]
    calibration: Callable[[Sequence[Base]], Calibration]
    """What messages about none of these bases find in them."""
    chunks: Callable[[Sequence[str]], Mapping[str, Chunk]]
    neighbours: Callable[[Sequence[str]], Mapping[str, Chunk]]
    """The chunks next to these in their documents."""
    background: Callable[[TurnRequest], Snapshot]
    known: Callable[[TurnRequest], Known]
    person_questions: Callable[[], Mapping[str, Vectors]]
    """Vectors of the questions of each of `people.PERSON_PREDICATES`, by its name."""
    walk: Callable[[TurnRequest, Sequence[str], int, int], Sequence[Edge]]
    """From these entities through the graph: (request, ids, hops, most edges); nearest first."""
    past_messages: Callable[[TurnRequest], MessageIndex]
    related: Callable[[TurnRequest, Sequence[str]], Sequence[Related]]
    count_tokens: Callable[[str], int]
