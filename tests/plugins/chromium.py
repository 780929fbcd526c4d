"""Browser tests where there is no Chromium: left out, named at the end, and a failure with `--require-browser`."""

import asyncio
import shutil
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same engine without a window, at half the processor time."""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
NO_CHROMIUM = "no Chromium on this machine"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-browser", action="store_true", help="fail if browser tests were left out")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if {"page", "browser"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group("browser"))
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(240))
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason=NO_CHROMIUM))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Playwright's loop stays the running one of this thread between two browser tests. Any other test is without it
    from its first fixture to its last, so that it can run a loop of its own and has one connection to the database:
    Django keeps one for the thread and one for its running loop. Playwright's sleeps and doesn't miss the title."""
    loop = asyncio._get_running_loop()
    if loop is None or item.get_closest_marker("browser"):
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(None if loop.is_closed() else loop)


@pytest.fixture(scope="session")
def browser(browser: Browser) -> Iterator[Browser]:
    """Pytest-playwright's, which may be closed after a test that is none of the browser's."""
    loop = asyncio._get_running_loop()
    yield browser
    asyncio._set_running_loop(loop)


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    if session.config.getoption("require_browser") and _left_out(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    yield


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    left_out = _left_out(config)
    if not left_out:
        return
    terminalreporter.section("browser tests left out")
    for report in left_out:
        terminalreporter.line(report.nodeid)
    terminalreporter.line(
        f"{len(left_out)} left out: {NO_CHROMIUM}. To run them: sudo apt-get install chromium-headless-shell"
    )


def _left_out(config: pytest.Config) -> list[pytest.TestReport]:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    return [report for report in skipped if NO_CHROMIUM in str(report.longrepr)]
