"""Only an export that is whole, of this model, and for these libraries is found."""

import json
from pathlib import Path

import pytest

from kgadmin.stores import export_files
from kgadmin.stores.export_files import MANIFEST, NETWORK, UnfitExportError

MODEL = "m@0123456789ab"


def sealed(folder: Path, model: str = MODEL) -> Path:
    export = folder / MODEL
    export.mkdir(parents=True)
    (export / NETWORK).write_bytes(b"a network")
    export_files.seal(export, model)
    return export


def why_none(folder: Path) -> str:
    with pytest.raises(UnfitExportError) as caught:
        export_files.find(MODEL, [folder])
    return str(caught.value)


def test_the_first_that_is_whole_is_found(tmp_path: Path) -> None:
    in_data, installed = sealed(tmp_path / "own"), sealed(tmp_path / "installed")
    folders = [tmp_path / "nothing", tmp_path / "own", tmp_path / "installed"]
    assert export_files.find(MODEL, folders) == in_data
    (in_data / NETWORK).write_bytes(b"a netw")
    assert export_files.find(MODEL, folders) == installed


def test_one_of_another_model_or_for_other_libraries_is_not_trusted(tmp_path: Path) -> None:
    export = sealed(tmp_path, "other@0123456789ab")
    reason = f"The export in {export} was made for another model, or other versions of onnxruntime and tokenizers."
    assert why_none(tmp_path) == reason
    export_files.seal(export, MODEL)
    manifest = json.loads((export / MANIFEST).read_text())
    manifest["libraries"]["onnxruntime"] = "1.0.0"
    (export / MANIFEST).write_text(json.dumps(manifest))
    assert why_none(tmp_path) == reason
