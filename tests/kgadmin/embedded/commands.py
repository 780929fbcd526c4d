"""The commands of a data folder, as `make` calls them."""

import subprocess
import sys
from pathlib import Path

from kgadmin.config import ROOT
from tests.program import Run, clean_environment

Done = subprocess.CompletedProcess[str]


def embedded(data_dir: Path, *arguments: str, **env: str) -> Done:
    """`python -m kgadmin.embedded ARGUMENTS`."""
    return _run(["-m", "kgadmin.embedded", *arguments], data_dir, **env)


def manage(data_dir: Path, *arguments: str) -> Done:
    """`manage.py ARGUMENTS` on a folder whose program doesn't run."""
    return _run(["manage.py", *arguments], data_dir, SECRET_KEY="for this test")


def _run(arguments: list[str], data_dir: Path, **env: str) -> Done:
    environment = clean_environment(DATA_DIR=str(data_dir), **env)
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


DRIFT = """
from kgadmin.projection import services
from kgadmin.stores.errors import StoreError
waiting = services.waiting()
try:
    print(*waiting, *([] if waiting else services.drift()))
except StoreError as error:
    print(error.message)
"""


def drift(running: Run) -> str:
    """What waits to be projected; where nothing does, what differs."""
    return running.shell(DRIFT).strip()


def is_projected(running: Run) -> bool:
    """Whether nothing waits, and nothing differs."""
    return not drift(running)


def files_with(data_dir: Path, marker: str) -> list[Path]:
    """The files below a folder that hold the marker."""
    files = (path for path in data_dir.rglob("*") if path.is_file())
    return [path for path in files if marker.encode() in path.read_bytes().lower()]
