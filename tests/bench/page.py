"""docs/performance.md: its tables are written by `python -m tests.bench --write`, one for each kind of engines."""

import os
import platform
import statistics
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from kgadmin.config import ROOT
from tests.bench.figures import Row

PAGE = ROOT / "docs" / "performance.md"


def write(rows: Sequence[Row], *, production: bool) -> None:
    """Replace the rows' table, ratios first; the text around it stays."""
    mark = f"<!-- {'production' if production else 'embedded'} -->\n"
    before, _, rest = PAGE.read_text().partition(mark)
    _, _, after = rest.partition("<!-- end -->\n")
    ordered = sorted(rows, key=lambda row: row.unit != "x")
    head = (_where(), "", "| figure | median | least to most | goal |", "| --- | --- | --- | --- |")
    PAGE.write_text(f"{before}{mark}{chr(10).join((*head, *map(_line, ordered)))}\n<!-- end -->\n{after}")


def _where() -> str:
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{datetime.now(UTC):%Y-%m-%d}, revision {revision}, {model or platform.machine()}, {os.cpu_count()} cores."


def _line(row: Row) -> str:
    middle, least, most = statistics.median(row.values), min(row.values), max(row.values)
    return f"| {row.name} | {middle:.2f} {row.unit} | {least:.2f} to {most:.2f} | {row.goal} |"
