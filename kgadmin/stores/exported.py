"""The embedder of web processes and workers: ONNX Runtime with an export of the same model, without torch."""

import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import numpy as np

from kgadmin.stores import export_files, sentence_transformers
from kgadmin.stores.embedder import LoadedModel, LocalEmbedder, Vectors
from kgadmin.stores.export_files import UnfitExportError

logger = logging.getLogger(__name__)

COLUMNS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""The names of a network's inputs, and what the tokenizer calls them."""
THREADS = 2
HOW_TO_MAKE_ONE = "`manage.py export_embedder` makes one; processes that start then use it."


class ExportedEmbedder(LocalEmbedder):
    """The first export in `folders` that fits the model; without one sentence-transformers, and `note` says why."""

    def __init__(self, model: str, folders: Sequence[Path]) -> None:
        super().__init__(model)
        self._folders = folders

    def _read(self, folder: Path) -> LoadedModel:
        try:
            return load(export_files.find(self.id, self._folders))
        except UnfitExportError as error:
            note = f"{error} {HOW_TO_MAKE_ONE}"
            logger.warning("This process embeds with sentence-transformers: %s", note)
            return replace(sentence_transformers.load(folder), note=note)


def load(export: Path) -> LoadedModel:
    """The export. Raises `UnfitExportError`. Threads that don't spin leave the processors to other turns."""
    # Of the tokenizer's threads: for eight short texts they cost more than they bring. Read when first needed.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from onnxruntime import InferenceSession, SessionOptions
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf, NoSuchFile
    from tokenizers import Tokenizer

    options = SessionOptions()
    options.intra_op_num_threads = THREADS
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = InferenceSession(export / export_files.NETWORK, options, providers=["CPUExecutionProvider"])
    except (Fail, InvalidGraph, InvalidProtobuf, NoSuchFile) as error:
        raise UnfitExportError(f"The export in {export} can't be loaded: {error}") from error
    tokenizer = Tokenizer.from_file(str(export / export_files.TOKENIZER))
    inputs = [given.name for given in session.get_inputs()]

    def encode(texts: list[str]) -> Vectors:
        encodings = tokenizer.encode_batch(texts)
        columns = {
            name: np.array([getattr(each, COLUMNS[name]) for each in encodings], dtype=np.int64) for name in inputs
        }
        vectors: Vectors = session.run(None, columns)[0]
        return vectors

    return LoadedModel(f"ONNX Runtime {version('onnxruntime')}", encode)
