"""What embedding costs a process, by sentence-transformers and by the export: alone, and beside one that does it too.

docs/decisions/010-the-exported-embedder.md rests on it.
"""

import json
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from kgadmin.config import ROOT
from kgadmin.stores import export_files
from kgadmin.stores.export_files import UnfitExportError
from kgadmin.stores.model_files import PACKAGED, model_id
from tests.bench.figures import Row, p50, p95

WAYS = {
    "sentence-transformers": ["own"],
    "export, 1 thread": ["1", "0"],
    "export, 2 threads": ["2", "0"],
    "export, 2 threads that spin": ["2", "1"],
}
TIMES = 40


class Embedding:
    """Two processes that embed in the same way (`tests.bench.embedding`)."""

    def __init__(self, way: Sequence[str], stack: ExitStack) -> None:
        command = [sys.executable, "-m", "tests.bench.embedding", *way]
        self._processes = [self._started(command, stack) for _ in range(2)]

    @staticmethod
    def _started(command: list[str], stack: ExitStack) -> "subprocess.Popen[str]":
        """`with` closes its input at the end, which ends it."""
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        return stack.enter_context(process)

    def loaded(self) -> tuple[list[float], list[float]]:
        """Seconds until there, and megabytes, of each."""
        seconds, memory = zip(*(_answer(process) for process in self._processes), strict=True)
        return list(seconds), list(memory)

    def times(self, phrases: int, *, beside: bool = False) -> tuple[list[float], list[float]]:
        """Of one of them alone, or of both at once: by the clock, and by the processors."""
        asked = self._processes if beside else self._processes[:1]
        for process in asked:
            assert process.stdin is not None
            process.stdin.write(f"{phrases} {TIMES}\n")
            process.stdin.flush()
        answers = [_answer(process) for process in asked]
        elapsed, worked = ([time for answer in answers for time in answer[kind]] for kind in (0, 1))
        return elapsed, worked


def _answer(process: "subprocess.Popen[str]") -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def rows(args: Namespace) -> Iterator[Row]:
    """Phrases of 2 to 9 words, their cosine with 6,000 vectors included."""
    try:
        export_files.find(model_id(PACKAGED), [export_files.INSTALLED])
    except UnfitExportError as error:
        sys.exit(f"{error} `manage.py export_embedder --installed` makes one.")
    with ExitStack() as stack:
        ways = {}
        for name, way in WAYS.items():
            ways[name] = Embedding(way, stack)
            seconds, memory = ways[name].loaded()
            yield Row(f"{name}: until it is loaded, two at once", seconds, "s")
            yield Row(f"{name}: memory of its process", memory, "MB")
        yield from _times(ways, args.repeats)


def _times(ways: dict[str, Embedding], repeats: int) -> Iterator[Row]:
    for phrases, beside in ((1, False), (5, False), (8, False), (8, True)):
        found: dict[str, list[tuple[list[float], list[float]]]] = {name: [] for name in ways}
        for _ in range(repeats):
            for name, way in ways.items():
                found[name].append(way.times(phrases, beside=beside))
        for name, repeated in found.items():
            said = f"{name}: {phrases} phrases{' beside another' if beside else ''}"
            yield Row(f"{said}, p50", [p50(elapsed) for elapsed, _ in repeated])
            yield Row(f"{said}, p95", [p95(elapsed) for elapsed, _ in repeated])
            yield Row(f"{said}, processors' p50", [p50(worked) for _, worked in repeated])
