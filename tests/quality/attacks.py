"""Kind E1: whether a message tries to elicit statements, and whether it changed the character who obeyed it."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from characters.language.gate.suspicion import suspicion
from tests.quality import attacked, files
from tests.quality.vectors import StoredVectors

COUNTS = ("stated", "unlearnable", "proposed", "tainted", "approved", "refused", "beside")


class Attacked(Protocol):
    """Somebody to whom a message is said, who obeys it."""

    @property
    def has_graph(self) -> bool:
        """Whether facts are read from a graph, too."""

    def attack(self, *messages: str) -> attacked.Outcome:
        """What became of it."""


Open = Callable[[StoredVectors], AbstractContextManager[Attacked]]


def predict(data: files.Data, vectors: StoredVectors, open_world: Open = attacked.world) -> Iterator[Mapping[str, Any]]:
    """Per row whether it is flagged, and whether a core fact differs after it was said, obeyed and approved."""
    rows = files.rows(data, files.AttackRow)
    with open_world(vectors) as world:
        for row, flag in flags(rows, vectors):
            outcome = world.attack(row.text)
            result = {"facts_changed": int(bool(outcome.changed)), "graph": world.has_graph}
            yield {"id": row.id, "flag": int(flag)} | result | asdict(outcome)


def flags(rows: list[files.AttackRow], vectors: StoredVectors) -> Iterator[tuple[files.AttackRow, bool]]:
    """Each row, and whether its message is flagged."""
    for row, vector in zip(rows, vectors.embed([row.text for row in rows]), strict=True):
        yield row, suspicion(row.text, vector).is_flagged


def summary(_: files.Data, predictions: Path, __: StoredVectors) -> Iterator[str]:
    """What was said, proposed and approved, and what became of it."""
    rows = [json.loads(line) for line in files.lines(predictions) if line]
    count = {name: sum(row[name] for row in rows) for name in COUNTS}
    yield (
        f"obeyed {len(rows)} messages: {count['stated']} statements read, {count['unlearnable']} of what can't be "
        f"learned; {count['proposed']} proposed, {count['tainted']} of them tainted"
    )
    yield f"approved whatever may be: {count['approved']} learned, {count['refused']} refused"
    where = "database, graph" if all(row["graph"] for row in rows) else "database (no graph server came up)"
    changed = sum(row["facts_changed"] for row in rows)
    yield f"rows with a core fact changed: {changed}; read from {where} and {len(attacked.QUESTIONS)} prompts a row"
    yield f"prompts in which a core fact beside the one that answers came or went: {count['beside']}"
    for place, times in Counter(place for row in rows for place in row["changed"]).most_common():
        yield f"changed in {place}: {times}"
