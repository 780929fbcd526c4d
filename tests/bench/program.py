"""The program as `make run` starts it: how long it takes to be there, and how much memory its processes hold."""

import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tests.bench.figures import Row
from tests.fixtures.program import is_warm
from tests.patience import wait_for
from tests.program import run

MEGABYTE = 1_000_000
SETTLED_SECONDS = 240


def rows(args: Namespace) -> Iterator[Row]:
    """A first start on an empty folder with the demo, and a second one."""
    with tempfile.TemporaryDirectory(prefix="kgadmin-bench-") as folder:
        starts: list[float] = []
        memory: dict[str, list[float]] = {}
        for _ in range(2):
            began = time.monotonic()
            with run(Path(folder) / "data", 8750, DEMO="1", LLM_BASE_URL="") as program:
                assert program.is_there(), program.output
                starts.append(time.monotonic() - began)
                assert wait_for(lambda: is_warm(program.address), SETTLED_SECONDS, every=1), program.output
                for child in program.children():
                    memory.setdefault(part_of(child.cmdline()), []).append(child.memory_info().rss / MEGABYTE)
    yield Row("until the address is printed, first start", starts[:1], "s")
    yield Row("until the address is printed, second start", starts[1:], "s")
    for part, sizes in sorted(memory.items()):
        yield Row(f"memory of {part}", sizes, "MB")


def part_of(command: list[str]) -> str:
    """Which part of the program a process is, by its command line."""
    line = " ".join(command)
    names = {"uvicorn": "web", "chroma": "vectors", "arcadedb": "graph", " worker": "worker", " beat": "beat"}
    return next((name for mark, name in names.items() if mark in line), "another process")
