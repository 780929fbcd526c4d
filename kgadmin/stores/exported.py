"""The embedder of web processes and workers: ONNX Runtime with an export of the same model, without torch."""

import hashlib
import json
import logging
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgadmin.stores import sentence_transformers
from kgadmin.stores.embedder import LoadedModel, LocalEmbedder, Vectors

if TYPE_CHECKING:
    from tokenizers import Encoding

logger = logging.getLogger(__name__)

INSTALLED = Path(sys.prefix) / "share" / "kgadmin" / "embedder"
"""Export that comes with the installation; the data folder's own exports take precedence."""

NETWORK, WEIGHTS, TOKENIZER, MANIFEST = "model.onnx", "model.onnx.data", "tokenizer.json", "export.json"
FORM = "int8-32"
"""How an export's weights are stored; those of earlier versions of this program were float32."""
LIBRARIES = ("onnxruntime", "tokenizers")
"""Versions of the libraries that an export was tested with; others don't read it."""

COLUMNS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""Names of a network's inputs, and the tokenizer's names for them."""
THREADS, BATCH = 2, 8
"""Batches that are computed at the same time, and the most texts of one."""
HOW_TO_MAKE_ONE = "`manage.py export_embedder` makes one; processes that start then use it."


class UnfitExportError(Exception):
    """No usable export; the text is a sentence that says why."""


def data_folder(data_dir: Path) -> Path:
    """Return where a program with this data folder stores the exports of its own models."""
    return data_dir / "embedder"


def find(model: str, folders: Iterable[Path]) -> Path:
    """Return the first complete export of the model with this id. Raises `UnfitExportError` with the reason."""
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
    """Check that the export is of this model, for these libraries, and complete. Raises `UnfitExportError`."""
    try:
        manifest = json.loads((export / MANIFEST).read_text())
    except (OSError, ValueError):
        manifest = {}
    if not isinstance(manifest, dict) or manifest.get("files") != _digests(export):
        raise UnfitExportError(f"The export in {export} is broken.")
    if manifest != _manifest(export, model):
        libraries = " or ".join(LIBRARIES)
        raise UnfitExportError(
            f"The export in {export} was made for another model or another version of this program, {libraries}."
        )


def seal(export: Path, model: str) -> None:
    """Write the manifest of an export; all its other files must be complete."""
    (export / MANIFEST).write_text(json.dumps(_manifest(export, model), indent=1) + "\n")


def _manifest(export: Path, model: str) -> dict[str, Any]:
    libraries = {name: version(name) for name in LIBRARIES}
    return {"model": model, "form": FORM, "libraries": libraries, "files": _digests(export)}


def _digests(export: Path) -> dict[str, str]:
    """Return digests of the whole files (0.1 to 0.3 s): truncated weights would compute without an error."""
    files = [path for path in sorted(export.iterdir()) if path.name != MANIFEST]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


class ExportedEmbedder(LocalEmbedder):
    """Embeds with the first fitting export in `folders`, or sentence-transformers if there is none; `note` says why."""

    def __init__(self, model: str, folders: Sequence[Path]) -> None:
        super().__init__(model)
        self._folders = folders

    def _read(self, folder: Path) -> LoadedModel:
        try:
            return load(find(self.id, self._folders))
        except UnfitExportError as error:
            note = f"{error} {HOW_TO_MAKE_ONE}"
            logger.warning("This process embeds with sentence-transformers: %s", note)
            return replace(sentence_transformers.load(folder), note=note)


def _of_one_length(encodings: Sequence["Encoding"]) -> list[list[int]]:
    """Return the places of the texts that are embedded together: of as many tokens, so that nothing is padded."""
    by_length: dict[int, list[int]] = {}
    for place, encoding in enumerate(encodings):
        by_length.setdefault(len(encoding.ids), []).append(place)
    longest = sorted(by_length.items(), reverse=True)
    return [places[start : start + BATCH] for _, places in longest for start in range(0, len(places), BATCH)]


def load(export: Path) -> LoadedModel:
    """Load the export. Raises `UnfitExportError`."""
    # For one text the tokenizer's threads cost more than they save. Read when first needed.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from onnxruntime import InferenceSession, SessionOptions
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf, NoSuchFile
    from tokenizers import Tokenizer

    options = SessionOptions()
    options.intra_op_num_threads = 1
    try:
        session = InferenceSession(export / NETWORK, options, providers=["CPUExecutionProvider"])
    except (Fail, InvalidGraph, InvalidProtobuf, NoSuchFile) as error:
        raise UnfitExportError(f"The export in {export} can't be loaded: {error}") from error
    tokenizer = Tokenizer.from_file(str(export / TOKENIZER))
    inputs = [given.name for given in session.get_inputs()]

    threads = ThreadPoolExecutor(THREADS, thread_name_prefix="embed")

    def run(encodings: list["Encoding"]) -> Vectors:
        columns = {
            name: np.array([getattr(each, COLUMNS[name]) for each in encodings], dtype=np.int64) for name in inputs
        }
        vectors: Vectors = session.run(None, columns)[0]
        return vectors

    def encode(texts: list[str]) -> Vectors:
        encodings = [tokenizer.encode(text) for text in texts]
        together = _of_one_length(encodings)
        vectors = threads.map(lambda places: run([encodings[place] for place in places]), together)
        rows = np.concatenate(list(vectors))
        return rows[np.argsort(np.concatenate(together))]

    return LoadedModel(f"ONNX Runtime {version('onnxruntime')}", encode)
