"""Which tests of engines passed, kept per stack: `make test-production` compares the two."""

import pytest

from tests.stack import STACK

COMPLETE_RUNS = {"not faults and not production", "(engine or production) and not faults"}


class EngineTests:
    """Notes the ids of the tests with the marker `engine` in pytest's cache; with xdist, where the reports arrive."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.passed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed and "engine" in report.keywords:
            self.passed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """A run of some files, or of some tests by name, says nothing about the stack."""
        cache = getattr(self.config, "cache", None)  # not with `-p no:cacheprovider`
        if cache is None:
            return
        option = self.config.option
        some = option.keyword or option.markexpr not in COMPLETE_RUNS or option.collectonly
        if not some and self.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            cache.set(f"engine_tests/{STACK}", sorted(self.passed))


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(EngineTests(config))
