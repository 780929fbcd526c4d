"""What embedding costs a process, by sentence-transformers and by the export: alone, and beside one that does it too.

docs/decisions/010-the-exported-embedder.md rests on it.
"""

import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack

from kgadmin.stores import export_files
from kgadmin.stores.export_files import UnfitExportError
from kgadmin.stores.model_files import PACKAGED, model_id
from tests.bench.asked import Asked
from tests.bench.figures import Row, p50, p95

WAYS = {
    "sentence-transformers": ["own"],
    "export, 1 thread": ["1", "0"],
    "export, 2 threads": ["2", "0"],
    "export, 2 threads that spin": ["2", "1"],
}
TIMES = 40


Pair = tuple[Asked, Asked]
"""Two processes that embed in the same way (`tests.bench.embedding`)."""


def _started(way: list[str], stack: ExitStack) -> Asked:
    process = Asked("embedding", *way, stderr=subprocess.DEVNULL)
    stack.callback(process.end)
    return process


def _embedding(pair: Pair, phrases: int, *, beside: bool) -> tuple[list[float], list[float]]:
    """Of one of them alone, or of both at once: by the clock, and by the processors."""
    asked = pair if beside else pair[:1]
    for process in asked:
        process.send(phrases, TIMES)
    answers = [process.answer() for process in asked]
    elapsed, worked = ([time for answer in answers for time in answer[kind]] for kind in (0, 1))
    return elapsed, worked


def rows(args: Namespace) -> Iterator[Row]:
    """Phrases of 2 to 9 words, their cosine with 6,000 vectors included."""
    try:
        export_files.find(model_id(PACKAGED), [export_files.INSTALLED])
    except UnfitExportError as error:
        sys.exit(f"{error} `manage.py export_embedder --installed` makes one.")
    with ExitStack() as stack:
        ways = {}
        for name, way in WAYS.items():
            ways[name] = _started(way, stack), _started(way, stack)
            seconds, memory = zip(*(process.answer() for process in ways[name]), strict=True)
            yield Row(f"{name}: until it is loaded, two at once", seconds, "s")
            yield Row(f"{name}: memory of its process", memory, "MB")
        yield from _times(ways, args.repeats)


def _times(ways: dict[str, Pair], repeats: int) -> Iterator[Row]:
    for phrases, beside in ((1, False), (5, False), (8, False), (8, True)):
        found: dict[str, list[tuple[list[float], list[float]]]] = {name: [] for name in ways}
        for _ in range(repeats):
            for name, pair in ways.items():
                found[name].append(_embedding(pair, phrases, beside=beside))
        for name, repeated in found.items():
            said = f"{name}: {phrases} phrases{' beside another' if beside else ''}"
            yield Row(f"{said}, p50", [p50(elapsed) for elapsed, _ in repeated])
            yield Row(f"{said}, p95", [p95(elapsed) for elapsed, _ in repeated])
            yield Row(f"{said}, processors' p50", [p50(worked) for _, worked in repeated])
