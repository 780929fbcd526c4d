"""The embedder of models without an export: sentence-transformers."""

import os
import threading
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kgadmin.stores.embedder import LoadedModel, Vectors
from kgadmin.stores.errors import StoreError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


BATCH = 8
"""Texts per call of the model: more take memory (500 MB and more), and a turn waits for the batch before it."""


def load(folder: Path) -> LoadedModel:
    """Load the model in `folder`. Raises `StoreError`."""
    model = read(folder)
    encoding = threading.Lock()  # the tokenizer can't be used by two threads ("Already borrowed")

    def encode(texts: list[str]) -> Vectors:
        with encoding:
            vectors = model.encode(texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    return LoadedModel(f"sentence-transformers {version('sentence-transformers')}", encode)


def read(folder: Path) -> "SentenceTransformer":
    """Return the library's own object. Raises `StoreError`."""
    os.environ["HF_HUB_OFFLINE"] = "1"  # read when the libraries are imported: nothing is looked up on the network
    # Read then, too. Threads that spin while they wait take the processors from turns, and from each other.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from safetensors import SafetensorError
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(str(folder), device="cpu")
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, ImportError, SafetensorError) as error:
        raise StoreError(f"The embedding model in {folder} can't be loaded: {error}", retryable=False) from error
