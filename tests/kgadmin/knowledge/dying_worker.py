"""A worker that ends or stops itself at the first pass of one point of an ingestion."""

import os
import signal
from collections.abc import Callable
from itertools import count
from typing import Any

from django.conf import settings

from kgadmin.jobs import runner
from kgadmin.knowledge import ingest
from kgadmin.stores import wiring
from tests.kgadmin.knowledge.ingestion import use_hash_embedder


def main(job_id: int, point: str, signal_name: str) -> None:
    embedder = use_hash_embedder()
    # Small batches: every point is passed several times.
    ingest.EMBED_BATCH, ingest.WRITE_BATCH = 4, 4
    settings.JOB_HANDLERS["twin"] = settings.JOB_HANDLERS["ingest"]
    passes = count(1)

    def strike() -> None:
        if next(passes) == 1:
            os.kill(os.getpid(), signal.Signals[signal_name])

    for place, owner, name in points(embedder):
        if point == place:
            patch(owner, name, strike, after=place.startswith("after"))
    runner.run(job_id)


def points(embedder: object) -> list[tuple[str, Any, str]]:
    """(name, owner, attribute) of everything that a run does, in order."""
    vectors = wiring.vectors()
    return [
        ("after the rows", ingest, "_replace_chunks"),
        ("after embedding", embedder, "embed"),
        ("between the stores", vectors, "upsert"),
        ("after the collection", vectors, "upsert"),
        ("after burying", vectors, "delete"),
    ]


def patch(owner: Any, name: str, strike: Callable[[], None], *, after: bool) -> None:
    original = getattr(owner, name)

    def struck(*args: Any, **kwargs: Any) -> Any:
        if not after:
            strike()
        result = original(*args, **kwargs)
        if after:
            strike()
        return result

    setattr(owner, name, struck)
