"""Rows of the background stage beyond the shared embedding, with a snapshot that was read before; and of its making."""

import random
from argparse import Namespace
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial

import numpy as np

from characters.domain.facts import all_texts
from characters.domain.sheet import Fact, Sheet
from characters.turn.background import background
from characters.turn.fact_index import FactIndex, build_index
from characters.turn.intent import Intent
from characters.turn.request import Snapshot, TurnRequest
from tests.bench.figures import Row, p95, took
from tests.bench.matcher import common_words
from tests.characters.turn.world import REGISTRY

MESSAGES = 200
DIMENSIONS = 384
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def rows(args: Namespace) -> Iterator[Row]:
    """Choosing facts, of 60 and of 5,000."""
    for count, goal in ((60, "under 5"), (5_000, "under 15")):
        sheet = _sheet(count)
        texts = all_texts(sheet.facts, REGISTRY, sheet.name)
        vectors = np.random.default_rng(1).standard_normal((len(texts), DIMENSIONS)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        make = partial(build_index, sheet.facts, REGISTRY, (), dict(zip(texts, vectors, strict=True)), sheet.name)
        making, index = took(make), make()
        yield Row(f"background, {count:,} facts: p95", [_p95(sheet, index) for _ in range(args.repeats)], goal=goal)
        yield Row(f"making its index, {count:,} facts", [making])


def _sheet(count: int) -> Sheet:
    chance, words, names = random.Random(count), common_words(), list(REGISTRY)
    return Sheet(
        "Ann",
        "You are Ann.",
        tuple(Fact(f"f{i}", chance.choice(names), " ".join(chance.choices(words, k=8))) for i in range(count)),
    )


def _p95(sheet: Sheet, index: FactIndex) -> float:
    chance, taken = random.Random(2), []
    for number in range(MESSAGES):
        said = " ".join(chance.choice(sheet.facts).object.split()[:3])
        request = TurnRequest(f"What did you say about {said}?", "character:1", sheet, 1, "", NOW, predicates=REGISTRY)
        vector = index.sentence_vectors[number % len(sheet.facts)]
        taken.append(took(partial(background, request, lambda _: Snapshot(index, "graph"), vector, Intent())))
    return p95(taken)
