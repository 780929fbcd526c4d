"""`make backup` and `make restore`: database and secrets as one file; graph and vectors are rebuilt from it."""

import os
import shutil
import sqlite3
import tarfile
import tempfile
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from kgadmin.embedded import forgotten
from kgadmin.embedded.process import StartError
from kgadmin.embedded.run_file import RUN_FILE, SECRETS_FILE

DATABASE = "kgadmin.sqlite3"
FILES = (DATABASE, SECRETS_FILE)
ENGINES = ("graph", "vectors")
LEFTOVERS = ("broker", "logs", "indexes")
"""Folders left out of a backup: rows say what is still to do, and indexes are made of them."""
RESTORED = "restored"
"""File that exists from a restore until people who were forgotten after the backup are forgotten again."""
NIGHTLY = "backups"
NIGHTS = 7
LEFT_BY_KILLED = (".backup-*", ".restore-*", f"{NIGHTLY}/.look-*", f"{NIGHTLY}/.*.new")
"""Leftovers of a killed backup, restore or purge, which may hold anybody's words."""
NIGHT_ENDS_AT = timedelta(hours=3)


def backup(data_dir: Path, target: Path | None) -> None:
    """Write the folder's backup; the program may be running. Raises `StartError`."""
    if not (data_dir / DATABASE).exists():
        raise StartError(f"There is no database in {data_dir}, so there is nothing to back up.")
    target = target or Path(f"kgadmin-{_now()}.tar.gz")
    if target.exists():
        raise StartError(f"{target} exists already. Name another file: make backup FILE=other.tar.gz")
    with tempfile.TemporaryDirectory(dir=data_dir, prefix=".backup-") as folder:
        copy = Path(folder) / DATABASE
        copy_database(data_dir / DATABASE, copy)
        _pack(target, {DATABASE: copy, SECRETS_FILE: data_dir / SECRETS_FILE})
    size = target.stat().st_size / 1_000_000
    print(f"Backed up {data_dir} to {target} ({size:.1f} MB). It holds secrets: keep it where only you can read it.")


def back_up_nightly(data_dir: Path, now: datetime) -> None:
    """Write the backup of the day, which begins at 03:00, unless it exists; keep the newest 7. Raises `StartError`."""
    folder = data_dir / NIGHTLY
    target = folder / f"kgadmin-{now - NIGHT_ENDS_AT:%Y%m%d}.tar.gz"
    if target.exists():
        return
    folder.mkdir(mode=0o700, exist_ok=True)
    backup(data_dir, target)
    for old in nightly_backups(data_dir)[:-NIGHTS]:
        old.unlink()


def nightly_backups(data_dir: Path) -> list[Path]:
    """Return the nightly backups, the oldest first."""
    return sorted((data_dir / NIGHTLY).glob("kgadmin-*.tar.gz"))


def restore(data_dir: Path, source: Path) -> None:
    """Replace the folder's database by a backup; the old one is kept beside it. Raises `StartError`."""
    with tempfile.TemporaryDirectory(dir=data_dir, prefix=".restore-") as folder:
        unpacked = Path(folder)
        unpack(source, unpacked)
        _check(unpacked / DATABASE)
        with suppress(sqlite3.Error):  # a damaged database is a reason to restore; existing notes count
            forgotten.note(data_dir, data_dir / DATABASE)
        with suppress(sqlite3.Error):
            _give_no_id_twice(data_dir / DATABASE, unpacked / DATABASE)
        before = _set_aside(data_dir)
        for name in (*ENGINES, *LEFTOVERS):
            remove(data_dir / name)
        for name in FILES:
            if (unpacked / name).exists():
                (unpacked / name).replace(data_dir / name)
    (data_dir / RUN_FILE).unlink(missing_ok=True)
    (data_dir / RESTORED).touch(mode=0o600)
    aside = f" What was there before lies in {before}." if before else ""
    print(f"Restored {source} into {data_dir}.{aside} Graph and vectors are written anew at the next start.")


def remove(folder: Path) -> None:
    """Remove a folder, if it exists."""
    if folder.exists():
        shutil.rmtree(folder)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database that others may be writing to. Raises `StartError`."""
    try:
        with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(target)) as copy:
            database.backup(copy)
    except sqlite3.Error as error:
        raise StartError(f"The database {source} could not be copied: {error}.") from error
    target.chmod(0o600)


def _pack(target: Path, files: dict[str, Path]) -> None:
    draft = target.with_name(f".{target.name}.new")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
            for name, path in files.items():
                if path.exists():
                    archive.add(path, arcname=name)
        draft.replace(target)
    except OSError as error:
        raise StartError(f"The backup could not be written to {target}: {error.strerror}.") from error


def unpack(source: Path, folder: Path) -> None:
    """Unpack a backup's files into a folder. Raises `StartError`."""
    try:
        with tarfile.open(source) as archive:
            for name in set(FILES) & set(archive.getnames()):
                archive.extract(name, folder, filter="data")
    except (OSError, tarfile.TarError, EOFError) as error:
        raise StartError(f"{source} is no backup that can be read: {error}. Nothing was changed.") from error


def _check(database: Path) -> None:
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
            connection.execute("SELECT count(*) FROM django_migrations")
    except sqlite3.Error as error:
        raise StartError(f"The backup holds no database of kgadmin: {error}. Nothing was changed.") from error
    if verdict != "ok":
        raise StartError(f"The backup's database is damaged: {verdict}. Nothing was changed.")


def _give_no_id_twice(before: Path, restored: Path) -> None:
    """Continue the ids of the replaced database, so that a forgotten id isn't given again."""
    if not before.exists():
        return
    with closing(sqlite3.connect(before)) as connection:
        last = connection.execute("SELECT seq, name FROM sqlite_sequence").fetchall()
    with closing(sqlite3.connect(restored)) as connection, connection:
        connection.executemany("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", last)
        missing = (
            "INSERT INTO sqlite_sequence (seq, name) SELECT ?1, ?2 WHERE ?2 NOT IN (SELECT name FROM sqlite_sequence)"
        )
        connection.executemany(missing, last)


def _set_aside(data_dir: Path) -> Path | None:
    there = [data_dir / name for name in (*FILES, f"{DATABASE}-wal", f"{DATABASE}-shm")]
    if not (data_dir / DATABASE).exists():
        return None
    aside = data_dir / f"before-restore-{_now()}"
    aside.mkdir(mode=0o700)
    for path in there:
        if path.exists():
            path.replace(aside / path.name)
    return aside


def _now() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
