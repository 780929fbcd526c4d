"""Index files: arrays that a worker writes once and web processes search, by owner and version.

They are made of the database and may be missing or deleted at any time; who finds none reads the database. Only the
program's user can read them. A version that a newer one replaces stays in memory where it is open.
"""

import json
import logging
import os
import shutil
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from threading import Lock
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

logger = logging.getLogger(__name__)

Arrays = Mapping[str, NDArray[Any]]

MOST_OPEN = 128
"""Owners whose arrays a process keeps."""
MAPPED_FROM = 1_000_000
"""Bytes from which a file is mapped, so that all processes share its pages; each takes a descriptor. Smaller ones are
read.
"""
ALIGNED = 64
UNFINISHED_SECONDS = 3600
SUFFIX = ".index"


class IndexFiles:
    """The index files in one folder: `folder/owner/VERSION.index`, a line of JSON and the arrays it describes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: OrderedDict[str, tuple[str, Arrays]] = OrderedDict()
        self._lock = Lock()

    def write(self, owner: str, version: str, arrays: Arrays) -> None:
        """Write a version and delete the owner's others. A failure is logged: whoever searches does without."""
        home = self._folder / owner
        unfinished = self._folder / f".{uuid4().hex}"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            home.mkdir(mode=0o700, exist_ok=True)
            with open(unfinished, "xb", opener=_private) as file:
                for part in _parts(arrays):
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(home / f"{version}{SUFFIX}")
            for other in home.iterdir():
                if other.name != f"{version}{SUFFIX}":
                    other.unlink(missing_ok=True)
        except OSError:
            logger.exception("The index file of %s was not written", owner)
            unfinished.unlink(missing_ok=True)

    def read(self, owner: str, version: str) -> Arrays | None:
        """Return the arrays of this version; None if it isn't there. A broken one is deleted."""
        with self._lock:
            there = self._open.get(owner)
            if there and there[0] == version:
                self._open.move_to_end(owner)
                return there[1]
        path = self._folder / owner / f"{version}{SUFFIX}"
        try:
            arrays = _arrays(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            logger.exception("The index file %s is broken, and is made anew", path)
            path.unlink(missing_ok=True)
            return None
        with self._lock:
            self._open[owner] = version, arrays
            while len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)
        return arrays

    def versions(self, owner: str) -> list[str]:
        """Return the versions that are there."""
        return [path.stem for path in (self._folder / owner).glob(f"*{SUFFIX}")]

    def owners(self) -> list[str]:
        """Return the owners that have files."""
        return [path.name for path in self._folder.iterdir() if path.is_dir()] if self._folder.is_dir() else []

    def drop(self, owner: str) -> None:
        """Delete the owner's files."""
        with self._lock:
            self._open.pop(owner, None)
        shutil.rmtree(self._folder / owner, ignore_errors=True)

    def delete_unfinished(self) -> None:
        """Delete what a writer that was killed has left."""
        for path in self._folder.glob(".*"):
            with suppress(FileNotFoundError):  # just finished
                if time.time() - path.stat().st_mtime > UNFINISHED_SECONDS:
                    path.unlink()

    def size(self) -> int:
        """Return the bytes of all files."""
        total = 0
        for path in self._folder.glob(f"*/*{SUFFIX}"):
            with suppress(FileNotFoundError):  # just replaced
                total += path.stat().st_size
        return total


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _parts(arrays: Arrays) -> list[bytes]:
    """Return the description and the arrays, each beginning at a multiple of `ALIGNED` after the description."""
    described, parts, place = {}, list[bytes](), 0
    for name, array in arrays.items():
        content = np.ascontiguousarray(array).tobytes()
        described[name] = [array.dtype.str, array.shape, place]
        padding = bytes(-len(content) % ALIGNED)
        parts += [content, padding]
        place += len(content) + len(padding)
    head = json.dumps({"arrays": described, "bytes": place}).encode()
    return [head, b" " * ((-len(head) - 1) % ALIGNED), b"\n", *parts]


def _arrays(path: Path) -> Arrays:
    """Read or map a file. Raises `ValueError` if it is incomplete."""
    with path.open("rb") as file:
        head = file.readline()
        described = json.loads(head)
        if path.stat().st_size != len(head) + described["bytes"]:
            raise ValueError("It is incomplete.")
        if described["bytes"] < MAPPED_FROM:
            content = np.frombuffer(file.read(), dtype=np.uint8)
        else:
            content = np.asarray(np.memmap(path, dtype=np.uint8, mode="r", offset=len(head)))
    return {name: _array(content, *description) for name, description in described["arrays"].items()}


def _array(content: NDArray[np.uint8], kind: str, shape: list[int], place: int) -> NDArray[Any]:
    size = prod(shape) * np.dtype(kind).itemsize
    return content[place : place + size].view(kind).reshape(shape)
