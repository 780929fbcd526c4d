"""The messages of a person to a character, searched by embedding and by words; exact, in numpy.

A message's points are `5.4 meaning + log(1 + wording)`, less if it tells nothing of its writer; wording is BM25 over
the message and, with less weight, its neighbours in time. What an unrelated message scores depends on how much was
said, and on what: `noise` measures it with everyday talk.

An index consists of arrays that were stored, if there are any, and of what was added since. It knows no texts: those
of the few messages that matter are read by their ids.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from characters.domain import dates, topics, words
from characters.domain.stem_keys import keys_of, places_of
from characters.language.corrections import corrects
from characters.language.speech_acts import only_asks_back, subject_stems, tells

Floats = NDArray[np.float32]
Arrays = Mapping[str, NDArray[Any]]

_K1, _B = 1.2, 0.75
"""BM25's usual constants (Robertson and Zaragoza 2009)."""
_PRIOR_MESSAGES = 20
"""Weight, in messages, of a word's rarity in English against its rarity here."""
MEANING, WORDING = 5.4, 1.0
"""Weights of cosine and log(1 + BM25)."""
TELLS_NOTHING = 0.5
"""Points that a message loses which only asks or remarks: evidence is in a third of those that tell something of their
writer, and in a tenth of the others, in each kind of talk.
"""
BESIDE = 0.4
"""Weight of a neighbour's words: an answer often lacks those of the question."""


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
    return {
        "ids": np.zeros(0, np.int64),
        "conversations": np.zeros(0, np.int64),
        "days": np.zeros(0, np.int32),
        "about": np.zeros(0, np.int32),
        "vectors": np.zeros((0, 0), np.float32),
        "lengths": np.zeros(0, np.float32),
        "telling": np.zeros(0, np.float32),
        "corrects": np.zeros(0, np.bool_),
        "noise": np.full((2, len(topics.TALK)), -np.inf, np.float32),
        "stems": np.zeros(0, np.uint64),
        "starts": np.zeros(1, np.int64),
        "rows": np.zeros(0, np.int32),
        "counts": np.zeros(0, np.float32),
    }


class MessageIndex:
    """Messages in the order in which they were saved; append-only, and safe to search while another thread adds.

    A message's words also count for its neighbours in time: an answer often lacks the question's words. Stored are
    `ids`, `conversations`, `days` and the day that it is `about` (ordinals, 0 for none), `vectors` (zeros for none),
    `lengths`, `telling` (points) and `corrects` by message; by stem, `starts[i] : starts[i + 1]`, the `rows` with it
    and their `counts`; and the `noise`.
    """

    def __init__(self, stored: Arrays | None = None, *, is_file: bool = True) -> None:
        self._stored = stored or _nothing()
        self.is_file = is_file
        """Whether what is stored is in a file."""
        self._size = len(self._stored["ids"])
        self._ids, self._conversations = array("q"), array("q")
        self._days, self._about = array("l"), array("l")
        self._vectors: list[Floats | None] = []
        self._lengths, self._telling, self._corrects = array("d"), array("d"), array("b")
        self._stems: list[Counter[str]] = []
        self._noise: Floats = self._stored["noise"].copy()
        self._unheard: list[int] = []
        """Newer rows that the noise lacks."""
        self._longer: defaultdict[int, float] = defaultdict(float)
        """Words that stored messages gained from newer neighbours, by row."""
        self._postings: dict[str, tuple[array[int], array[float]]] = {}
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
        return self._size + len(self._ids)

    @property
    def stored(self) -> int:
        """Return how many messages were stored."""
        return self._size

    @property
    def without_vector(self) -> list[int]:
        """Return the ids of newer messages that only words can find."""
        with self._lock:
            return [id_ for id_, vector in zip(self._ids, self._vectors, strict=True) if vector is None]

    @property
    def ids(self) -> NDArray[np.int64]:
        """Return each message's id."""
        with self._lock:
            return np.concatenate([self._stored["ids"], np.array(self._ids, dtype=np.int64)])

    @property
    def days(self) -> NDArray[np.int32]:
        """Return each message's day, as `date.toordinal` has it."""
        with self._lock:
            return np.concatenate([self._stored["days"], np.array(self._days, dtype=np.int32)])

    @property
    def about(self) -> NDArray[np.int32]:
        """Return the first day that each message names, as `date.toordinal` has it; 0 for none."""
        with self._lock:
            return np.concatenate([self._stored["about"], np.array(self._about, dtype=np.int32)])

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
        with self._lock:
            row, stems = len(self), Counter(words.stems(message.text))
            self._ids.append(message.id)
            self._conversations.append(message.conversation)
            self._days.append(message.at.date().toordinal())
            named = dates.named_days(message.text, message.at)
            self._about.append(named[0].first.toordinal() if named else 0)
            self._vectors.append(vector)
            self._stems.append(stems)
            self._lengths.append(0.0)
            self._telling.append(_telling(message.text))
            self._corrects.append(corrects(message.text))
            self._unheard.append(row)
            if message.speaker:
                self._speakers[row] = frozenset(words.tokens(message.speaker))
            self._count(row, stems, 1.0)
            last = self._last.get(message.conversation)
            if last is not None:
                self._meet(last, self._stems[last - self._size], row, stems)
            elif before:
                rows = np.flatnonzero(self._stored["conversations"] == message.conversation)
                self._meet(int(rows[-1]), Counter(words.stems(before)), row, stems)
            self._last[message.conversation] = row

    def set_vector(self, id_: int, vector: Floats) -> None:
        """Set the missing vector of a newer message."""
        with self._lock:
            place = self._ids.index(id_)
            self._vectors[place] = vector
            self._unheard.append(self._size + place)

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
            scores = np.zeros(len(self), dtype=np.float32)
            if not len(scores):
                return scores
            lengths = self._all_lengths()
            norm = _K1 * (1 - _B + _B * lengths / max(1.0, float(lengths.mean())))
            stems = list(dict.fromkeys(stems))
            for stem, place in zip(stems, places_of(stems, self._stored["stems"]), strict=True):
                rows, counts = self._with_stem(stem, place)
                if len(rows):
                    idf = self._idf(stem, len(rows))
                    scores[rows] += (idf * counts * (_K1 + 1) / (counts + norm[rows])).astype(np.float32)
            return scores

    def corrections(self, id_: int, most: int) -> dict[int, bool]:
        """Return the ids of the later messages that take something back and are nearest to this one, and whether it is
        the next of its conversation, which always counts.
        """
        with self._lock:
            ids, conversations, takes_back = self.ids, self._all_conversations(), self._all_corrects()
            row = int(np.flatnonzero(ids == id_)[0])
            later = np.flatnonzero(takes_back[row + 1 :]) + row + 1
            if not len(later):
                return {}
            goes_on = np.flatnonzero(conversations[row + 1 :] == conversations[row])
            following = int(goes_on[0]) + row + 1 if len(goes_on) else -1
            near = self.cosines(self._vector(row))[later] + 2.0 * (later == following)
            nearest = later[np.argsort(-near, kind="stable")[:most]]
            return {int(ids[each]): bool(each == following) for each in nearest}

    def _vector(self, row: int) -> Floats:
        vector = self._stored["vectors"][row] if row < self._size else self._vectors[row - self._size]
        return np.zeros(0, np.float32) if vector is None else vector

    def points(self, meaning: Floats, wording: Floats) -> Floats:
        """Return each message's points, shape (messages,); of one without a subject, or that only asks back, -inf."""
        with self._lock:
            telling = self._all_telling()
        count = min(len(meaning), len(wording))  # another thread may add a message between the two
        weighed = MEANING * np.clip(meaning[:count], 0, 1) + WORDING * np.log1p(wording[:count])
        points: Floats = (weighed + telling[:count]).astype(np.float32)
        return points

    def noise(self, talk: Floats) -> Floats:
        """Return the most points that a message here gets for each message of everyday talk, by words alone and with
        meaning: shape (2, talk). `talk` has the vectors of `topics.TALK`, or none.
        """
        with self._lock:
            if self._unheard:
                usual = max(1.0, float(self._all_lengths().mean()))
                for row in dict.fromkeys(self._unheard):
                    np.maximum(self._noise, self._points_for_talk(row - self._size, talk, usual), out=self._noise)
                self._unheard = []
            return self._noise.copy()

    def _points_for_talk(self, place: int, talk: Floats, usual: float) -> Floats:
        """Return the points of a newer message for each message of everyday talk, shape (2, talk)."""
        wording, vector = np.zeros(len(topics.TALK), np.float32), self._vectors[place]
        shared = [stem for stem in self._stems[place] if stem in talk_with()]
        norm = _K1 * (1 - _B + _B * self._lengths[place] / usual)
        for stem, before in zip(shared, places_of(shared, self._stored["stems"]), strict=True):
            count = self._stems[place][stem]
            idf = self._idf(stem, self._having(stem, before))
            wording[talk_with()[stem]] += idf * count * (_K1 + 1) / (count + norm)
        by_words = WORDING * np.log1p(wording) + self._telling[place]
        comparable = vector is not None and talk.shape[1:] == vector.shape
        meaning = np.clip(talk @ vector, 0, 1) if vector is not None and comparable else 0.0
        return np.stack([by_words, by_words + MEANING * meaning]).astype(np.float32)

    def arrays(self, talk: Floats) -> Arrays:
        """Return everything as arrays to store; `talk` has the vectors of `topics.TALK`."""
        with self._lock:
            noise = self.noise(talk)
            known = self._stored["stems"]
            places = dict(zip(self._postings, places_of(list(self._postings), known), strict=True))
            merged = {
                key: self._with_stem(stem, places[stem])
                for stem, key in zip(self._postings, keys_of(list(self._postings)), strict=True)
            }
            starts = self._stored["starts"]
            postings = {
                key: (self._stored["rows"][start:end], self._stored["counts"][start:end])
                for key, start, end in zip(known, starts, starts[1:], strict=False)
            } | merged
            stems = sorted(postings)
            rows, counts = [postings[key][0] for key in stems], [postings[key][1] for key in stems]
            return {
                "ids": self.ids,
                "conversations": self._all_conversations(),
                "days": self.days,
                "about": self.about,
                "vectors": self._all_vectors(),
                "lengths": self._all_lengths(),
                "telling": self._all_telling(),
                "corrects": self._all_corrects(),
                "noise": noise,
                "stems": np.array(stems, dtype=np.uint64),
                "starts": np.cumsum([0, *map(len, rows)], dtype=np.int64),
                "rows": np.concatenate([np.zeros(0, np.int32), *rows]).astype(np.int32),
                "counts": np.concatenate([np.zeros(0, np.float32), *counts]).astype(np.float32),
            }

    def _all_lengths(self) -> Floats:
        lengths = np.concatenate([self._stored["lengths"], np.array(self._lengths, dtype=np.float32)])
        for row, more in self._longer.items():
            lengths[row] += more
        return lengths.astype(np.float32, copy=False)

    def _all_corrects(self) -> NDArray[np.bool_]:
        return np.concatenate([self._stored["corrects"], np.array(self._corrects, dtype=np.bool_)])

    def _all_conversations(self) -> NDArray[np.int64]:
        return np.concatenate([self._stored["conversations"], np.array(self._conversations, dtype=np.int64)])

    def _all_telling(self) -> Floats:
        return np.concatenate([self._stored["telling"], np.array(self._telling, dtype=np.float32)])

    def _all_vectors(self) -> Floats:
        sizes = [self._stored["vectors"].shape[1], *(len(vector) for vector in self._vectors if vector is not None)]
        size = max(sizes)
        rows = [np.zeros(size, np.float32) if vector is None else vector for vector in self._vectors]
        stored = self._stored["vectors"] if sizes[0] else np.zeros((self._size, size), np.float32)
        return np.concatenate([stored, np.stack(rows)]) if rows else stored

    def _with_stem(self, stem: str, place: int | None) -> tuple[NDArray[np.int64], Floats]:
        """Return the rows with this stem, each once and ascending, and how often it counts for them."""
        start, end = (0, 0) if place is None else (int(each) for each in self._stored["starts"][place : place + 2])
        rows, counts = self._stored["rows"][start:end], self._stored["counts"][start:end]
        if stem not in self._postings:
            return rows, counts
        newer_rows, newer_counts = self._postings[stem]
        all_rows, which = np.unique(np.concatenate([rows, np.array(newer_rows)]), return_inverse=True)
        weights = np.concatenate([counts, np.array(newer_counts)])
        return all_rows.astype(np.int64), np.bincount(which, weights=weights).astype(np.float32)

    def _having(self, stem: str, place: int | None) -> int:
        """Return how many messages have this stem, or a neighbour with it; about, where some are newer."""
        start, end = (0, 0) if place is None else (int(each) for each in self._stored["starts"][place : place + 2])
        newer = len(self._postings[stem][0]) if stem in self._postings else 0
        return min(len(self), end - start + newer)

    def _idf(self, stem: str, having: int) -> float:
        """Return a word's inverse document frequency, smoothed by its rarity in English where messages are few."""
        total = len(self)
        here = math.log(1 + (total - having + 0.5) / (having + 0.5))
        return (here * total + words.stem_rarity(stem) / 2 * _PRIOR_MESSAGES) / (total + _PRIOR_MESSAGES)

    def _meet(self, before: int, before_stems: Counter[str], row: int, stems: Counter[str]) -> None:
        self._count(row, before_stems, BESIDE)
        self._count(before, stems, BESIDE)

    def _count(self, row: int, stems: Counter[str], weight: float) -> None:
        for stem, count in stems.items():
            rows, counts = self._postings.setdefault(stem, (array("l"), array("d")))
            rows.append(row)
            counts.append(weight * count)
        if row < self._size:
            self._longer[row] += weight * stems.total()
        else:
            self._lengths[row - self._size] += weight * stems.total()


def _telling(text: str) -> float:
    if not subject_stems(text) or only_asks_back(text):
        return -math.inf
    return 0.0 if tells(text) else -TELLS_NOTHING


@cache
def talk_with() -> Mapping[str, NDArray[np.int64]]:
    """Return by stem the places of the messages of `topics.TALK` that have it."""
    places: dict[str, list[int]] = {}
    for place, text in enumerate(topics.TALK):
        for stem in set(subject_stems(text)):
            places.setdefault(stem, []).append(place)
    return {stem: np.array(having) for stem, having in places.items()}
