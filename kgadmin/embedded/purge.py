"""`make purge`: remove deleted data from files: empty the engines, rewrite the database, delete copies."""

import os
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from kgadmin.config import ROOT
from kgadmin.embedded import forgotten
from kgadmin.embedded.backup import DATABASE, ENGINES, LEFT_BY_KILLED, LEFTOVERS, nightly_backups, remove, unpack
from kgadmin.embedded.parts import PYTHON
from kgadmin.embedded.process import StartError
from kgadmin.embedded.run_file import RUN_FILE


def purge(data_dir: Path) -> None:
    """Purge a data folder whose lock the caller holds. Raises `StartError`; then it may be repeated."""
    (data_dir / RUN_FILE).unlink(missing_ok=True)
    _purge_database(data_dir)
    for name in (*ENGINES, *LEFTOVERS):
        remove(data_dir / name)
    for path in (path for pattern in LEFT_BY_KILLED for path in data_dir.glob(pattern)):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if deleted := _delete_copies(data_dir):
        several = "copy" if deleted == 1 else "copies"
        print(f"Deleted {deleted} {several} of the database that contained someone who was forgotten.", flush=True)
    print("Purged. Graph and vectors are written anew from the database at the next start.", flush=True)


def _delete_copies(data_dir: Path) -> int:
    gone = forgotten.note(data_dir, data_dir / DATABASE)
    before = [*data_dir.glob("kgadmin-before-*.sqlite3"), *data_dir.glob("before-restore-*")]
    holding = [copy for copy in (*nightly_backups(data_dir), *before) if _holds(copy, gone)]
    for copy in holding:
        shutil.rmtree(copy) if copy.is_dir() else copy.unlink()
    return len(holding)


def _holds(copy: Path, gone: forgotten.Forgotten) -> bool:
    """Return whether a copy holds a forgotten subject; True for an unreadable one, which may."""
    try:
        if copy.suffix != ".gz":
            return bool(forgotten.held_by(copy / DATABASE if copy.is_dir() else copy, gone))
        with tempfile.TemporaryDirectory(dir=copy.parent, prefix=".look-") as folder:
            unpack(copy, Path(folder))
            return bool(forgotten.held_by(Path(folder) / DATABASE, gone))
    except (StartError, sqlite3.Error):
        return True


def _purge_database(data_dir: Path) -> None:
    """Purge the database. Do this first: it notes that the stores need a rebuild, even if the purge is interrupted."""
    command = [PYTHON, "manage.py", "purge_database"]
    environment = os.environ | {"DATA_DIR": str(data_dir)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise StartError(f"The database could not be purged, so nothing else was touched: {last}")
    print(done.stdout.strip(), flush=True)
