"""`--durations-file FILE`: what every test took, set-up and tear-down included, the slowest first."""

from collections import Counter
from pathlib import Path

import pytest


class Durations:
    """Adds up the reports; with xdist, where they arrive."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self) -> None:
        lines = [f"{seconds:8.2f}  {test}" for test, seconds in self.seconds.most_common()]
        self.file.write_text("\n".join(lines) + "\n")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--durations-file", type=Path, help="write what every test took into this file")


def pytest_configure(config: pytest.Config) -> None:
    file = config.getoption("durations_file")
    if file and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Durations(file))
