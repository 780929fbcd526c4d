"""`make bench`: figures, not tests. Medians of interleaved repeats; the spread says how noisy the machine was.

python -m tests.bench [SECTION ...] [--people 100] [--turns 60] [--repeats 5]

SECTIONS are turn, large, growth, memory, projection, ingestion, pages, program; without one, all. With --production
the engines are those of `make test-production`. With --write the rows replace the table of docs/performance.md.
BENCH_JSON=FILE writes the turn's figures, in ms: turn_p50_ms, turn_p95_ms, floor_p95_ms,
stages (name: {p50_ms, p95_ms, budget_ms}).
"""

import argparse
import os
import sys
from contextlib import ExitStack

import kgadmin  # noqa: F401  # before numpy, as in every process of the program
from tests.bench import growth, ingestion, memory, page, program, turn
from tests.bench.figures import Row, show
from tests.production.__main__ import production

SECTIONS = {
    "turn": turn.rows,
    "large": turn.large_rows,
    "growth": growth.rows,
    "memory": memory.rows,
    "projection": memory.projection_rows,
    "ingestion": ingestion.rows,
    "pages": turn.page_rows,
    "program": program.rows,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Times what the design gives a figure for.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--production", action="store_true")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if unknown := set(args.sections) - SECTIONS.keys():
        sys.exit(f"There is no section {', '.join(sorted(unknown))}. There are: {', '.join(SECTIONS)}.")
    with ExitStack() as engines:
        if args.production:
            os.environ |= engines.enter_context(production())
        made: list[Row] = []
        for name in args.sections or SECTIONS:
            print(f"\n{name}", flush=True)
            for row in SECTIONS[name](args):
                show(row)
                made.append(row)
    if args.write:
        page.write(made, production=args.production)


if __name__ == "__main__":
    main()
