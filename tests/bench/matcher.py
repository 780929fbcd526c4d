"""Rows that need no store: the entity matcher."""

import random
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence

from characters.domain.entities import Entity, EntityMatcher
from kgadmin.config import ROOT
from tests.bench.figures import Row, p95

MESSAGES = 400


def rows(args: Namespace) -> Iterator[Row]:
    """Finding names in a message, and making what finds them."""
    for count, goal in ((50, "under 2"), (10_000, "under 20")):
        yield Row(f"a message, {count:,} entities: p95", _matching(count, args.repeats), goal=goal)
        yield Row(f"making it, {count:,} entities", _building(count, args.repeats))


def common_words() -> list[str]:
    lines = (ROOT / "characters/domain/words/common.txt").read_text().splitlines()
    return [line for line in lines if line.isalpha()]


def _entities(count: int) -> tuple[Entity, ...]:
    chance, words = random.Random(count), common_words()
    return tuple(
        Entity(
            f"entity:{place}",
            f"{chance.choice(words)} {chance.choice(words)}",
            "topic",
            (f"my {chance.choice(words)}",),
        )
        for place in range(count)
    )


def _matching(count: int, repeats: int) -> list[float]:
    chance, words = random.Random(1), common_words()
    entities = _entities(count)
    matcher = EntityMatcher(entities)
    texts = [
        " ".join([*(chance.choice(words) for _ in range(30)), chance.choice(entities).name]) for _ in range(MESSAGES)
    ]
    return [_p95(matcher, texts) for _ in range(repeats)]


def _p95(matcher: EntityMatcher, texts: Sequence[str]) -> float:
    times = []
    for text in texts:
        began = time.perf_counter()
        matcher.find(text)
        times.append((time.perf_counter() - began) * 1000)
    return p95(times)


def _building(count: int, repeats: int) -> list[float]:
    entities = _entities(count)
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        EntityMatcher(entities)
        times.append((time.perf_counter() - began) * 1000)
    return times
