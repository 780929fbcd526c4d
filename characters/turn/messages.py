"""The messages of a person to a character, searched by embedding and by words; exact, in numpy.

A message's points are `5.4 meaning + log(1 + wording)`, less if it tells nothing of its writer; wording is BM25 over
the message and, with less weight, its neighbours in time. What an unrelated message scores depends on how much was
said, and on what: `noise` measures it with everyday talk.

An index consists of arrays that were stored, if there are any, and of what was added since. It knows no texts: those
of the few messages that matter are read by their ids.
"""

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.domain import dates, topics, words
from characters.language import corrections
from characters.language.speech_acts import only_asks_back, subject_stems, tells
from characters.turn.postings import Arrays, Floats, Postings, nothing

MEANING, WORDING = 5.4, 1.0
"""Weights of cosine and log(1 + BM25)."""
TELLS_NOTHING = 0.5
"""Points that a message loses which only asks or remarks: evidence is in a third of those that tell something of their
writer, and in a tenth of the others, in each kind of talk.
"""
BESIDE = 0.4
"""Weight of a neighbour's words: an answer often lacks those of the question."""
_COLUMNS: Mapping[str, tuple[str, Any]] = {
    "ids": ("q", np.int64),
    "conversations": ("q", np.int64),
    "days": ("l", np.int32),
    "about": ("l", np.int32),
    "telling": ("d", np.float32),
    "corrects": ("b", np.int8),
}
"""Types of what is kept of each message: of what was added, and of what is stored."""


@dataclass(frozen=True, slots=True)
class PastMessage:
    """A message that the person wrote earlier, with the character's answer."""

    id: int
    conversation: int
    at: datetime
    text: str
    reply: str = ""
    """The character's answer, as far as it may be quoted; never a source of memory by itself."""
    speaker: str = ""
    """Speaker's name, where more people than the person speak."""


def _nothing() -> Arrays:
    empty = {name: np.zeros(0, stored) for name, (_, stored) in _COLUMNS.items()}
    noise = np.full((2, len(topics.TALK)), -np.inf, np.float32)
    return {**empty, "vectors": np.zeros((0, 0), np.float32), "noise": noise, **nothing()}


class MessageIndex:
    """Messages in the order in which they were saved; append-only, and safe to search while another thread adds.

    A message's words also count for its neighbours in time. Stored are, by message, `ids`, `conversations`, `days` and
    the day that it is `about` (ordinals, 0 for none), `vectors` (zeros for none), `telling` (points), and how it
    `corrects`; the `noise`; and the words (`Postings`).
    """

    def __init__(self, stored: Arrays | None = None, *, is_file: bool = True) -> None:
        self._stored = stored or _nothing()
        self.is_file = is_file
        """Whether what is stored is in a file."""
        self._size = len(self._stored["ids"])
        self._newer: dict[str, array[Any]] = {name: array(code) for name, (code, _) in _COLUMNS.items()}
        self._vectors: list[Floats | None] = []
        self._words = Postings(self._stored)
        self._stems: list[Counter[str]] = []
        self._noise: Floats = self._stored["noise"].copy()
        self._unheard: list[int] = []
        """Places of newer messages that the noise lacks."""
        self._last: dict[int, int] = {}
        self._speakers: dict[int, frozenset[str]] = {}
        self._lock = RLock()

    @classmethod
    def of(cls, messages: Sequence[PastMessage], vectors: Sequence[Floats | None]) -> "MessageIndex":
        """Return an index of these messages; row i of `vectors` is message i's."""
        index = cls()
        for message, vector in zip(messages, vectors, strict=True):
            index.add(message, vector)
        return index

    def __len__(self) -> int:
        return self._size + len(self._vectors)

    @property
    def stored(self) -> int:
        """Return how many messages were stored."""
        return self._size

    @property
    def without_vector(self) -> list[int]:
        """Return the ids of newer messages that only words can find."""
        with self._lock:
            return [id_ for id_, vector in zip(self._newer["ids"], self._vectors, strict=True) if vector is None]

    @property
    def ids(self) -> NDArray[np.int64]:
        """Return each message's id."""
        return self._column("ids")

    @property
    def days(self) -> NDArray[np.int32]:
        """Return each message's day, as `date.toordinal` has it."""
        return self._column("days")

    @property
    def about(self) -> NDArray[np.int32]:
        """Return the first day that each message names, as `date.toordinal` has it; 0 for none."""
        return self._column("about")

    def _column(self, name: str) -> NDArray[Any]:
        with self._lock:
            return np.concatenate([self._stored[name], np.array(self._newer[name], dtype=_COLUMNS[name][1])])

    @property
    def speakers(self) -> set[str]:
        """Return the words of the names of those who speak, where more than the person do."""
        with self._lock:
            return {word for speaker in self._speakers.values() for word in speaker}

    def spoken_by(self, names: frozenset[str]) -> Floats:
        """Return 1 for messages of a speaker whose name is among these words."""
        with self._lock:
            spoken = np.zeros(len(self), dtype=np.float32)
            for row, speaker in self._speakers.items():
                spoken[row] = not names.isdisjoint(speaker)
            return spoken

    def stored_before(self, conversation: int) -> int | None:
        """Return the id of the newest stored message of a conversation that nothing was added to."""
        if conversation in self._last:
            return None
        rows = np.flatnonzero(self._stored["conversations"] == conversation)
        return int(self._stored["ids"][rows[-1]]) if len(rows) else None

    def add(self, message: PastMessage, vector: Floats | None = None, before: str = "") -> None:
        """Append a message. `before` is the text of the message that `stored_before` names."""
        named = dates.named_days(message.text, message.at)
        values = {
            "ids": message.id,
            "conversations": message.conversation,
            "days": message.at.date().toordinal(),
            "about": named[0].first.toordinal() if named else 0,
            "telling": _telling(message.text),
            "corrects": corrections.strength(message.text),
        }
        stems = Counter(words.stems(message.text))
        with self._lock:
            row = len(self)
            for name, value in values.items():
                self._newer[name].append(value)
            self._vectors.append(vector)
            self._stems.append(stems)
            self._words.append(stems)
            self._unheard.append(row - self._size)
            if message.speaker:
                self._speakers[row] = frozenset(words.tokens(message.speaker))
            last = self._last.get(message.conversation)
            if last is not None:
                self._meet(last, self._stems[last - self._size], row, stems)
            elif before:
                rows = np.flatnonzero(self._stored["conversations"] == message.conversation)
                self._meet(int(rows[-1]), Counter(words.stems(before)), row, stems)
            self._last[message.conversation] = row

    def _meet(self, before: int, before_stems: Counter[str], row: int, stems: Counter[str]) -> None:
        self._words.count(row, before_stems, BESIDE)
        self._words.count(before, stems, BESIDE)

    def set_vector(self, id_: int, vector: Floats) -> None:
        """Set the missing vector of a newer message."""
        with self._lock:
            place = self._newer["ids"].index(id_)
            self._vectors[place] = vector
            self._unheard.append(place)

    def cosines(self, vector: Floats) -> Floats:
        """Return each message's similarity, shape (messages,); 0 without a vector of this length."""
        with self._lock:
            similarities = np.zeros(len(self), dtype=np.float32)
            if self._stored["vectors"].shape[1] == len(vector):
                similarities[: self._size] = self._stored["vectors"] @ vector
            newer = {row: each for row, each in enumerate(self._vectors) if each is not None}
            comparable = {row: each for row, each in newer.items() if len(each) == len(vector)}
            if comparable:
                similarities[self._size + np.array(list(comparable))] = np.stack(list(comparable.values())) @ vector
            return similarities

    def bm25(self, stems: Sequence[str]) -> Floats:
        """Return BM25 of each message with its neighbours in time, shape (messages,); 0 without a shared word."""
        with self._lock:
            return self._words.bm25(stems)

    def known(self, stems: Sequence[str]) -> set[str]:
        """Return those of these stems that some message has."""
        with self._lock:
            return {stem for stem in stems if self._words.bm25([stem]).any()}

    def points(self, meaning: Floats, wording: Floats) -> Floats:
        """Return each message's points, shape (messages,); of one without a subject, or that only asks back, -inf."""
        count = min(len(meaning), len(wording))  # another thread may add a message between the two
        weighed = MEANING * np.clip(meaning[:count], 0, 1) + WORDING * np.log1p(wording[:count])
        points: Floats = (weighed + self._column("telling")[:count]).astype(np.float32)
        return points

    def noise(self, talk: Floats) -> Floats:
        """Return the most points that a message here gets for each message of everyday talk, by words alone and with
        meaning: shape (2, talk). `talk` has the vectors of `topics.TALK`, or none.
        """
        with self._lock:
            usual = self._words.usual_length if self._unheard else 0.0
            for place in dict.fromkeys(self._unheard):
                np.maximum(self._noise, self._points_for_talk(place, talk, usual), out=self._noise)
            if len(talk):
                self._unheard = []
            return self._noise.copy()

    def _points_for_talk(self, place: int, talk: Floats, usual: float) -> Floats:
        """Return the points of a newer message for each message of everyday talk, shape (2, talk)."""
        wording, vector = np.zeros(len(topics.TALK), np.float32), self._vectors[place]
        stems = Counter({stem: count for stem, count in self._stems[place].items() if stem in _talk_with()})
        for stem, gain in self._words.gains(self._size + place, stems, usual).items():
            wording[_talk_with()[stem]] += gain
        by_words = WORDING * np.log1p(wording) + self._newer["telling"][place]
        is_comparable = vector is not None and talk.shape[1:] == vector.shape
        meaning = np.clip(talk @ vector, 0, 1) if vector is not None and is_comparable else 0.0
        return np.stack([by_words, by_words + MEANING * meaning]).astype(np.float32)

    def corrections(self, stems: Mapping[int, Sequence[str]], most: int) -> dict[int, dict[int, bool]]:
        """Return for each of these messages, given with its stems, the ids of later ones that may correct it: the next
        of its conversation, and those that share a word with it; of these at most as many, first what ends something,
        then what has more of its words. Each says whether it is the next.
        """
        with self._lock:
            all_ids, conversations, corrects = (self._column(name) for name in ("ids", "conversations", "corrects"))
            later: dict[int, dict[int, bool]] = {}
            for id_, words_of_it in stems.items() if corrects.any() else ():
                row = int(np.flatnonzero(all_ids == id_)[0])
                next_ones = np.flatnonzero(conversations[row + 1 :] == conversations[row])[:1] + row + 1
                wording = self._words.bm25(words_of_it)
                sharing = np.flatnonzero((corrects > 0) & (wording > 0))
                sharing = sharing[(sharing > row) & ~np.isin(sharing, next_ones)]
                order = np.lexsort((-wording[sharing], -corrects[sharing]))[:most]
                follows = next_ones[corrects[next_ones] > 0]
                later[id_] = {int(all_ids[place]): True for place in follows}
                later[id_] |= {int(all_ids[place]): False for place in sharing[order]}
            return later

    def _vectors_of(self, rows: NDArray[np.int64]) -> Floats:
        """Return these messages' vectors, of zeros where there is none."""
        size = max([self._stored["vectors"].shape[1], *(len(each) for each in self._vectors if each is not None)])
        vectors = np.zeros((len(rows), size), np.float32)
        for place, row in enumerate(rows):
            vector = self._stored["vectors"][row] if row < self._size else self._vectors[row - self._size]
            if vector is not None and len(vector) == size:
                vectors[place] = vector
        return vectors

    def arrays(self, talk: Floats) -> Arrays:
        """Return everything as arrays to store; `talk` has the vectors of `topics.TALK`."""
        with self._lock:
            columns = {name: self._column(name) for name in _COLUMNS}
            vectors = self._vectors_of(np.arange(len(self)))
            return {**columns, "vectors": vectors, "noise": self.noise(talk), **self._words.arrays()}


def _telling(text: str) -> float:
    if not subject_stems(text) or only_asks_back(text):
        return -math.inf
    return 0.0 if tells(text) else -TELLS_NOTHING


@cache
def _talk_with() -> Mapping[str, NDArray[np.int64]]:
    """Return by stem the places of the messages of `topics.TALK` that have it."""
    places: dict[str, list[int]] = {}
    for place, text in enumerate(topics.TALK):
        for stem in set(subject_stems(text)):
            places.setdefault(stem, []).append(place)
    return {stem: np.array(having) for stem, having in places.items()}
