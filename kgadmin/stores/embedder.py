"""Embed texts. Shared parts of the embedders that run on this machine: loading once, a cache."""

import threading
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from kgadmin.stores.cache import Cache
from kgadmin.stores.errors import StoreError
from kgadmin.stores.model_files import model_folder, model_id

Vectors = NDArray[np.float32]
"""Shape (n, dimensions), rows of unit length, so that `a @ b.T` is the cosine similarity."""

State = Literal["cold", "warming", "up", "down"]
CACHE_BYTES = 8_000_000
"""Cache size: some 4,000 texts with their vectors, 1.5 KB each."""


class Embedder(Protocol):
    """Embeds texts with one model."""

    @property
    @abstractmethod
    def id(self) -> str:
        """Return the model's id; stored with every vector, since vectors of two models are never compared."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text, in their order. Raises `StoreError` if the model can't be loaded."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in memory. `encode` may be called by several threads at once."""

    library: str
    """Name and version of the library that computes."""
    encode: Callable[[list[str]], Vectors]
    note: str = ""
    """Sentences for whoever looks after the program."""


class LocalEmbedder(Embedder):
    """One model, loaded when it is first needed. A failed load is remembered until the process ends."""

    def __init__(self, model: str) -> None:
        self._name = model
        self._model: LoadedModel | None = None
        self._error: StoreError | None = None
        self.state: State = "cold"
        """State of the model: not asked for yet, loading, loaded, or failed to load."""
        self.failure = ""
        """Why the model could not be loaded, as a sentence."""
        self.library = ""
        """Name and version of the library that computes; empty until the model is loaded."""
        self.note = ""
        """Notes on how the model was loaded; mostly empty."""
        self._loading = threading.Lock()
        self._cache: Cache[str, Vectors] = Cache("Embedded texts", CACHE_BYTES)

    @cached_property
    def id(self) -> str:
        """Return the model's name and a digest of its files; `StoreError` if the model is missing."""
        return model_id(self._name)

    def warm(self) -> None:
        """Load the model and run it once. A failure doesn't raise here; `state` and `failure` report it."""
        model = self._load()
        if model is not None:
            model.encode(["warm"])

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        vectors = {text: vector for text in texts if (vector := self._cache.get(text)) is not None}
        if missing := [text for text in dict.fromkeys(texts) if text not in vectors]:
            for text, vector in zip(missing, self.compute(missing), strict=True):
                vectors[text] = self._cache.put(text, vector, vector.nbytes + len(text))
        return np.stack([vectors[text] for text in texts])

    def compute(self, texts: list[str]) -> Vectors:
        """Embed `texts` without the cache. Raises `StoreError`."""
        model = self._load()
        if model is None:
            raise StoreError(self.failure, retryable=False) from self._error
        return model.encode(texts)

    @abstractmethod
    def _read(self, folder: Path) -> LoadedModel:
        """Load the model in `folder`. Raises `StoreError`."""

    def _load(self) -> LoadedModel | None:
        if self._model is None and self._error is None:
            with self._loading:
                if self._model is None and self._error is None:
                    self.state = "warming"
                    try:
                        self._model = self._read(model_folder(self._name))
                        self.state, self.library, self.note = "up", self._model.library, self._model.note
                    except StoreError as error:
                        self._error, self.failure, self.state = error, error.message, "down"
        return self._model
