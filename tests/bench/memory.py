"""Ambient and memory: the same person among others like her, and among many who said little."""

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from tests.bench.figures import Row, Store, World, filled, p50, p95

STAGES = {"ambient": "under 15", "memory": "under 15", "user_facts": "", "turn": ""}
PROJECTIONS = 20
LONG = (100_000, 300_000)
"""Messages, and edges beside the one from the person to each."""


def rows(args: Namespace) -> Iterator[Row]:
    """The budget, how little it grows with other people, and what follows a turn."""
    many = args.people * 10
    print(f"{args.people} people of 5,000 messages and 1,000 facts; {many:,} of 50 and 50.")
    alike = World(others=args.people - 1, messages=5_000)
    with filled(Store(alike), Store(World(others=many, messages=50, facts=50))) as (heavy, light):
        repeats: list[tuple[dict[str, Any], dict[str, Any]]] = []
        for _ in range(args.repeats):
            repeats.append((heavy.ask("turns", args.turns), light.ask("turns", args.turns)))
        for stage, goal in STAGES.items():
            mine = [p95(here[stage]) for here, _ in repeats]
            there = [p95(other[stage]) for _, other in repeats]
            yield Row(f"{stage}: p95, person of 5,000 among {args.people} like her", mine, goal=goal)
            yield Row(f"{stage}: p95, the same among {many:,} of 50", there)
            yield Row(f"{stage}: ratio", [b / a for a, b in zip(mine, there, strict=True)], "x", "at most 1.3")
        times = [heavy.ask("projections", PROJECTIONS) for _ in range(args.repeats)]
        yield Row("after a turn: projection, p95", [p95(each["project"]) for each in times], goal="under 50")
        yield Row("after a turn: embedding of its message, p95", [p95(each["embed"]) for each in times])


def projection_rows(args: Namespace) -> Iterator[Row]:
    """What one more message costs the projector, of a person whose memory is long."""
    print(f"One person of {LONG[0]:,} messages and {sum(LONG):,} edges.")
    with filled(Store(World(own_messages=LONG[0], edges=LONG[1]))) as (store,):
        times = [store.ask("projections", PROJECTIONS) for _ in range(args.repeats)]
        yield Row("a new message: projection, p50", [p50(each["project"]) for each in times])
        yield Row("a new message: projection, p95", [p95(each["project"]) for each in times], goal="under 50")
