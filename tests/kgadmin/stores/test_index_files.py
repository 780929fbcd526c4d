"""Index files on a disk: whole or not there, of one version, for the program's user alone."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kgadmin.stores import index_files
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
    home = files._folder / "a"
    assert home.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in home.iterdir()} == {0o600}


def test_a_broken_one_is_not_there_and_is_made_anew(files: IndexFiles) -> None:
    for spoilt in (b"", b"no index", None):
        files.write("a", "1", filled(1.0))
        path = files._folder / "a" / "1.index"
        path.write_bytes(path.read_bytes()[:-1] if spoilt is None else spoilt)
        assert files.read("a", "1") is None
        assert files.versions("a") == []


def test_a_large_one_is_mapped_and_the_same(files: IndexFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write("a", "1", filled(1.0))
    monkeypatch.setattr(index_files, "MAPPED_FROM", 0)
    arrays = files.read("a", "1")
    assert arrays is not None
    assert {name: array.tolist() for name, array in arrays.items()} == {
        name: array.tolist() for name, array in filled(1.0).items()
    }


def test_two_that_write_at_once_leave_one_whole_version(files: IndexFiles) -> None:
    def write(number: int) -> None:
        files.write("a", str(number % 3), filled(number))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(60)))
    files.write("a", "9", filled(9.0))
    assert files.versions("a") == ["9"]
    assert sorted(path.name for path in files._folder.iterdir()) == ["a"]


def test_a_full_disk_is_logged_and_no_error(files: IndexFiles, caplog: pytest.LogCaptureFixture) -> None:
    files._folder.mkdir()
    (files._folder / "a").write_text("a file where a folder should be")
    files.write("a", "1", filled(1.0))
    assert "was not written" in caplog.text
    assert [path.name for path in files._folder.iterdir()] == ["a"]


def test_dropped_ones_are_gone_and_of_a_missing_owner_nothing_is_said(files: IndexFiles) -> None:
    for owner in "ab":
        files.write(owner, "1", filled(1.0))
        assert files.read(owner, "1")
    files.drop("a")
    files.drop("never there")
    assert (files.read("a", "1"), files.owners(), files.size() > 0) == (None, ["b"], True)
