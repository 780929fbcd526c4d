"""A small world for the turn's tests: a tram driver, three knowledge bases, and an embedder that compares words.

Nobody in here is a demo character: a stage that only works on those would fail.
"""

import json
import re
import zlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.domain import words
from characters.domain.facts import all_texts
from characters.domain.sheet import Concept, Fact, Persona, Predicate, Sheet
from characters.domain.topics import TALK
from characters.turn.calibration import Calibration, WordCounts
from characters.turn.fact_index import FactIndex, build_index
from characters.turn.intent import EXAMPLES
from characters.turn.messages import MessageIndex
from characters.turn.request import Base, Chunk, Known, Nearest, Place, Readers, Snapshot, TurnRequest, Vectors
from kgadmin.config import ROOT

DIMENSIONS = 4096
NOW = datetime(2031, 3, 9, 18, 30, tzinfo=UTC)

_ROWS = json.loads((ROOT / "characters/profiles/predicates.json").read_text())
REGISTRY: Mapping[str, Predicate] = {row["name"]: Predicate(**row) for row in _ROWS}

OSKAR = Sheet(
    name="Oskar Lind",
    identity="You are {{char}}, a tram driver in Vessholm who whistles.",
    facts=(
        Fact("job", "HAS_JOB", "Driving the number 7 tram through Vessholm"),
        Fact("work", "WORKS_AT", "the tram depot on Kiln Street"),
        Fact("born", "BORN_IN", "a farmhouse outside Torvik"),
        Fact("father", "HAS_FATHER", "Clockmaker who repaired the town hall's bells"),
        Fact("mother", "HAS_MOTHER", "Sings alto in two choirs"),
        Fact("paper", "PUBLISHED_PAPER", "a timetable of ghosts, in verse"),
        Fact("likes", "LIKES", "rhubarb, whatever the season"),
        Fact("shop", "HAS_SECRET", "I eat for nothing at the family restaurant beside the depot"),
        Fact("song", "HAS_HOBBY", "Whistling familiar tunes backwards"),
        Fact("fear", "HAS_FEAR", "escalators"),
    ),
    personas=(
        Persona("storyteller", "Storyteller", "Tell it as a tale, {{user}}.", bases=("lanterns",), keywords=("tale",)),
        Persona("gardener", "Gardener", "Speak of trees.", bases=("orchard",), keywords=("apple tree", "pruning")),
        Persona("driver", "Driver", "Speak as at the tram stop.", default=True),
    ),
    concepts=(Concept("career", ("PUBLISHED_PAPER", "WORKS_AT")),),
)

TEXTS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "orchard": {
        "pruning.md": (
            "Wassail opens the orchard year with cider poured on the oldest roots.",
            "Prune the Bramley apple trees in February while the sap is low and the frost has gone.",
            "Burn the cut branches, or canker spreads from them to healthy bark.",
            "Whitewash trunks against sunscald before the first hot week.",
        ),
        "pests.md": ("Codling moth larvae bore into young apples; hang pheromone traps in May.",),
    },
    "harbour": {
        "log.md": (
            "The ferry Halcyon docked at pier four with a broken rudder and ninety passengers.",
            "Harbourmaster Quill closed the eastern breakwater after the storm surge.",
        ),
    },
    "lanterns": {
        "history.md": (
            "The Ashen Court burned the Lantern Gate and its wardens fled to the Moonwell.",
            "At the Moonwell the wardens of the Lantern Gate swore an oath on cold iron.",
        ),
        "rules.md": ("A warden rolls d20 and adds courage; armour of AC 15 stops ordinary arrows.",),
    },
}


def embed(texts: Sequence[str]) -> Vectors:
    """Texts that share words are similar; words of grammar hardly count. No words: similar to nothing."""
    rows = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in words.tokens(text):
            row[zlib.crc32(words.stem(word).encode()) % DIMENSIONS] += 0.2 if word in words.STOP else 1.0
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    rows /= lengths
    return rows


TALK_VECTORS = embed(TALK)


def count(text: str) -> int:
    """Tokens: words, and each other sign by itself."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def index(sheet: Sheet, *, without: Sequence[str] = ()) -> FactIndex:
    """The sheet's facts with the vectors of their texts, except those of the facts `without`."""
    known = [fact for fact in sheet.facts if fact.id not in without]
    texts = all_texts(known, REGISTRY, sheet.name)
    vectors: dict[str, NDArray[np.float32]] = dict(zip(texts, embed(texts), strict=True))
    return build_index(sheet.facts, REGISTRY, sheet.concepts, vectors, sheet.name)


@dataclass
class World:
    """Documents that can be asked, and a record of what was asked."""

    texts: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=lambda: TEXTS)
    embedded: list[str] = field(default_factory=list)
    queries: list[tuple[str, ...]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    """Ids of chunks that were deleted after they were indexed."""

    @property
    def chunks(self) -> dict[str, Chunk]:
        """Every chunk by its id, "base/document/index"."""
        return {
            f"{base}/{name}/{i}": Chunk(f"{base}/{name}/{i}", base, name, name.split(".")[0], i, text, count(text))
            for base, documents in self.texts.items()
            for name, parts in documents.items()
            for i, text in enumerate(parts)
        }

    @property
    def bases(self) -> tuple[Base, ...]:
        """Every base, at its first version and with the threshold of an uncalibrated one."""
        return tuple(Base(slug, "curated", 0.40, 1, slug) for slug in self.texts)

    def readers(self, **changes: Any) -> Readers:
        """What a turn may look up."""
        readers = Readers(
            embed=self._embed,
            examples=lambda: {kind: embed(texts) for kind, texts in EXAMPLES.items()},
            nearest=self._nearest,
            word_counts=lambda bases, stems: {base.slug: self._counts(base.slug, stems) for base in bases},
            calibration=lambda bases: Calibration(),
            talk=lambda: TALK_VECTORS,
            places=lambda ids: {
                key: Place(chunk.document, chunk.heading, chunk.index) for key, chunk in self._read(ids).items()
            },
            chunks=lambda ids: self._read([each for key in ids for each in (key, *_beside(key))]),
            background=lambda request: Snapshot(index(request.sheet), "graph"),
            known=lambda request: Known(),
            person_questions=lambda: {},
            walk=lambda request, seeds, hops, limit: [],
            past_messages=lambda request: MessageIndex(),
            messages=lambda request, ids: {},
            related=lambda request, ids: [],
            count_tokens=count,
        )
        return replace(readers, **changes)

    def request(self, message: str, **changes: Any) -> TurnRequest:
        """Somebody says `message` to Oskar, who knows all bases."""
        return request(message, **{"bases": self.bases, **changes})

    def _embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded.extend(texts)
        return embed(texts)

    def _nearest(self, bases: Sequence[Base], vectors: Vectors, limit: int) -> Nearest:
        self.queries.append(tuple(base.slug for base in bases))
        by_base = {}
        for base in bases:
            ids = [key for key, chunk in self.chunks.items() if chunk.base == base.slug]
            similarities = embed([self.chunks[key].text for key in ids]) @ vectors.T
            order = np.argsort(-similarities, axis=0)[:limit]
            by_base[base.slug] = [
                [(ids[row], float(similarities[row, column])) for row in order[:, column]]
                for column in range(len(vectors))
            ]
        return Nearest(by_base)

    def _counts(self, slug: str, asked: Collection[str]) -> WordCounts:
        counts = Counter(stem for parts in self.texts[slug].values() for text in parts for stem in words.stems(text))
        return WordCounts({stem: counts[stem] for stem in asked if stem in counts}, counts.total())

    def _read(self, ids: Sequence[str]) -> dict[str, Chunk]:
        known = self.chunks
        return {key: known[key] for key in ids if key in known and key not in self.gone}


def _beside(key: str) -> tuple[str, str]:
    document, _, position = key.rpartition("/")
    return f"{document}/{int(position) - 1}", f"{document}/{int(position) + 1}"


def request(message: str, **changes: Any) -> TurnRequest:
    """Somebody says `message` to Oskar, who knows no base."""
    plain = TurnRequest(
        message=message,
        character="character:7",
        sheet=OSKAR,
        revision=4,
        person="Kirsten",
        now=NOW,
        predicates=REGISTRY,
    )
    return replace(plain, **changes)
