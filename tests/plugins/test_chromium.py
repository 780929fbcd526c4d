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


def test_where_they_are_required_that_is_a_failure(project: Path) -> None:
    assert run_tests(project, "--require-browser", "-n", "1", path="").returncode == 1  # as the suite is run


def test_with_chromium_they_run(project: Path, tmp_path: Path) -> None:
    chromium = tmp_path / "bin" / "chromium"
    chromium.parent.mkdir()
    chromium.write_text("#!/bin/sh\n")
    chromium.chmod(0o755)
    done = run_tests(project, "--require-browser", path=str(chromium.parent))
    assert done.returncode == 0
    assert "2 passed" in done.stdout
    assert "left out" not in done.stdout
