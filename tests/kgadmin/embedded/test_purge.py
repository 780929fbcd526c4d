"""`make purge` on the real program: what was forgotten is in no file, and everything else is there again."""

import subprocess
import sys
from pathlib import Path

import pytest

from kgadmin.config import ROOT
from kgadmin.embedded.servers import wait_for
from tests.program import Run, clean_environment, run

pytestmark = [pytest.mark.runner, pytest.mark.timeout(300), pytest.mark.xdist_group("make run")]

MARKER, OTHER = "zanzibar", "quetzal"

FILL = f"""
from tests.characters.memory import people
from tests.characters.profiles import sheets
ann = sheets.character()
for marker in ("{MARKER}", "{OTHER}"):
    people.world(people.person(marker), ann, messages=6, marker=marker)
"""

FORGET = f"""
from characters.conversations.models import Person
from characters.memory.forgetting import forget_person
forget_person(Person.objects.get(name="{MARKER}"), by=None)
"""

COUNT = """
from kgadmin.stores import wiring
print(len(wiring.graph().scan("MATCH (m:Message) RETURN m.id AS id")), len(wiring.vectors().ids("messages")))
"""


def shell(running: Run, code: str) -> str:
    return running.manage("shell", "--no-imports", "-c", code)


def drift(running: Run) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "manage.py", "drift"]
    return subprocess.run(command, cwd=ROOT, env=running.env, capture_output=True, text=True, check=False)


def is_projected(running: Run) -> bool:
    """Whether nothing waits, and nothing differs."""
    told = drift(running)
    return told.returncode == 0 and "waiting" not in told.stdout


def purge(data_dir: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "kgadmin.embedded", "--purge"]
    environment = clean_environment(DATA_DIR=str(data_dir))
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def files_with(data_dir: Path, marker: str) -> list[Path]:
    files = (path for path in data_dir.rglob("*") if path.is_file())
    return [path for path in files if marker.encode() in path.read_bytes().lower()]


def test_after_a_purge_no_file_holds_what_was_forgotten_and_the_rest_comes_back(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with run(data_dir, DEMO="0") as first:
        assert first.is_there(), first.output
        shell(first, FILL)
        assert wait_for(lambda: is_projected(first), 120, every=1), drift(first).stdout
        assert {path.relative_to(data_dir).parts[0] for path in files_with(data_dir, MARKER)} >= {"graph", "vectors"}
        refused = purge(data_dir)
        assert refused.returncode == 1
        assert refused.stdout.startswith(f"kgadmin already runs on {data_dir}")
        assert "Stop it first" in refused.stderr
        shell(first, FORGET)
        assert wait_for(lambda: is_projected(first), 60, every=1), drift(first).stdout
        first.ends(2)
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
