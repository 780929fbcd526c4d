"""The export by itself; that its vectors are the model's own is in `test_sentence_transformers`."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kgadmin.stores import export_files
from kgadmin.stores.embedder import BATCH, LoadedModel
from kgadmin.stores.exported import ExportedEmbedder, load
from kgadmin.stores.model_files import PACKAGED
from tests.kgadmin.stores.odd_texts import ODD

SAME = 0.9999


def test_a_vector_depends_on_no_other_text_of_its_batch_and_on_no_thread(export: Path) -> None:
    encode = load(export).encode
    alone = {text: encode([text])[0] for text in ODD}
    batches = [[*ODD, *ODD][start : start + 1 + start % BATCH] for start in range(len(ODD))]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(encode, batches))
    for batch, vectors in zip(batches, together, strict=True):
        assert vectors.dtype == np.float32
        assert (np.stack([alone[text] for text in batch]) * vectors).sum(axis=1).min() >= SAME, batch


def nothing(folder: Path, export: Path) -> str:
    return (
        f"There is no export of {export.name}. `manage.py export_embedder` makes one; processes that start then use it."
    )


def with_broken_weights(folder: Path, export: Path) -> str:
    broken = shutil.copytree(export, folder / export.name)
    with (broken / export_files.WEIGHTS).open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"\0" * 1000)
    return f"The export in {broken} is broken."


def with_another_network(folder: Path, export: Path) -> str:
    unreadable = shutil.copytree(export, folder / export.name)
    (unreadable / export_files.NETWORK).write_bytes(b"no network")
    export_files.seal(unreadable, export.name)
    return f"The export in {unreadable} can't be loaded"


@pytest.mark.parametrize("spoil", [nothing, with_broken_weights, with_another_network])
def test_without_an_export_sentence_transformers_embeds_and_the_note_says_why(
    tmp_path: Path,
    export: Path,
    spoil: Callable[[Path, Path], str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vectors = np.ones((1, 2), dtype=np.float32)
    other = LoadedModel("sentence-transformers 0", lambda texts: vectors)
    monkeypatch.setattr("kgadmin.stores.sentence_transformers.load", lambda folder: other)
    why = spoil(tmp_path, export)
    alone = ExportedEmbedder(PACKAGED, [tmp_path])
    assert alone.embed(["the ocean"]).tolist() == vectors.tolist()
    assert (alone.state, alone.library) == ("up", other.library)
    assert alone.note.startswith(why)
    assert alone.note in caplog.text
