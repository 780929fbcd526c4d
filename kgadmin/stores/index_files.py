"""Index files: arrays that a worker writes once and web processes map into memory, by owner and version.

They are made of the database and may be missing or deleted at any time; who finds none reads the database. Only the
program's user can read them. A version that a newer one replaces stays in memory where it is open.
"""

import os
import shutil
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

MOST_OPEN = 256
"""Owners whose files a process keeps open: mapped pages are the system's, but each array takes a descriptor's worth of
bookkeeping.
"""


class IndexFiles:
    """The index files in one folder: `folder/owner/version/NAME.npy`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: OrderedDict[str, tuple[str, Arrays]] = OrderedDict()
        self._lock = Lock()

    def write(self, owner: str, version: str, arrays: Arrays) -> None:
        """Write a version and delete the owner's others."""
        home = self._folder / owner
        unfinished = home / f".{uuid4().hex}"
        unfinished.mkdir(mode=0o700, parents=True)
        for name, array in arrays.items():
            with open(unfinished / f"{name}.npy", "xb", opener=_private) as file:
                np.save(file, array, allow_pickle=False)
        shutil.rmtree(home / version, ignore_errors=True)
        unfinished.rename(home / version)
        for other in home.iterdir():
            if other.name != version:
                shutil.rmtree(other, ignore_errors=True)

    def read(self, owner: str, version: str) -> Arrays | None:
        """Return the arrays of this version, mapped; None if it isn't there."""
        with self._lock:
            there = self._open.get(owner)
            if there and there[0] == version:
                self._open.move_to_end(owner)
                return there[1]
        arrays = _mapped(self._folder / owner / version)
        if arrays:
            with self._lock:
                self._open[owner] = version, arrays
                while len(self._open) > MOST_OPEN:
                    self._open.popitem(last=False)
        return arrays

    def versions(self, owner: str) -> list[str]:
        """Return the versions that are there."""
        home = self._folder / owner
        return [path.name for path in home.iterdir() if not path.name.startswith(".")] if home.is_dir() else []

    def owners(self) -> list[str]:
        """Return the owners that have files."""
        return [path.name for path in self._folder.iterdir()] if self._folder.is_dir() else []

    def drop(self, owner: str) -> None:
        """Delete the owner's files."""
        with self._lock:
            self._open.pop(owner, None)
        shutil.rmtree(self._folder / owner, ignore_errors=True)

    def size(self) -> int:
        """Return the bytes of all files."""
        return sum(path.stat().st_size for path in self._folder.rglob("*.npy"))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _mapped(version: Path) -> Arrays | None:
    try:
        arrays = {path.stem: np.load(path, mmap_mode="r", allow_pickle=False) for path in version.iterdir()}
    except (OSError, ValueError):  # none, just deleted, or broken
        return None
    # A plain array over the same memory: every slice of a memmap would be a memmap again, which costs microseconds.
    return {name: np.asarray(array) for name, array in arrays.items()}
