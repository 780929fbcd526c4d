"""Pieces of words as figures: how often runs of 3 to 5 letters stand in a text, hashed. Pure; no Django."""

import numpy as np
from numpy.typing import NDArray

SIZE = 4096
LENGTHS = (3, 4, 5)
MOST = 6_000
"""Characters that are looked at."""
_FACTOR = np.uint64(1_000_003)
_MIX = np.uint64(0x9E3779B97F4A7C15)


def counted(text: str) -> NDArray[np.float32]:
    """Shape (SIZE,), of unit length; nothing but zeros for an empty text."""
    plain = " ".join(text.lower().split())[:MOST]
    codes = np.frombuffer(f" {plain} ".encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.uint64)
    found = np.zeros(SIZE, dtype=np.float32)
    for length in LENGTHS:
        if len(codes) >= length + 2:
            found += np.bincount(_places(codes, length), minlength=SIZE).astype(np.float32)
    found = np.log1p(found)
    return np.asarray(found / max(1e-9, float(np.linalg.norm(found))), dtype=np.float32)


def _places(codes: NDArray[np.uint64], length: int) -> NDArray[np.int64]:
    runs = np.full(len(codes) - length + 1, length, dtype=np.uint64)
    for place in range(length):
        runs = runs * _FACTOR + codes[place : len(codes) - length + 1 + place]
    return np.asarray((runs * _MIX) >> np.uint64(52), dtype=np.int64)
