import os
import subprocess
import sys
from pathlib import Path

import pytest

from kgadmin.config import ROOT

INNER = """
import pytest

def test_without_a_browser():
    assert True

@pytest.mark.browser
def test_in_a_browser():
    assert True
"""

MIXED = """
import asyncio, pytest
from tests.plugins.chromium import CHROMIUM

@pytest.fixture(scope="session")
def browser_type_launch_args():
    return {"executable_path": CHROMIUM, "args": ["--no-sandbox", "--disable-gpu"]}

def test_before(page):
    page.set_content("<p>here</p>")

def test_between():
    asyncio.run(asyncio.sleep(0))

def test_after(page):
    page.set_content("<p>there</p>")
    assert page.inner_text("p") == "there"

def test_at_the_end():
    asyncio.run(asyncio.sleep(0))
"""

FIRST_OF_ALL = """
import asyncio, pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if "page" not in item.fixturenames:
        assert asyncio._get_running_loop() is None

@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.location[1])
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "test_inner.py").write_text(INNER)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = browser: needs Chromium\n")
    return tmp_path


def run_tests(project: Path, *options: str, path: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "pytest", "-p", "tests.plugins.chromium", "-p", "no:django", *options]
    env = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, timeout=60, check=False)


def test_without_chromium_browser_tests_are_named_as_left_out(project: Path) -> None:
    done = run_tests(project, path="")
    assert done.returncode == 0
    assert "test_inner.py::test_in_a_browser" in done.stdout
    assert "apt-get install chromium" in done.stdout
    assert "1 passed, 1 skipped" in done.stdout


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_where_they_are_required_that_is_a_failure(project: Path, workers: tuple[str, ...]) -> None:
    assert run_tests(project, "--require-browser", *workers, path="").returncode == 1


def test_with_chromium_they_run(project: Path, tmp_path: Path) -> None:
    chromium = tmp_path / "bin" / "chromium"
    chromium.parent.mkdir()
    chromium.write_text("#!/bin/sh\n")
    chromium.chmod(0o755)
    done = run_tests(project, "--require-browser", path=str(chromium.parent))
    assert done.returncode == 0
    assert "2 passed" in done.stdout
    assert "left out" not in done.stdout


@pytest.mark.browser
def test_a_loop_can_run_between_two_browser_tests(project: Path) -> None:
    (project / "test_inner.py").write_text(MIXED)
    (project / "conftest.py").write_text(FIRST_OF_ALL)
    done = run_tests(project, "-p", "no:randomly", path=os.environ["PATH"])
    assert "4 passed" in done.stdout, done.stdout
