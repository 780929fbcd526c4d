"""The embedder: any sentence-transformers model that lies on this machine."""

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from kgadmin.stores.embedder import Embedder, Vectors
from kgadmin.stores.errors import StoreError
from kgadmin.stores.model_files import model_folder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

State = Literal["cold", "warming", "up", "down"]
BATCH = 8
"""Texts per call of the model: more cost memory (500 MB and more), and a turn waits for the batch before it."""
REMEMBERED = 4096
"""Texts whose vectors are kept: about 6 MB."""


class SentenceTransformerEmbedder(Embedder):
    """One model, loaded when it is first needed. A failed load is remembered until the process ends."""

    def __init__(self, model: str) -> None:
        self._name = model
        self._model: SentenceTransformer | None = None
        self._failure: StoreError | None = None
        self._state: State = "cold"
        self._loading = threading.Lock()
        self._encoding = threading.Lock()  # the tokenizer can't be used by two threads ("Already borrowed")
        self._known = _Remembered(REMEMBERED)

    @cached_property
    def id(self) -> str:
        """The model's name and a digest of its files; `StoreError` if the model isn't there."""
        return f"{Path(self._name).name}@{_digest(model_folder(self._name))}"

    @property
    def state(self) -> State:
        """Whether the model is loaded: not asked for yet, loading, loaded, or failed to load."""
        return self._state

    @property
    def failure(self) -> str:
        """Why the model could not be loaded, as a sentence."""
        return self._failure.message if self._failure else ""

    def warm(self) -> None:
        """Load the model and run it once. A failure doesn't raise here; `state` and `failure` tell it."""
        model = self._load()
        if model is not None:
            self._encode(model, ["warm"])

    def embed(self, texts: Sequence[str]) -> Vectors:
        found = self._known.get(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            fresh = dict(zip(missing, self._compute(missing), strict=True))
            self._known.add(fresh)
            found |= fresh
        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        return np.stack([found[text] for text in texts])

    def _compute(self, texts: list[str]) -> Vectors:
        model = self._load()
        if model is None:
            raise StoreError(self.failure, retryable=False) from self._failure
        by_length = sorted(texts, key=len)
        batches = [by_length[start : start + BATCH] for start in range(0, len(by_length), BATCH)]
        rows = np.concatenate([self._encode(model, batch) for batch in batches])
        place = {text: number for number, text in enumerate(by_length)}
        return rows[[place[text] for text in texts]]

    def _encode(self, model: "SentenceTransformer", texts: list[str]) -> Vectors:
        with self._encoding:
            vectors = model.encode(texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    def _load(self) -> "SentenceTransformer | None":
        if self._model is None and self._failure is None:
            with self._loading:
                if self._model is None and self._failure is None:
                    self._load_once()
        return self._model

    def _load_once(self) -> None:
        self._state = "warming"
        try:
            self._model = _read(model_folder(self._name))
        except StoreError as error:
            self._failure = error
        self._state = "down" if self._failure else "up"


class _Remembered:
    """The vectors of the texts that were asked for last."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._rows: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, texts: Sequence[str]) -> dict[str, Vectors]:
        with self._lock:
            found = {text: self._rows[text] for text in texts if text in self._rows}
            for text in found:
                self._rows.move_to_end(text)
        return found

    def add(self, rows: dict[str, Vectors]) -> None:
        with self._lock:
            self._rows |= rows
            while len(self._rows) > self._size:
                self._rows.popitem(last=False)


def _read(folder: Path) -> "SentenceTransformer":
    os.environ["HF_HUB_OFFLINE"] = "1"  # read when the libraries are imported: nothing is looked up on the network
    from safetensors import SafetensorError
    from sentence_transformers import SentenceTransformer

    try:
        return SentenceTransformer(str(folder), device="cpu")
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, ImportError, SafetensorError) as error:
        raise StoreError(f"The embedding model in {folder} can't be loaded: {error}", retryable=False) from error


def _digest(folder: Path) -> str:
    """Changes when the model does, in milliseconds: names and sizes of all files, and samples of their content."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.suffix in {".json", ".txt", ".safetensors", ".bin"}):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(folder)} {size}".encode())
        with path.open("rb") as file:
            for sample in range(16):
                file.seek(size * sample // 16)
                digest.update(file.read(4096))
    return digest.hexdigest()[:12]
