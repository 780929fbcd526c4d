"""Exports: made of any model that can be, whole or not at all, and trusted only where they fit."""

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from kgadmin.stores import exported, exporter
from kgadmin.stores.embedder import LoadedModel
from kgadmin.stores.exported import MANIFEST, NETWORK, ExportedEmbedder, UnfitExportError, load
from kgadmin.stores.model_files import PACKAGED, model_id
from kgadmin.stores.sentence_transformers import read
from tests.kgadmin.stores.odd_texts import ODD
from tests.tiny_models import small_bert, table_of_vectors

SAME = 0.9999


def test_a_vector_depends_on_no_other_text_of_its_batch_and_on_no_thread(export: Path) -> None:
    encode = load(export).encode
    alone = {text: encode([text])[0] for text in ODD}
    batches = [[*ODD, *ODD][start : start + 1 + start % 8] for start in range(len(ODD))]
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
    with (broken / exported.WEIGHTS).open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"\0" * 1000)
    return f"The export in {broken} is broken."


def with_another_network(folder: Path, export: Path) -> str:
    unreadable = shutil.copytree(export, folder / export.name)
    (unreadable / exported.NETWORK).write_bytes(b"no network")
    exported.seal(unreadable, export.name)
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


MODEL = "m@0123456789ab"


def sealed(folder: Path, model: str = MODEL) -> Path:
    export = folder / MODEL
    export.mkdir(parents=True)
    (export / NETWORK).write_bytes(b"a network")
    exported.seal(export, model)
    return export


def why_none(folder: Path) -> str:
    with pytest.raises(UnfitExportError) as caught:
        exported.find(MODEL, [folder])
    return str(caught.value)


def test_the_first_that_is_whole_is_found(tmp_path: Path) -> None:
    in_data, installed = sealed(tmp_path / "own"), sealed(tmp_path / "installed")
    folders = [tmp_path / "nothing", tmp_path / "own", tmp_path / "installed"]
    assert exported.find(MODEL, folders) == in_data
    (in_data / NETWORK).write_bytes(b"a netw")
    assert exported.find(MODEL, folders) == installed


def test_one_of_another_model_or_for_other_libraries_is_not_trusted(tmp_path: Path) -> None:
    export = sealed(tmp_path, "other@0123456789ab")
    versions = "another version of this program, onnxruntime or tokenizers"
    reason = f"The export in {export} was made for another model or {versions}."
    assert why_none(tmp_path) == reason
    exported.seal(export, MODEL)
    manifest = json.loads((export / MANIFEST).read_text())
    manifest["libraries"]["onnxruntime"] = "1.0.0"
    (export / MANIFEST).write_text(json.dumps(manifest))
    assert why_none(tmp_path) == reason


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_bert(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def made(model: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exporter.export(model, tmp_path_factory.mktemp("exports"))


def test_a_model_of_another_build_has_its_own_vectors_in_its_export(model: str, made: Path) -> None:
    texts = ["", "the ocean", *exporter.SAMPLES, "more than sixty-four tokens " * 40]
    exported = ExportedEmbedder(model, [made.parent])
    cosines = (exported.embed(texts) * ExportedEmbedder(model, []).embed(texts)).sum(axis=1)
    assert (made.name, exported.note) == (model_id(model), "")
    assert cosines.min() >= exporter.SAME


def test_a_changed_model_has_no_export_until_there_is_a_new_one_in_place_of_the_former(
    made: Path, tmp_path: Path
) -> None:
    exports = tmp_path / "exports"
    former = shutil.copytree(made, exports / made.name)
    encode = load(former).encode
    model = small_bert(tmp_path, seed=1)
    with pytest.raises(UnfitExportError, match=r"^There is no export of small-bert@\w{12}\.$"):
        exported.find(model_id(model), [exports])
    with pytest.raises(UnfitExportError, match=r"vectors of its export differ \(cosine "):
        exporter._compare(read(Path(model)), former)
    newer = exporter.export(model, exports)
    assert list(exports.iterdir()) == [newer]
    assert newer != former
    assert {oct(path.stat().st_mode)[-3:] for path in (newer, *newer.iterdir())} == {"755", "644"}
    assert encode(["who has it open keeps it"]).shape == (1, 32)


def test_a_model_of_another_kind_is_refused_and_leaves_nothing_behind(tmp_path: Path) -> None:
    model = table_of_vectors(tmp_path)
    with pytest.raises(UnfitExportError, match=r"^The model can't be exported: its tokenizer is none of"):
        exporter.export(model, tmp_path / "exports")
    assert list((tmp_path / "exports").iterdir()) == []
