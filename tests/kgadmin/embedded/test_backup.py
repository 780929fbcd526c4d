"""`make backup`, `make restore` and `manage.py migrate` on a data folder whose program doesn't run."""

import shutil
import sqlite3
import tarfile
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from kgadmin.embedded.backup import back_up_nightly, nightly_backups
from tests.kgadmin.embedded.commands import embedded, manage

pytestmark = pytest.mark.xdist_group("data folder")


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


def test_each_night_is_backed_up_once_and_the_newest_seven_are_kept(data_dir: Path) -> None:
    first = datetime(2031, 3, 1, 2, 59)
    for hours in range(0, 24 * 9, 6):
        back_up_nightly(data_dir, first + timedelta(hours=hours))
    stored = nightly_backups(data_dir)
    assert [file.name for file in stored] == [f"kgadmin-203103{day:02}.tar.gz" for day in range(3, 10)]
    assert {file.stat().st_mode & 0o777 for file in stored} == {0o600}


MAKE = """
from characters.conversations.models import Person
print(Person.objects.create(namespace="import", outside_id="{name}", name="{name}").pk)
"""
FORGET = """
from characters.conversations.models import Person
from characters.memory.erasure import forget_person
forget_person(Person.objects.get(name="{name}"), by=None)
"""


def people(data_dir: Path) -> list[str]:
    with closing(sqlite3.connect(data_dir / "kgadmin.sqlite3")) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM conversations_person ORDER BY id")]


def shell(data_dir: Path, code: str) -> str:
    done = manage(data_dir, "shell", "--no-imports", "-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_who_was_forgotten_since_a_backup_is_forgotten_again_and_nobody_who_came_later(data_dir: Path) -> None:
    shell(data_dir, MAKE.format(name="Ida"))
    back_up_nightly(data_dir, datetime(2031, 3, 1))
    shell(data_dir, MAKE.format(name="Noor") + FORGET.format(name="Noor") + FORGET.format(name="Ida"))
    (backup,) = nightly_backups(data_dir)
    assert embedded(data_dir, "--restore", str(backup)).returncode == 0
    assert people(data_dir) == ["Ida"]
    assert shell(data_dir, MAKE.format(name="Bea")) == "3"  # Noor's id isn't given again
    assert "1 forgotten since the backup" in manage(data_dir, "forget_again").stdout
    assert people(data_dir) == ["Bea"]


def test_a_damaged_database_is_restored_over_and_a_damaged_copy_is_purged(data_dir: Path) -> None:
    back_up_nightly(data_dir, datetime(2031, 3, 1))
    (backup,) = nightly_backups(data_dir)
    (data_dir / "kgadmin.sqlite3").write_bytes(b"no database" * 500)
    done = embedded(data_dir, "--restore", str(backup))
    assert done.returncode == 0, done.stderr
    (before,) = data_dir.glob("before-restore-*")
    done = embedded(data_dir, "--purge")
    assert "Deleted 1 copy" in done.stdout, done.stderr
    assert not before.exists()
    assert backup.exists()


def test_a_purge_deletes_the_copies_that_hold_somebody_forgotten_and_keeps_the_others(data_dir: Path) -> None:
    back_up_nightly(data_dir, datetime(2031, 3, 1))
    shell(data_dir, MAKE.format(name="Ida"))
    back_up_nightly(data_dir, datetime(2031, 3, 2))
    upgraded = data_dir / "kgadmin-before-20310301-000000.sqlite3"
    shutil.copy(data_dir / "kgadmin.sqlite3", upgraded)
    restored = data_dir / "before-restore-20310301-000000"
    restored.mkdir()
    shutil.copy(data_dir / "kgadmin.sqlite3", restored)
    shell(data_dir, FORGET.format(name="Ida"))
    back_up_nightly(data_dir, datetime(2031, 3, 3))
    killed = data_dir / ".backup-killed"
    shutil.copytree(restored, killed)
    done = embedded(data_dir, "--purge")
    assert "Deleted 3 copies" in done.stdout, done.stderr
    assert [file.name for file in nightly_backups(data_dir)] == ["kgadmin-20310228.tar.gz", "kgadmin-20310302.tar.gz"]
    assert not any(path.exists() for path in (upgraded, restored, killed))


def test_a_folder_that_others_could_read_is_this_accounts_alone_from_then_on(data_dir: Path, tmp_path: Path) -> None:
    (data_dir / "graph").mkdir(mode=0o755)
    (data_dir / "graph" / "old").write_text("")
    (tmp_path / "elsewhere").write_text("")
    (tmp_path / "elsewhere").chmod(0o644)
    (data_dir / "link").symlink_to(tmp_path / "elsewhere")
    data_dir.chmod(0o755)
    assert embedded(data_dir, "--backup", str(tmp_path / "saved.tar.gz")).returncode == 0
    there = [path for path in (data_dir, *data_dir.rglob("*")) if not path.is_symlink()]
    assert {path.name: oct(path.stat().st_mode & 0o077) for path in there} == {path.name: "0o0" for path in there}
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o644


def test_a_folder_that_cannot_be_written_to_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = embedded(tmp_path / "file" / "data")
    assert done.returncode == 1
    assert "can't be used (Not a directory" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_cannot_be_backed_up_says_why_and_overwrites_nothing(data_dir: Path, tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.tar.gz", tmp_path / "other.tar.gz"
    mine.write_text("mine")
    elsewhere = {"DATABASE_URL": "postgresql://kg:kg@127.0.0.1:1/kg"}
    for folder, file, env, sentence in (
        (data_dir, mine, {}, "exists already"),
        (tmp_path / "empty", other, {}, "There is no database"),
        (data_dir, other, elsewhere, "pg_dump"),
    ):
        done = embedded(folder, "--backup", str(file), **env)
        assert (done.returncode, sentence in done.stderr) == (1, True), sentence
    assert (mine.read_text(), other.exists()) == ("mine", False)


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


def test_an_older_database_is_copied_before_it_is_upgraded(data_dir: Path) -> None:
    database = data_dir / "kgadmin.sqlite3"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("DROP TABLE django_session")
        connection.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    before = migrations(database)
    done = manage(data_dir, "migrate", "--no-input")
    (copy,) = data_dir.glob("kgadmin-before-*.sqlite3")
    assert f"an older one, copied to {copy}" in done.stdout
    assert migrations(copy) == before < migrations(database)
    assert copy.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("app", "name", "sentence"),
    [
        ("review", "0001_initial", "of an older version than this program can upgrade"),
        ("review", "9999_later", "A newer version of this program has upgraded this database (review.9999_later)"),
    ],
)
def test_a_database_of_a_version_too_old_or_too_new_is_refused_unchanged(
    data_dir: Path, app: str, name: str, sentence: str
) -> None:
    database = data_dir / "kgadmin.sqlite3"
    with closing(sqlite3.connect(database)) as connection, connection:
        if name == "0001_initial":  # in the midst of what one migration replaced
            connection.execute("DELETE FROM django_migrations WHERE app = ?", [app])
        connection.execute("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, '')", [app, name])
    before = database.read_bytes()
    done = manage(data_dir, "migrate", "--no-input")
    assert (done.returncode, sentence in done.stderr) == (1, True)
    assert database.read_bytes() == before


def test_a_folder_that_is_up_to_date_is_not_copied(data_dir: Path) -> None:
    assert manage(data_dir, "migrate", "--no-input").returncode == 0
    assert not list(data_dir.glob("kgadmin-before-*"))
    shutil.rmtree(data_dir)
