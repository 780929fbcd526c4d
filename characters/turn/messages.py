"""The messages of a person to a character, searched by embedding and by words; exact, in numpy."""

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from characters.domain import words

Floats = NDArray[np.float32]

_K1, _B = 1.2, 0.75
"""BM25's usual constants (Robertson and Zaragoza 2009)."""
_PRIOR_MESSAGES = 20
"""Weight, in messages, of a word's rarity in English against its rarity here."""


@dataclass(frozen=True, slots=True)
class PastMessage:
    """A message that the person wrote earlier, with the character's answer."""

    id: str
    conversation: str
    at: datetime
    text: str
    reply: str = ""
    """The character's answer, as far as it may be quoted; never a source of memory by itself."""
    speaker: str = ""
    """Speaker's name, where more people than the person speak."""


class MessageIndex:
    """Messages in the order in which they were saved; append-only, and safe to search while another thread adds.

    A message's words also count for its neighbours in time: an answer often lacks the question's words.
    """

    def __init__(self, messages: Sequence[PastMessage] = (), vectors: Sequence[Floats | None] = ()) -> None:
        self.messages: list[PastMessage] = []
        self._rows: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._without: set[int] = set()
        self._vectors: Floats = np.zeros((0, 0), dtype=np.float32)
        self._lengths = array("d")
        self._stems: list[Counter[str]] = []
        self._postings: dict[str, tuple[array[int], array[float]]] = {}
        self._lock = RLock()
        for place, message in enumerate(messages):
            self.add(message, vectors[place] if place < len(vectors) else None)

    def __len__(self) -> int:
        return len(self.messages)

    @property
    def without_vector(self) -> list[str]:
        """Return the ids of the messages that only words can find."""
        return [self.messages[row].id for row in sorted(self._without)]

    def message(self, id_: str) -> PastMessage | None:
        """Return the message with this id, or None."""
        return self.messages[self._rows[id_]] if id_ in self._rows else None

    def add(self, message: PastMessage, vector: Floats | None = None) -> None:
        """Append a message."""
        with self._lock:
            row = len(self.messages)
            self.messages.append(message)
            self._rows[message.id] = row
            stems = Counter(words.stems(message.text))
            self._stems.append(stems)
            self._lengths.append(0.0)
            self._count(row, stems)
            before = self._last.get(message.conversation)
            if before is not None:
                self._count(row, self._stems[before])
                self._count(before, stems)
            self._last[message.conversation] = row
            self._without.add(row)
            if vector is not None:
                self._set(row, vector)

    def set_vector(self, id_: str, vector: Floats) -> None:
        """Set the missing vector of a message."""
        with self._lock:
            self._set(self._rows[id_], vector)

    def cosines(self, vector: Floats) -> Floats:
        """Return each message's similarity, shape (messages,); 0 without a vector of this length."""
        with self._lock:
            similarities = np.zeros(len(self.messages), dtype=np.float32)
            if self._vectors.shape[1] == len(vector):
                count = min(len(self._vectors), len(similarities))
                similarities[:count] = self._vectors[:count] @ vector
            return similarities

    def bm25(self, stems: Sequence[str]) -> Floats:
        """Return BM25 of each message with its neighbours in time, shape (messages,); 0 without a shared word."""
        with self._lock:
            scores = np.zeros(len(self.messages), dtype=np.float32)
            if not len(scores):
                return scores
            lengths = np.array(self._lengths)
            norm = _K1 * (1 - _B + _B * lengths / max(1.0, float(lengths.mean())))
            for stem in dict.fromkeys(stems):
                if stem not in self._postings:
                    continue
                rows = np.array(self._postings[stem][0])
                counts = np.bincount(rows, weights=np.array(self._postings[stem][1]), minlength=len(scores))
                idf = self._idf(stem, int(np.count_nonzero(counts)))
                scores += (idf * counts * (_K1 + 1) / (counts + norm)).astype(np.float32)
            return scores

    def _idf(self, stem: str, having: int) -> float:
        """Return a word's inverse document frequency, smoothed by its rarity in English where messages are few."""
        total = len(self.messages)
        here = math.log(1 + (total - having + 0.5) / (having + 0.5))
        return (here * total + words.stem_rarity(stem) / 2 * _PRIOR_MESSAGES) / (total + _PRIOR_MESSAGES)

    def _count(self, row: int, stems: Counter[str]) -> None:
        for stem, count in stems.items():
            rows, counts = self._postings.setdefault(stem, (array("l"), array("d")))
            rows.append(row)
            counts.append(count)
        self._lengths[row] += stems.total()

    def _set(self, row: int, vector: Floats) -> None:
        if self._vectors.shape[1] != len(vector):
            self._vectors = np.zeros((max(64, row + 1), len(vector)), dtype=np.float32)
        if row >= len(self._vectors):
            grown = np.zeros((max(64, 2 * len(self._vectors), row + 1), len(vector)), dtype=np.float32)
            grown[: len(self._vectors)] = self._vectors
            self._vectors = grown
        self._vectors[row] = vector
        self._without.discard(row)
