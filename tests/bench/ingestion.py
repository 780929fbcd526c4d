"""Ingestion: reading, cutting, embedding, writing and measuring, beside the bare embedder on the same texts."""

from argparse import Namespace
from collections.abc import Iterator

from tests.bench.figures import Row, Store, World, filled

DOCUMENTS = 5
"""Documents of an ingestion, a hundred chunks each."""


def rows(args: Namespace) -> Iterator[Row]:
    """Chunks per second, and how near that is to what the embedder can do."""
    with filled(Store(World(own_messages=10))) as (store,):
        times = [store.ask("ingestions", DOCUMENTS) for _ in range(args.repeats)]
        counts = [sum(each["chunks"]) for each in times]
        took = [sum(each["ingest"]) / 1000 for each in times]
        bare = [sum(each["bare"]) / 1000 for each in times]
        yield Row("ingestion: chunks", [count / of for count, of in zip(counts, took, strict=True)], "/s")
        ratios = [embedded / elapsed for embedded, elapsed in zip(bare, took, strict=True)]
        yield Row("ingestion: of the bare embedder's", ratios, "x", "at least 0.9")
