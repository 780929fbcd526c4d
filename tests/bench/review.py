"""The review queue with 10,000 open proposals: its page, decisions, one and many, and the work after a turn."""

import json
import os
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from kgadmin.config import ROOT
from tests.bench.figures import Row, p50, p95
from tests.servers import PostgresServer

GOALS = {
    "list and counts: p95": "under 100",
    "page: p95": "under 100",
    "approve: p95": "under 50",
    "bulk of 1,000 approvals": "under 10",
}
IN_SECONDS = "bulk"


def rows(args: Namespace) -> Iterator[Row]:
    """The same on both databases, each filled once."""
    yield from _of("SQLite", _measured({}))
    database = PostgresServer()
    try:
        database.start()
        yield from _of("PostgreSQL", _measured({"DATABASE_URL": database.settings["database_url"]}))
    finally:
        database.remove()


def _measured(environment: dict[str, str]) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.reviewing"]
    with tempfile.TemporaryDirectory(prefix="kgadmin-bench-") as folder:
        own = {"DJANGO_SETTINGS_MODULE": "kgadmin.settings", "DATA_DIR": folder, "SECRET_KEY": "for the benchmark"}
        own |= {"DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3"} | environment
        done = subprocess.run(command, cwd=ROOT, env=os.environ | own, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _of(database: str, found: dict[str, list[float]]) -> Iterator[Row]:
    for name, times in found.items():
        if name.startswith(IN_SECONDS):
            yield _row(database, name, [times[0] / 1000], "s")
            continue
        yield _row(database, f"{name}: p50", [p50(times)])
        yield _row(database, f"{name}: p95", [p95(times)])


def _row(database: str, name: str, values: list[float], unit: str = "ms") -> Row:
    return Row(f"{database}: {name}", values, unit, GOALS.get(name, ""))
