"""`make load`: so many testers at once on the whole program as `make run` starts it, for a while.

python -m tests.bench.load [--testers 20] [--seconds 120]

Each talks with a character of the demo, turn after turn, reading each reply to its end. Printed are errors, how many
turns were answered, their own work (without the reply), and the memory of every process in the first and the last
quarter. Exit code 1 where anything failed.
"""

import argparse
import asyncio
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from tests.bench.figures import p50, p95
from tests.bench.program import MEGABYTE, part_of, settled
from tests.program import Run

QUESTIONS = (
    "How's Luna doing in the cold?",
    "Where did you grow up?",
    "Tell me about myself",
    "What happened at Rogue's End after the Tower Faction arrived?",
    "I like the smell of rain on a warm road.",
    "Your family values vs. my family values",
    "Thanks, that was lovely",
    "What do you remember about Luna?",
)
SAMPLE_SECONDS = 5


@dataclass
class Measured:
    """What was measured. `memory` is in MB, by part of the program."""

    work: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


def main() -> None:
    parser = argparse.ArgumentParser(description="Several testers at once.")
    parser.add_argument("--testers", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=120)
    args = parser.parse_args()
    with TemporaryDirectory(prefix="kgadmin-load-") as folder, settled(Path(folder), 8800) as program:
        measured = asyncio.run(_load(program, args.testers, args.seconds))
    _print(measured, args.testers, args.seconds)
    sys.exit(1 if measured.errors else 0)


async def _load(program: Run, testers: int, seconds: float) -> Measured:
    measured = Measured()
    end = time.monotonic() + seconds
    async with asyncio.TaskGroup() as group:
        group.create_task(_sample(program, end, measured))
        for number in range(testers):
            group.create_task(_tester(program.address, number, end, measured))
    return measured


async def _sample(program: Run, end: float, measured: Measured) -> None:
    while time.monotonic() < end:
        for child in program.children():
            measured.memory[part_of(child.cmdline())].append(child.memory_info().rss / MEGABYTE)
        await asyncio.sleep(SAMPLE_SECONDS)


async def _tester(address: str, number: int, end: float, measured: Measured) -> None:
    """Sign in, begin a conversation, talk on in it."""
    async with httpx.AsyncClient(base_url=address, timeout=60, trust_env=False, follow_redirects=False) as tab:
        await tab.get("login/")
        await tab.post("login/demo/", data={"username": "tester"}, headers={"X-CSRFToken": tab.cookies["csrftoken"]})
        where = "playground/with/elena/begin/"
        turn = 0
        while time.monotonic() < end:
            text = f"{QUESTIONS[(number + turn) % len(QUESTIONS)]} ({number}.{turn})"
            try:
                where = await _say(tab, where, text, measured)
            except (httpx.HTTPError, KeyError) as error:
                measured.errors.append(f"{type(error).__name__}: {error}")
            turn += 1


async def _say(tab: httpx.AsyncClient, where: str, text: str, measured: Measured) -> str:
    """Say something without JavaScript, which waits for the whole reply; where to say the next thing."""
    answer = await tab.post(where, data={"message": text}, headers={"X-CSRFToken": tab.cookies["csrftoken"]})
    if answer.status_code != 302:
        measured.errors.append(f"{answer.status_code} for {where}")
        return where
    pk = answer.headers["Location"].strip("/").rpartition("/")[2]
    turn = (await tab.get(f"api/turns/{pk}")).raise_for_status().json()
    if turn["state"] != "done" or any(stage["status"] == "failed" for stage in turn["stages"]):
        failed = [f"{stage['name']}: {stage['error']}" for stage in turn["stages"] if stage["status"] == "failed"]
        measured.errors.append(f"turn {pk} is {turn['state']}; {'; '.join(failed)}")
    measured.work.append(turn["total_ms"])
    if "begin" not in where:
        return where
    page = await tab.get(answer.headers["Location"])
    return f"playground/conversations/{page.text.partition('/playground/conversations/')[2].partition('/')[0]}/say/"


def _print(measured: Measured, testers: int, seconds: float) -> None:
    print(f"{testers} testers for {seconds:g} s: {len(measured.work)} turns, {len(measured.errors)} errors")
    if measured.work:
        print(f"the turn's own work: p50 {p50(measured.work):.0f} ms, p95 {p95(measured.work):.0f} ms")
    for part, sizes in sorted(measured.memory.items()):
        quarter = max(1, len(sizes) // 4)
        first, last = statistics.median(sizes[:quarter]), statistics.median(sizes[-quarter:])
        print(f"memory of {part}: {first:.0f} MB in the first quarter, {last:.0f} MB in the last")
    for error in sorted(set(measured.errors))[:20]:
        print(f"error: {error}")


if __name__ == "__main__":
    main()
