"""`python -m tests.quality stores`: what is recalled out of small and large stores, beside the simplest methods.

    EVALS=FOLDER python -m tests.quality stores

Stores are cut from the conversations of the sets of kind C: so many messages in a row, with the questions whose
evidence lies wholly in them. A simple method gets the threshold that lets .05 of the unrelated messages through at
that size, of those very messages: the product's own threshold knows none of them. Afterwards the questions of
`tests/data/memory_questions.jsonl`, with everything that one person of c_locomo said as the store.
"""

import json
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from django.conf import settings

from characters.domain import words
from characters.domain.sheet import Sheet
from characters.turn.memory import question
from characters.turn.postings import Floats
from kgadmin.stores import wiring
from tests.quality import files, memory
from tests.quality.vectors import StoredVectors
from tests.quality.world import asked, empty_readers

SETS = ("c_locomo", "c_beam_user", "c_beam")
SIZES = (6, 12, 25, 50, 0)
"""Messages of a store; 0 for all."""
QUESTIONS = Path("tests/data/memory_questions.jsonl")
ALLOWED = 0.05
MOST_UNRELATED = 2_000
"""Unrelated messages that are said to the stores of one size, together."""
_UNRELATED = ("b_everyday", "b_xquad", "b_mixed")
_UNRELATED_KINDS = {"life-locomo", "life-personachat", "about-character", "chit-chat", "out-of-scope"}


@dataclass(frozen=True, slots=True)
class Store:
    """A stretch of a conversation, and the questions that it answers: each with the ids of the evidence."""

    past: memory.Past
    words: Sequence[Counter[str]]
    """Stems of each message."""
    vectors: Floats
    questions: Sequence[tuple[str, frozenset[str]]]

    def recall(self, scores: Floats, least: float, gold: frozenset[str]) -> float:
        """Return the share of the evidence among the five best that have at least so much."""
        best = [row for row in np.argsort(-scores, kind="stable")[:5] if scores[row] >= least]
        return len(gold & {self.past.names[row] for row in best}) / len(gold)


Score = Callable[[Store, str, Floats], Floats]


def cosine(store: Store, text: str, vector: Floats) -> Floats:
    """Plain similarity of embeddings."""
    return store.vectors @ vector


def bm25(store: Store, text: str, vector: Floats) -> Floats:
    """Okapi BM25 (Robertson and Zaragoza 2009): k1 = 1.2, b = 0.75."""
    lengths = np.array([each.total() for each in store.words])
    scores = np.zeros(len(lengths), dtype=np.float32)
    for stem in set(words.stems(text)):
        counts = np.array([each[stem] for each in store.words])
        having = np.count_nonzero(counts)
        idf = np.log(1 + (len(counts) - having + 0.5) / (having + 0.5))
        scores += (idf * counts * 2.2 / (counts + 1.2 * (0.25 + 0.75 * lengths / max(1.0, lengths.mean())))).astype(
            "f4"
        )
    return scores


def both(store: Store, text: str, vector: Floats) -> Floats:
    """Sum of both, each by its mean and deviation here."""
    return sum((_standard(score(store, text, vector)) for score in (cosine, bm25)), np.zeros(1, np.float32))


def _standard(scores: Floats) -> Floats:
    deviation = scores.std()
    return (scores - scores.mean()) / deviation if deviation > 0 else np.zeros_like(scores)


SIMPLE: tuple[Score, ...] = (cosine, bm25, both)


class Bench:
    """The material of a folder, its vectors and the product's own stage."""

    def __init__(self, evals: Path, vectors: StoredVectors) -> None:
        self.evals, self.vectors = evals, vectors
        self.readers = empty_readers(vectors.embed)

    def stores(self, name: str, size: int) -> Iterator[Store]:
        """Cut the conversations of a set into stores of so many messages."""
        rows = [json.loads(line) for line in files.lines(self.evals / name / "dev.jsonl") if line]
        for key, conversation in files.conversations(files.locate(self.evals / name, None)).items():
            mine = [row for row in rows if row["conv"] == key and row["kind"] not in {"opener", "adversarial"}]
            turns = conversation.turns
            for start in range(0, len(turns) - size + 1, size) if size else [0]:
                part = turns[start : start + size] if size else turns
                ids = {turn.id for turn in part}
                questions = [(row["q"], frozenset(row["gold"])) for row in mine if ids.issuperset(row["gold"])]
                if questions:
                    yield self.store(conversation.model_copy(update={"turns": part}), questions)

    def store(self, part: files.ConversationRow, questions: Sequence[tuple[str, frozenset[str]]]) -> Store:
        """Return the store of a part of a conversation."""
        texts = [turn.text for turn in part.turns]
        counted = [Counter(words.stems(text)) for text in texts]
        return Store(memory.past_of(part, self.vectors), counted, self.vectors.embed(texts), questions)

    def unrelated(self, name: str) -> list[str]:
        """Return talk and questions that the conversations of a set have nothing to do with."""
        kinds = _UNRELATED_KINDS - ({"life-locomo"} if name == "c_locomo" else set())
        lines = (line for folder in _UNRELATED for line in files.lines(self.evals / folder / "dev.jsonl"))
        rows = map(json.loads, filter(None, lines))
        return list(dict.fromkeys(row["q"] for row in rows if row["kind"] in kinds))

    def recalled(self, store: Store, text: str) -> list[str]:
        """Return the ids that the product recalls."""
        return memory.recalled(text, store.past, self.readers)

    def cleaned(self, store: Store, text: str) -> tuple[str, Floats]:
        """Return the message as the product compares it, and its vector: the simple methods get that, too."""
        person, character = store.past.speakers
        plain = question(asked(text, person=person, sheet=Sheet(character, "")))
        return plain, self.vectors.embed([plain])[0]

    def line(self, name: str, size: int) -> str:
        """Return one row of the table."""
        stores, unrelated = list(self.stores(name, size)), self.unrelated(name)
        chance = random.Random(f"{name} {size}")
        count = min(len(unrelated), MOST_UNRELATED // len(stores))
        pairs = [(store, text) for store in stores for text in chance.sample(unrelated, count)]
        self.vectors.prepare([self.cleaned(*pair)[0] for pair in pairs])
        surfaced = np.mean([bool(self.recalled(*pair)) for pair in pairs])
        questions = [(store, text, gold) for store in stores for text, gold in store.questions]
        right = np.mean(
            [len(gold.intersection(self.recalled(store, text))) / len(gold) for store, text, gold in questions]
        )
        cells = [f"**{right:.3f}** ({surfaced:.3f})"]
        for score in SIMPLE:
            tops = [float(score(store, *self.cleaned(store, text)).max()) for store, text in pairs]
            least = float(np.quantile(tops, 1 - ALLOWED))
            made = [(store, score(store, *self.cleaned(store, text)), gold) for store, text, gold in questions]
            bound, free = (np.mean([s.recall(scores, at, gold) for s, scores, gold in made]) for at in (least, -np.inf))
            cells.append(f"{bound:.3f} ({free:.3f})")
        return f"| {name} | {size or 'all'} | {len(questions)} | {' | '.join(cells)} |"

    def answers(self) -> Iterator[str]:
        """Yield how many of our own questions recall something, and something right."""
        conversations = files.conversations(files.locate(self.evals / "c_locomo", None))
        recalled, right = defaultdict[str, list[bool]](list), defaultdict[str, list[bool]](list)
        stores: dict[str, Store] = {}
        for row in map(json.loads, filter(None, files.lines(QUESTIONS))):
            if row["conv"] not in stores:
                talk = conversations[row["conv"]]
                mine = [turn for turn in talk.turns if turn.speaker == row["person"]]
                stores[row["conv"]] = self.store(talk.model_copy(update={"turns": mine}), ())
            ids = self.recalled(stores[row["conv"]], row["q"])
            recalled[row["kind"]].append(bool(ids))
            if row["gold"]:
                right[row["form"]].append(not set(ids).isdisjoint(row["gold"]))
        for kind, values in recalled.items():
            yield f"| {kind}: recalls something | {np.mean(values):.2f} | {len(values)} |"
        for form, values in right.items():
            yield f"| needed, {form}: evidence among the five | {np.mean(values):.2f} | {len(values)} |"


def main(arguments: list[str]) -> int:
    """Print the tables."""
    evals = Path(os.environ.get("EVALS", ""))
    if not (evals / SETS[0]).is_dir():
        sys.stderr.write("Set EVALS to the folder with the sets.\n")
        return 2
    vectors = StoredVectors(wiring.embedder(), Path(settings.DATA_DIR) / "evaluation")
    bench = Bench(evals, vectors)
    print("| set | messages | questions | product (unrelated) | cosine (without threshold) | BM25 | sum of z-scores |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in SETS:
        for size in SIZES:
            print(bench.line(name, size), flush=True)
    print("\n| our own questions | share | of |\n| --- | --- | --- |")
    for line in bench.answers():
        print(line)
    vectors.save()
    return 0
