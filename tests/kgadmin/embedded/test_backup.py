"""`make backup`, `make restore` and the upgrade of an older folder, on the real program."""

import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from kgadmin.config import ROOT
from kgadmin.embedded.servers import wait_for
from tests.kgadmin.embedded.filled import COUNT, Done, Filled, drift, embedded, is_projected, shell
from tests.program import clean_environment, run

pytestmark = [pytest.mark.runner, pytest.mark.timeout(300), pytest.mark.xdist_group("make run")]


def manage(data_dir: Path, *arguments: str) -> Done:
    command = [sys.executable, "manage.py", *arguments]
    environment = clean_environment(DATA_DIR=str(data_dir), SECRET_KEY="for this test")
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def migrations(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        return int(connection.execute("SELECT count(*) FROM django_migrations").fetchone()[0])


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an empty database of today's form."""
    folder = tmp_path_factory.mktemp("migrated")
    assert manage(folder, "migrate", "--no-input").returncode == 0
    return folder


@pytest.fixture
def data_dir(migrated: Path, tmp_path: Path) -> Path:
    """A data folder with a database in it, of a program that never ran."""
    return Path(shutil.copytree(migrated, tmp_path / "data"))


def test_a_backup_of_a_running_program_restored_elsewhere_is_the_same_and_nothing_differs(
    filled: Filled, tmp_path: Path
) -> None:
    assert (filled.backed_up.returncode, filled.backed_up.stderr) == (0, "")
    assert filled.backup.stat().st_mode & 0o777 == 0o600
    done = embedded(tmp_path / "other", "--restore", str(filled.backup))
    assert (done.returncode, done.stderr) == (0, "")
    with run(tmp_path / "other", DEMO="0") as other:
        assert other.is_there(), other.output
        assert wait_for(lambda: is_projected(other), 120, every=1), drift(other).stdout + other.output
        assert shell(other, COUNT).split() == ["24", "24"]


def test_while_the_program_runs_nothing_is_restored(filled: Filled) -> None:
    assert filled.refused_restore.returncode == 1
    assert "Stop it first" in filled.refused_restore.stderr


def test_a_restore_keeps_what_was_there(data_dir: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.tar.gz"
    assert embedded(data_dir, "--backup", str(saved)).returncode == 0
    (data_dir / "graph").mkdir()
    done = embedded(data_dir, "--restore", str(saved))
    assert done.returncode == 0
    (before,) = data_dir.glob("before-restore-*/kgadmin.sqlite3")
    assert str(before.parent) in done.stdout
    assert migrations(before) == migrations(data_dir / "kgadmin.sqlite3")
    assert not (data_dir / "graph").exists()


def test_a_backup_overwrites_no_file(data_dir: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.tar.gz"
    mine.write_text("mine")
    done = embedded(data_dir, "--backup", str(mine))
    assert done.returncode == 1
    assert "exists already" in done.stderr
    assert mine.read_text() == "mine"


def test_a_folder_without_a_database_has_nothing_to_back_up(tmp_path: Path) -> None:
    done = embedded(tmp_path / "empty", "--backup", str(tmp_path / "saved.tar.gz"))
    assert done.returncode == 1
    assert "There is no database" in done.stderr


def test_a_database_elsewhere_is_backed_up_by_its_own_tools(data_dir: Path) -> None:
    done = embedded(data_dir, "--backup", "x.tar.gz", DATABASE_URL="postgresql://kg:kg@127.0.0.1:1/kg")
    assert done.returncode == 1
    assert "pg_dump" in done.stderr


@pytest.mark.parametrize("kind", ["missing", "no archive", "another archive", "a damaged database", "no name"])
def test_what_is_no_backup_changes_nothing(data_dir: Path, tmp_path: Path, kind: str) -> None:
    source = tmp_path / "source.tar.gz"
    content = tmp_path / "kgadmin.sqlite3"
    if kind == "no archive":
        source.write_text("no archive")
    elif kind in {"another archive", "a damaged database"}:
        content.write_text("no database " * 1000)
        with tarfile.open(source, "w:gz") as archive:
            archive.add(content, arcname="notes.txt" if kind == "another archive" else content.name)
    before = migrations(data_dir / "kgadmin.sqlite3")
    done = embedded(data_dir, "--restore", "" if kind == "no name" else str(source))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert migrations(data_dir / "kgadmin.sqlite3") == before
    assert not list(data_dir.glob("*restore-*"))


FIRST_STATE = """
from django.core.management import call_command
for app in ("contenttypes", "auth"):
    call_command("migrate", app, verbosity=0)
for app in ("accounts", "projection", "jobs", "knowledge", "profiles"):
    call_command("migrate", app, "0001", verbosity=0)
"""


def test_a_folder_of_the_first_migrations_is_copied_and_brought_up_to_date_at_the_start(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    done = manage(data_dir, "shell", "--no-imports", "-c", FIRST_STATE)
    assert done.returncode == 0, done.stderr
    for copy in data_dir.glob("kgadmin-before-*"):  # of the steps above
        copy.unlink()
    before = migrations(data_dir / "kgadmin.sqlite3")
    with run(data_dir, DEMO="0") as started:
        assert started.is_there(), started.output
        (copy,) = data_dir.glob("kgadmin-before-*.sqlite3")
        assert f"an older one, copied to {copy}" in started.output
        assert is_projected(started), drift(started).stdout
    assert migrations(copy) == before < migrations(data_dir / "kgadmin.sqlite3")
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_is_up_to_date_is_not_copied(data_dir: Path) -> None:
    assert manage(data_dir, "migrate", "--no-input").returncode == 0
    assert not list(data_dir.glob("kgadmin-before-*"))
    shutil.rmtree(data_dir)
