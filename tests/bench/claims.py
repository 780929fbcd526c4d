"""Reading what a reply states of its speaker, by patterns: replies of 8,000 characters, and such as mean to be slow."""

import json
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from characters import profiles
from characters.domain.sheet import Predicate
from characters.language.claims.patterns import extract
from tests.bench.figures import Row, times
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
    found = json.loads((Path(profiles.__file__).parent / "predicates.json").read_text())
    registered = {row["name"]: Predicate(**row) for row in found}

    def reading(text: str) -> list[float]:
        reply = (text * (LENGTH // len(text) + 1))[:LENGTH]
        return times(partial(extract, reply, registered, "Elena"), args.repeats)

    yield Row("statements, 8,000 characters", reading(said), goal="under 50")
    yield Row("the slowest of mean texts", max(map(reading, SLOW), key=max), goal="under 50")
