"""Where exports of embedding models lie, in folders named by the model's id, and whether one can be used."""

import hashlib
import json
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

INSTALLED = Path(sys.prefix) / "share" / "kgadmin" / "embedder"
"""Comes with the installation; the data folder's own exports go before it."""

NETWORK, WEIGHTS, TOKENIZER, MANIFEST = "model.onnx", "model.onnx.data", "tokenizer.json", "export.json"
LIBRARIES = ("onnxruntime", "tokenizers")
"""An export is read by the versions that it was tried with, and by no others."""


class UnfitExportError(Exception):
    """There is no export that could be used; the text is a sentence that says why."""


def data_folder(data_dir: Path) -> Path:
    """Where a program with this data folder keeps the exports of its own models."""
    return data_dir / "embedder"


def find(model: str, folders: Iterable[Path]) -> Path:
    """The first export of the model with this id that is complete. Raises `UnfitExportError`: why there is none."""
    reasons = []
    for export in (folder / model for folder in folders if (folder / model).is_dir()):
        try:
            check(export, model)
        except UnfitExportError as error:
            reasons.append(str(error))
        else:
            return export
    raise UnfitExportError(" ".join(reasons) or f"There is no export of {model}.")


def check(export: Path, model: str) -> None:
    """Raises `UnfitExportError` where the export isn't of this model, for these libraries, and complete."""
    try:
        manifest = json.loads((export / MANIFEST).read_text())
    except (OSError, ValueError):
        manifest = {}
    if not isinstance(manifest, dict) or manifest.get("files") != _digests(export):
        raise UnfitExportError(f"The export in {export} is broken.")
    if manifest != _manifest(export, model):
        libraries = " and ".join(LIBRARIES)
        raise UnfitExportError(f"The export in {export} was made for another model, or other versions of {libraries}.")


def seal(export: Path, model: str) -> None:
    """Write the manifest of an export whose files are there."""
    (export / MANIFEST).write_text(json.dumps(_manifest(export, model), indent=1) + "\n")


def _manifest(export: Path, model: str) -> dict[str, Any]:
    libraries = {name: version(name) for name in LIBRARIES}
    return {"model": model, "libraries": libraries, "files": _digests(export)}


def _digests(export: Path) -> dict[str, str]:
    """Of the full files (0.1 to 0.3 s): weights that were cut or changed would be computed with, and say nothing."""
    files = [path for path in sorted(export.iterdir()) if path.name != MANIFEST]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
