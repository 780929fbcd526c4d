"""Reading what a reply states of its speaker, by patterns: replies of 8,000 characters, and such as mean to be slow."""

import json
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path

from characters import profiles
from characters.domain.sheet import Predicate
from characters.language.claims.patterns import extract
from tests.bench.figures import Row
from tests.characters.language.claims import sentences

LENGTH = 8_000
SLOW = (
    "I love rain and snow, I hate jazz\n",
    "I really, ",
    "my favourite ",
    " ",
    "\n",
    "*a\n",
    " 'a",
    '" ',
    "oh, in a, ",
)


def rows(args: Namespace) -> Iterator[Row]:
    """Dense statements, and the slowest of some mean texts."""
    said = " ".join(row.reply for row in sentences.rows("sentences.txt") if row.wanted)
    registered = _registered()
    yield Row("statements, 8,000 characters", _times(said, registered, args.repeats), goal="under 50")
    slowest = max((_times(text, registered, args.repeats) for text in SLOW), key=max)
    yield Row("the slowest of mean texts", slowest, goal="under 50")


def _times(text: str, registered: Mapping[str, Predicate], repeats: int) -> list[float]:
    reply = (text * (LENGTH // len(text) + 1))[:LENGTH]
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        extract(reply, registered, "Elena")
        times.append((time.perf_counter() - began) * 1000)
    return times


def _registered() -> dict[str, Predicate]:
    found = json.loads((Path(profiles.__file__).parent / "predicates.json").read_text())
    return {row["name"]: Predicate(**row) for row in found}
