"""Rows of the background stage beyond the shared embedding, with a snapshot that was read before; and of its making."""

import random
import time
from argparse import Namespace
from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np

from characters.domain.facts import all_texts
from characters.domain.sheet import Fact, Sheet
from characters.turn.background import background
from characters.turn.fact_index import FactIndex, build_index
from characters.turn.intent import Intent
from characters.turn.request import Snapshot, TurnRequest
from tests.bench.figures import Row, p95
from tests.bench.matcher import common_words
from tests.characters.turn.world import REGISTRY

MESSAGES = 200
DIMENSIONS = 384
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def rows(args: Namespace) -> Iterator[Row]:
    """Choosing facts, of 60 and of 5,000."""
    for count, goal in ((60, "under 5"), (5_000, "under 15")):
        sheet = _sheet(count)
        index, making = _index(sheet)
        yield Row(f"background, {count:,} facts: p95", [_p95(sheet, index) for _ in range(args.repeats)], goal=goal)
        yield Row(f"making its index, {count:,} facts", [making])


def _sheet(count: int) -> Sheet:
    chance, words, names = random.Random(count), common_words(), list(REGISTRY)
    return Sheet(
        "Ann",
        "You are Ann.",
        tuple(Fact(f"f{i}", chance.choice(names), " ".join(chance.choices(words, k=8))) for i in range(count)),
    )


def _index(sheet: Sheet) -> tuple[FactIndex, float]:
    texts = all_texts(sheet.facts, REGISTRY, sheet.name)
    vectors = np.random.default_rng(1).standard_normal((len(texts), DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    known = dict(zip(texts, vectors, strict=True))
    began = time.perf_counter()
    index = build_index(sheet.facts, REGISTRY, (), known, sheet.name)
    return index, (time.perf_counter() - began) * 1000


def _p95(sheet: Sheet, index: FactIndex) -> float:
    chance, times = random.Random(2), []
    for number in range(MESSAGES):
        said = " ".join(chance.choice(sheet.facts).object.split()[:3])
        request = TurnRequest(f"What did you say about {said}?", "character:1", sheet, 1, "", NOW, predicates=REGISTRY)
        vector = index.sentence_vectors[number % len(sheet.facts)]
        began = time.perf_counter()
        background(request, lambda _: Snapshot(index, "graph"), vector, Intent())
        times.append((time.perf_counter() - began) * 1000)
    return p95(times)
