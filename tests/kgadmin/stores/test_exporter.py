"""Exports are made of any model that can be, and are there whole or not at all."""

import shutil
from pathlib import Path

import pytest

from kgadmin.stores import export_files, exporter
from kgadmin.stores.export_files import UnfitExportError
from kgadmin.stores.exported import ExportedEmbedder, load
from kgadmin.stores.model_files import model_id
from kgadmin.stores.sentence_transformers import SentenceTransformerEmbedder, read
from tests.tiny_models import small_bert, table_of_vectors


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_bert(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def made(model: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exporter.export(model, tmp_path_factory.mktemp("exports"))


def test_a_model_of_another_build_has_its_own_vectors_in_its_export(model: str, made: Path) -> None:
    texts = ["", "the ocean", *exporter.SAMPLES, "more than sixty-four tokens " * 40]
    exported = ExportedEmbedder(model, [made.parent])
    cosines = (exported.embed(texts) * SentenceTransformerEmbedder(model).embed(texts)).sum(axis=1)
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
        export_files.find(model_id(model), [exports])
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
