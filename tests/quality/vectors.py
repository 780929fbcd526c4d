"""Vectors that outlive a run: the same texts are evaluated again after each change of a stage."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from characters.turn.request import Vectors
from kgadmin.stores.embedder import Embedder
from kgadmin.stores.exported import FORM

BATCH = 256


class StoredVectors:
    """Embeds, and keeps what it embedded in one file per model. `save` writes it."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        self._file = folder / f"vectors-{embedder.id.replace('/', '-')}-{FORM}.npz"
        self._rows: dict[str, Vectors] = {}
        self._is_new = False
        if self._file.exists():
            with np.load(self._file) as stored:
                self._rows = dict(zip(json.loads(stored["texts"].tobytes()), stored["vectors"], strict=True))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (texts, dimensions). Raises `StoreError`."""
        self.prepare(texts)
        return np.stack([self._rows[text] for text in texts]) if texts else np.empty((0, 0), dtype=np.float32)

    def prepare(self, texts: Sequence[str]) -> None:
        """Embed many texts at once, short ones with short ones."""
        missing = sorted({text for text in texts if text not in self._rows}, key=len)
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            self._rows |= dict(zip(batch, self._embedder.embed(batch), strict=True))
            self._is_new = True

    def save(self) -> None:
        """Keep the vectors for the next run."""
        if self._is_new:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            texts = np.frombuffer(json.dumps(list(self._rows)).encode(), dtype=np.uint8)
            np.savez(self._file, texts=texts, vectors=np.stack(list(self._rows.values())))
