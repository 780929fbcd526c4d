"""What the probe compares bases by, counted when a base has changed.

How often each stem stands in it: rates don't depend on a base's size. And how near to it messages come that are about
nothing of it: what a base's usual similarity is, differs between bases.
"""

from collections import Counter

import numpy as np

from characters.domain.words import stems
from characters.domain.words.idle import TEXTS
from kgadmin.knowledge.models import KnowledgeBase, WordCounts
from kgadmin.stores.embedder import Embedder

NEAREST = 3
PAGE = 1000


def recount(base: KnowledgeBase, embedder: Embedder) -> None:
    """Count the words of all chunks anew, and compare idle messages with all of them. Raises `StoreError`."""
    counts: Counter[str] = Counter()
    for heading, text in base.chunks.values_list("heading", "text").iterator():
        counts.update(stems(f"{heading}\n{text}"))
    defaults = {"counts": dict(counts), "total": counts.total(), "idle": _idle(base, embedder)}
    WordCounts.objects.update_or_create(base=base, defaults=defaults)


def _idle(base: KnowledgeBase, embedder: Embedder) -> list[list[float]]:
    """Per idle message its highest similarities; from the rows, page by page: exact, and no engine is asked."""
    idle = embedder.embed(TEXTS)
    best = np.zeros((len(TEXTS), 0), dtype=np.float32)
    vectors = base.chunks.exclude(vector=None).order_by("pk").values_list("vector", flat=True)
    for start in range(0, vectors.count(), PAGE):
        page = b"".join(bytes(vector or b"") for vector in vectors[start : start + PAGE])
        rows = np.frombuffer(page, dtype=np.float32).reshape(-1, idle.shape[1])
        best = np.sort(np.concatenate([best, idle @ rows.T], axis=1), axis=1)[:, -NEAREST:]
    return [[round(float(value), 4) for value in row[::-1]] for row in best]
