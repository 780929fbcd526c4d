"""Index files on a disk: whole or not there, of one version, for the program's user alone."""

from pathlib import Path

import numpy as np
import pytest

from kgadmin.stores.index_files import IndexFiles


@pytest.fixture
def files(tmp_path: Path) -> IndexFiles:
    return IndexFiles(tmp_path / "indexes")


def filled(value: float) -> dict[str, np.ndarray]:
    return {"vectors": np.full((2, 3), value, dtype=np.float32), "ids": np.arange(2)}


def test_what_was_written_is_read_back_by_its_version_and_a_newer_one_replaces_it(files: IndexFiles) -> None:
    assert files.read("a", "1") is None
    files.write("a", "1", filled(1.0))
    former = files.read("a", "1")
    assert former is not None
    files.write("a", "2", filled(2.0))
    assert (files.versions("a"), files.read("a", "1") is former) == (["2"], True)
    newer = files.read("a", "2")
    assert newer is not None
    assert (former["vectors"].sum(), newer["vectors"].sum(), newer["ids"].tolist()) == (6.0, 12.0, [0, 1])
    assert IndexFiles(files._folder).read("a", "1") is None


def test_nobody_else_can_read_them(files: IndexFiles) -> None:
    files.write("a", "1", filled(1.0))
    folder = files._folder / "a" / "1"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_broken_and_half_written_ones_are_not_there(files: IndexFiles) -> None:
    files.write("a", "1", filled(1.0))
    (files._folder / "a" / "1" / "ids.npy").write_bytes(b"no array")
    assert files.read("a", "1") is None
    (files._folder / "a" / ".unfinished").mkdir()
    assert files.versions("a") == ["1"]
    files.write("a", "2", filled(2.0))
    assert [path.name for path in (files._folder / "a").iterdir()] == ["2"]


def test_dropped_ones_are_gone_and_of_a_missing_owner_nothing_is_said(files: IndexFiles) -> None:
    for owner in "ab":
        files.write(owner, "1", filled(1.0))
        assert files.read(owner, "1")
    files.drop("a")
    files.drop("never there")
    assert (files.read("a", "1"), files.owners(), files.size() > 0) == (None, ["b"], True)
