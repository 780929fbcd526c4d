"""`make purge`: what was deleted is gone from the data folder's files, too.

The engines mark deleted text as free, and write over it some day. So graph and vectors get new folders, filled from
the database at the next start; the database's own file is written anew; messages of the broker and logs go.
"""

import os
import shutil
import subprocess
from pathlib import Path

from kgadmin.config import ROOT
from kgadmin.embedded.errors import StartError
from kgadmin.embedded.parts import PYTHON
from kgadmin.embedded.run_file import RUN_FILE

ENGINES = ("graph", "vectors")
LEFTOVERS = ("broker", "logs")
"""Rows say what is still to be done, so no message of the broker is needed."""


def purge(data_dir: Path) -> None:
    """Purge a data folder whose lock the caller holds. Raises `StartError`; it may be done again then."""
    # A run that was killed left it behind, with addresses where nobody answers.
    (data_dir / RUN_FILE).unlink(missing_ok=True)
    _purge_database(data_dir)
    for name in (*ENGINES, *LEFTOVERS):
        remove(data_dir / name)
    print("Purged. Graph and vectors are written anew from the database at the next start.", flush=True)


def remove(folder: Path) -> None:
    """Remove a folder that may not be there."""
    if folder.exists():
        shutil.rmtree(folder)


def _purge_database(data_dir: Path) -> None:
    """First of all: its marks let the next start fill the stores, wherever this is interrupted."""
    command = [PYTHON, "manage.py", "purge_database"]
    environment = os.environ | {"DATA_DIR": str(data_dir)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise StartError(f"The database could not be purged, so nothing else was touched: {last}")
    print(done.stdout.strip(), flush=True)
