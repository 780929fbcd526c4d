"""How a turn grows with what is stored: two sizes side by side, their turns in turn, as a ratio."""

from argparse import Namespace
from collections.abc import Iterator

from tests.bench.figures import Row, Store, World, filled, p50, p95

CASES = (
    ("10 -> 100 bases of 100,000 chunks together", World(bases=10, chunks=10_000), World(bases=100, chunks=1_000), 2.0),
    (
        "100 -> 100,000 messages of the person",
        World(own_messages=100, bases=3),
        World(own_messages=100_000, bases=3),
        1.3,
    ),
    ("10 -> 10,000 messages of the conversation", World(talk=10, bases=3), World(talk=10_000, bases=3), 1.2),
    ("1 -> 1,000 people of 1,000 facts", World(others=0, bases=3), World(others=999, messages=50, bases=3), 1.2),
)
FIRSTS = 20


def rows(args: Namespace) -> Iterator[Row]:
    """Every case, whole turns and first turns."""
    for name, small, large, most in CASES:
        with filled(Store(small), Store(large)) as (few, many):
            for what, count in (("turns", args.turns), ("firsts", FIRSTS)):
                pairs = [(few.ask(what, count)["turn"], many.ask(what, count)["turn"]) for _ in range(args.repeats)]
                kind = "turn" if what == "turns" else "first turn"
                ratios = [p50(more) / p50(less) for less, more in pairs]
                yield Row(f"{name}: {kind}, p50", ratios, "x", f"at most {most}")
                for size, of in ((0, "smaller"), (1, "larger")):
                    yield Row(f"{name}: {kind} of the {of}, p50", [p50(pair[size]) for pair in pairs])
                    yield Row(f"{name}: {kind} of the {of}, p95", [p95(pair[size]) for pair in pairs])
