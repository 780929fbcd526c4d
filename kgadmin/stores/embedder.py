"""Texts to vectors."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Shape (n, dimensions), rows of unit length, so that `a @ b.T` is the cosine similarity."""


class Embedder(Protocol):
    """Texts to vectors, by one model."""

    @property
    @abstractmethod
    def id(self) -> str:
        """Names the model; stored with every vector, since vectors of two models are never compared."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed `texts` in one batch. Raises `StoreError` if the model can't be loaded."""
