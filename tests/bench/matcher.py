"""Rows that need no store: the entity matcher."""

import random
from argparse import Namespace
from collections.abc import Iterator
from functools import partial

from characters.domain.entities import Entity, EntityMatcher
from kgadmin.config import ROOT
from tests.bench.figures import Row, p95, times, took

MESSAGES = 400


def rows(args: Namespace) -> Iterator[Row]:
    """Finding names in a message, and making what finds them."""
    for count, goal in ((50, "under 2"), (10_000, "under 20")):
        entities = _entities(count)
        yield Row(f"a message, {count:,} entities: p95", _matching(entities, args.repeats), goal=goal)
        yield Row(f"making it, {count:,} entities", times(partial(EntityMatcher, entities), args.repeats))


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


def _matching(entities: tuple[Entity, ...], repeats: int) -> list[float]:
    chance, words = random.Random(1), common_words()
    matcher = EntityMatcher(entities)
    texts = [
        " ".join([*(chance.choice(words) for _ in range(30)), chance.choice(entities).name]) for _ in range(MESSAGES)
    ]
    return [p95([took(partial(matcher.find, text)) for text in texts]) for _ in range(repeats)]
