"""The request of a turn: one value, the same for chat, replay and tests."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from characters.domain.entities import EntityMatcher
from characters.domain.people import KnownFact
from characters.domain.relations import Relation
from characters.domain.sheet import Fact, Predicate, Sheet
from characters.turn.calibration import Calibration, WordCounts
from characters.turn.fact_index import FactIndex
from characters.turn.messages import MessageIndex, PastMessage

Vectors = NDArray[np.float32]
"""Shape (n, dimensions), rows of unit length."""
Vector = NDArray[np.float32]
"""Shape (dimensions,)."""

IntentKind = Literal["small talk", "self-query", "user-query", "knowledge question", "command", "mixed"]

NOVEL_TURNS = 10
"""Turns of the branch that count for novelty: an item shown within them isn't new."""


@dataclass(frozen=True, slots=True)
class TurnVectors:
    """The embeddings of a turn: the probe's texts, the full message first; memory's query; the character's anchors."""

    probe: Vectors
    question: Vector
    anchors: Vectors

    @property
    def message(self) -> Vector:
        """Return the vector of the full message."""
        first: Vector = self.probe[0]
        return first


@dataclass(frozen=True, slots=True)
class HistoryMessage:
    """A message of the history."""

    role: Literal["user", "assistant"]
    text: str
    id: str = ""
    """"message:7", or empty for a message that isn't saved."""


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
    unread: int = 0
    """Documents of it that aren't ingested yet."""
    key: int = 0
    """Its primary key; slugs may be used again."""
    embedder: str = ""
    """Id of the model that made its vectors; empty until there are some."""
    name: str = ""

    @property
    def title(self) -> str:
        """Return its name, or its slug if it has none."""
        return self.name or self.slug


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands in its document."""

    document: str
    heading: str
    index: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk of a document, as the turn shows and quotes it."""

    id: str
    base: str
    document: str
    heading: str
    index: int
    text: str
    tokens: int
    place: str = ""
    """Where it stands in the file, as in "page 3"."""


@dataclass(frozen=True, slots=True)
class Match:
    """A chunk near a text; `similarity` is the cosine."""

    base: str
    chunk: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest chunks of every base, per vector, best first."""

    matches: Mapping[str, Sequence[Sequence[tuple[str, float]]]] = field(default_factory=dict)
    """By base and row of the vectors: (chunk id, cosine)."""
    from_store: tuple[str, ...] = ()
    """Bases without an index file, which the vector store answered for."""
    failed: Mapping[str, str] = field(default_factory=dict)
    """Bases that couldn't be asked, with the reason as a sentence."""


@dataclass(frozen=True, slots=True)
class ProbeMemory:
    """Results that the probe carries from a turn to its follow-up."""

    message: str = ""
    is_topical: bool = False
    """Whether the message was nearer to a base than to everyday talk."""
    follow_up: str = ""
    """Text queried together with the previous message, so that a repeat queries the same."""
    leaning: Mapping[str, float] = field(default_factory=dict)
    """How much the turns until now were about each base, fading."""
    leaning_before: Mapping[str, float] = field(default_factory=dict)
    """The same before the last turn, so that a repeat of it decides alike."""


@dataclass(frozen=True, slots=True)
class Carried:
    """Values that a turn hands to its follow-up. `shown` has the turns of the branch that showed each item."""

    probe: ProbeMemory = field(default_factory=ProbeMemory)
    shown: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    turn: int = 0
    """Number of the turn in its branch, from 1."""


@dataclass(frozen=True, slots=True)
class Known:
    """What one character knows about one person now, with what every turn needs of it (`user_facts.known_of`).

    Row i of `vectors` is fact i's sentence, `stems[i]` its subject words, `places[fact.id]` its i.
    """

    facts: tuple[KnownFact, ...] = ()
    stems: tuple[frozenset[str], ...] = ()
    vectors: Vectors | None = None
    places: Mapping[str, int] = field(default_factory=dict)
    matcher: EntityMatcher = field(default_factory=EntityMatcher)
    character_matcher: EntityMatcher = field(default_factory=EntityMatcher)
    """Finds the entities of the character's sheet; their ids are facts' ids."""
    common: tuple[tuple[KnownFact, str, str], ...] = ()
    """Facts whose object the character's sheet names as well, each with the id of the sheet's fact and its name there.
    """

    def named_in(self, message: str) -> set[str]:
        """Return the ids of the person's entities that the message names."""
        return {entity for mention in self.matcher.find(message, misspelt=True) for entity in mention.entities}


@dataclass(frozen=True, slots=True)
class Edge:
    """A fact reached by the walk through the graph. `subject` and `object` are ids of nodes."""

    fact: str
    """"user_fact:12", or "fact:ID" for a fact of the character's sheet."""
    subject: str
    object: str
    depth: int
    """Hops between the seed and this edge: 0 for an edge of the seed itself."""
    mentions: int = 1
    last_seen: datetime | None = None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Related:
    """A drawn relation between two messages of the person, `earlier` and `later` by date."""

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
    """Tokens of user facts, common ground and memory together."""
    history: int = 1200


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One message to one character, with everything that doesn't have to be looked up."""

    message: str
    character: str
    """Its id in the graph, "character:3"."""
    sheet: Sheet
    revision: int | None
    """Number of the revision; None for a draft."""
    person: str
    now: datetime
    client: str = ""
    """System text of the client program: text from outside."""
    person_id: str = ""
    """"person:12", or empty without a person: then nothing is remembered."""
    trust: float = 0.5
    """Trust between person and character, in [0, 1]."""
    facts_version: int = 0
    """Version of the person's facts; a cache of another version is stale."""
    messages_epoch: int = 0
    """How often something that they said was forgotten; an index of another epoch isn't used."""
    learned: tuple[Fact, ...] = ()
    """Learned facts that an operator approved."""
    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    bases: tuple[Base, ...] = ()
    history: tuple[HistoryMessage, ...] = ()
    prefill: str = ""
    """The reply to go on with, where it ended."""
    memory: ProbeMemory = field(default_factory=ProbeMemory)
    shown: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Turns of this branch that showed each item ("user_fact:12", "message:7")."""
    turn: int = 1
    budgets: Budgets = field(default_factory=Budgets)
    unread_messages: int = 0
    """Earlier messages of the person whose facts aren't read yet."""
    off: frozenset[str] = frozenset()
    """Stages ("background") and items ("fact:ID", "user_fact:12", "message:7", "chunk:ID") that are switched off."""
    persona: str = ""

    @property
    def unread_documents(self) -> int:
        """Return the number of documents that aren't ingested yet."""
        return sum(base.unread for base in self.bases)

    def title_of(self, slug: str) -> str:
        """Return the title of a base in scope."""
        return next((base.title for base in self.bases if base.slug == slug), slug)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Return the sheet's facts, then the learned ones."""
        return (*self.sheet.facts, *self.learned)

    def is_off(self, name: str) -> bool:
        """Return whether this stage or item is switched off, for this turn or by the sheet."""
        return name in self.off or name in self.sheet.settings.stages_off

    def times_shown(self, item: str, turns: int = NOVEL_TURNS) -> int:
        """Return in how many of the last `turns` turns the prompt showed the item."""
        return sum(self.turn - turns <= turn < self.turn for turn in self.shown.get(item, ()))

    def carry(self, probe: ProbeMemory, items: Iterable[str]) -> Carried:
        """Return the values for the follow-up's request, where this turn shows `items`."""
        since = self.turn - NOVEL_TURNS
        shown = {item: tuple(turn for turn in turns if turn > since) for item, turns in self.shown.items()}
        for item in items:
            shown[item] = (*shown.get(item, ()), self.turn)
        return Carried(probe, {item: turns for item, turns in shown.items() if turns}, self.turn)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The facts of one sheet, ready for search, and where they were read."""

    index: FactIndex
    source: Literal["graph", "document"]
    reason: str = ""
    """Reason why the facts come from the document instead of the graph, if they do."""
    fits_weights: bool = True
    """Whether the vectors are of the embedder that `weights` was fitted for."""
    with_learned: FactIndex | None = None
    """The sheet's and the learned facts, if there are any; `index` has the sheet's alone."""

    @property
    def full(self) -> FactIndex:
        """Return the index with the learned facts, if there are any."""
        return self.with_learned or self.index


@dataclass(frozen=True, slots=True)
class Readers:
    """Everything a turn may look up. Nothing in here writes; each may raise a `StoreError`."""

    embed: Callable[[Sequence[str]], Vectors]
    examples: Callable[[], Mapping[IntentKind, Vectors]]
    """Vectors of `intent.EXAMPLES`, by kind."""
    nearest: Callable[[Sequence[Base], Vectors, int], Nearest]
    """The nearest so many chunks."""
    word_counts: Callable[[Sequence[Base], Collection[str]], Mapping[str, WordCounts]]
    """How often these stems occur in each base that was counted."""
    calibration: Callable[[Sequence[Base]], Calibration]
    """Matches of messages that are about none of these bases."""
    talk: Callable[[], Vectors]
    """Vectors of `topics.TALK`."""
    places: Callable[[Sequence[str]], Mapping[str, Place]]
    """Where these chunks stand, as far as they still exist."""
    chunks: Callable[[Sequence[str]], Mapping[str, Chunk]]
    """These chunks and those adjacent to them in their documents."""
    background: Callable[[TurnRequest], Snapshot]
    known: Callable[[TurnRequest], Known]
    person_questions: Callable[[], Mapping[str, Vectors]]
    """Vectors of the questions for each of `people.PERSON_PREDICATES`, by its name."""
    walk: Callable[[TurnRequest, Sequence[str], int, int], Sequence[Edge]]
    """Walk through the graph from these entities: (request, ids, hops, most edges); nearest first."""
    past_messages: Callable[[TurnRequest], MessageIndex | None]
    """The index of what the person said before; None while it is being made."""
    messages: Callable[[TurnRequest, Sequence[int]], Mapping[int, PastMessage]]
    """These messages, by id, as far as they may still be quoted."""
    related: Callable[[TurnRequest, Sequence[str]], Sequence[Related]]
    count_tokens: Callable[[str], int]
