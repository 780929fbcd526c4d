"""`make purge` on the real program: what was forgotten is in no file, and everything else is there again."""

from pathlib import Path

import pytest

from kgadmin.embedded.servers import wait_for
from tests.kgadmin.embedded.filled import (
    COUNT,
    MARKER,
    OTHER,
    Done,
    Filled,
    drift,
    embedded,
    files_with,
    is_projected,
    shell,
)
from tests.program import run

pytestmark = [pytest.mark.runner, pytest.mark.timeout(300), pytest.mark.xdist_group("make run")]


def purge(data_dir: Path) -> Done:
    return embedded(data_dir, "--purge")


def test_while_the_program_runs_nothing_is_purged(filled: Filled) -> None:
    assert filled.refused_purge.returncode == 1
    assert filled.refused_purge.stdout.startswith(f"kgadmin already runs on {filled.folder}")
    assert "Stop it first" in filled.refused_purge.stderr


def test_after_a_purge_no_file_holds_what_was_forgotten_and_the_rest_comes_back(filled: Filled, tmp_path: Path) -> None:
    assert filled.held_the_marker >= {"graph", "vectors"}
    data_dir = filled.copy(tmp_path / "data")
    purged = purge(data_dir)
    assert (purged.returncode, purged.stderr) == (0, "")
    assert purged.stdout.splitlines()[-1].startswith("Purged.")
    assert files_with(data_dir, MARKER) == []
    assert files_with(data_dir, OTHER)
    with run(data_dir, DEMO="0") as second:
        assert second.is_there(), second.output
        assert wait_for(lambda: is_projected(second), 120, every=1), drift(second).stdout + second.output
        assert shell(second, COUNT).split() == ["12", "12"]
        assert files_with(data_dir, MARKER) == []


def test_a_folder_without_a_database_is_purged_of_nothing(tmp_path: Path) -> None:
    done = purge(tmp_path / "data")
    assert done.returncode == 0
    assert done.stdout.startswith("There is no database yet.")


def test_a_database_that_cannot_be_read_ends_with_a_sentence_and_leaves_all_as_it_was(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    (data_dir / "graph").mkdir(parents=True)
    (data_dir / "kgadmin.sqlite3").write_text("this is no database " * 100)
    done = purge(data_dir)
    assert done.returncode == 1
    assert "could not be purged, so nothing else was touched" in done.stderr
    assert "file is not a database" in done.stderr
    assert (data_dir / "graph").exists()
