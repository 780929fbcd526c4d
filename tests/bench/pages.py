"""Pages, with 20,000 turns stored."""

from argparse import Namespace
from collections.abc import Iterator

from tests.bench.figures import Row, p95
from tests.bench.stores import Store, filled

GETS = 30


def rows(args: Namespace) -> Iterator[Row]:
    """Each page by itself, in this process: without the network, with database and engines."""
    with filled(Store(1, 50, 50, 1)) as (store,):
        repeats = [store.ask("pages", GETS) for _ in range(args.repeats)]
    for name in repeats[0]:
        yield Row(f"{name}: p95", [p95(each[name]) for each in repeats])
