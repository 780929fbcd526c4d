"""Fifty mistakes, each of which a test of its own room should notice.

`mutations.toml` has them: a promise, and the lines that break it. For each one a worktree of HEAD gets the mistake and
the tests of its room run there until the first fails; the checkout itself is never touched.

    python -m tests.quality mutations [ID ...]       run them, all or some; two at a time
    python -m tests.quality mutations --draw SEED    print mistakes drawn by a seed, to choose from for the file
"""

import ast
import random
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from kgadmin.config import ROOT

FILE = Path(__file__).with_name("mutations.toml")
AT_ONCE = 2
PYTEST = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "--timeout", "300"]


@dataclass(frozen=True, slots=True)
class Mutation:
    """A mistake: in `file` the lines `old`, which stand there once, become `new`."""

    id: str
    promise: str
    file: str
    old: str
    new: str

    @property
    def room(self) -> tuple[str, ...]:
        """The first two folders of the file; of a module at a package's root the package."""
        return Path(self.file).parts[:-1][:2]

    def tests(self, root: Path) -> list[str]:
        """The module's own tests first, then those of its room, or of its package's root where the room has none."""
        path = Path(self.file)
        nearest = root / "tests" / path.parent / f"test_{path.stem}.py"
        room = root.joinpath("tests", *self.room)
        rest = (
            [room]
            if len(self.room) > 1 and room.exists()
            else sorted((root / "tests" / path.parts[0]).glob("test_*.py"))
        )
        return [str(each.relative_to(root)) for each in [nearest, *rest] if each.exists()]

    def apply(self, root: Path) -> None:
        """Make the mistake in a worktree."""
        path = root / self.file
        text = path.read_text()
        assert text.count(self.old) == 1, f"{self.id}: {self.file} has these lines {text.count(self.old)} times"
        path.write_text(text.replace(self.old, self.new))


def load() -> list[Mutation]:
    """All that the file has."""
    return [Mutation(**each) for each in tomllib.loads(FILE.read_text())["mutation"]]


def main(arguments: list[str]) -> int:
    """Run them; 0 where every one was found."""
    if arguments[:1] == ["--draw"]:
        print("\n".join(drawn(int(arguments[1]))))
        return 0
    chosen = [each for each in load() if not arguments or each.id in arguments]
    worktrees: Queue[Path] = Queue()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as threads:
        for number in range(AT_ONCE):
            worktrees.put(Path(folder) / str(number))
        noticed = list(threads.map(lambda each: run(each, worktrees), chosen))
    print(f"{sum(noticed)} of {len(noticed)} found by a test of their room.")
    return 0 if all(noticed) else 1


def run(mutation: Mutation, worktrees: "Queue[Path]") -> bool:
    """Whether a test fails; says which."""
    root = worktrees.get()
    try:
        with worktree(root):
            mutation.apply(root)
            began = time.monotonic()
            command = [*PYTEST, *mutation.tests(root)]
            done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    finally:
        worktrees.put(root)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED tests", "ERROR tests"))]
    assert done.returncode in {0, 1, 2}, done.stdout + done.stderr
    verdict = f"found by {failed[0].split(' - ')[0].split(None, 1)[1]}" if failed else "NOT FOUND"
    print(f"{mutation.id:28} {time.monotonic() - began:5.0f} s  {verdict}", flush=True)
    return bool(failed)


@contextmanager
def worktree(path: Path) -> Iterator[None]:
    """HEAD, checked out there for a while."""
    subprocess.run(["git", "worktree", "add", "--detach", "--quiet", path, "HEAD"], cwd=ROOT, check=True)
    try:
        yield
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", path], cwd=ROOT, check=True)


SWAPPED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip


def drawn(seed: int, rounds: int = 4) -> Iterator[str]:
    """Of every room so many mistakes, as "file:line before -> after"."""
    chance = random.Random(seed)
    files = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    rooms: dict[tuple[str, ...], list[Path]] = {}
    for path in map(Path, files.stdout.splitlines()):
        if path.parts[0] in {"kgadmin", "characters", "playground"} and "migrations" not in path.parts:
            rooms.setdefault(path.parts[:-1][:2], []).append(path)
    for _ in range(rounds):
        for room in sorted(rooms):
            noticed = [(path, line, new) for path in rooms[room] for line, new in mistakes((ROOT / path).read_text())]
            if noticed:
                path, line, new = chance.choice(noticed)
                old = (ROOT / path).read_text().splitlines()[line - 1]
                yield f"{path}:{line}\n  - {old.strip()}\n  + {new.strip()}"


def mistakes(source: str) -> Iterator[tuple[int, str]]:
    """Line numbers, with the line as it would be: another comparison, and for or, no not, a call left out."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.expr | ast.stmt) or node.lineno != node.end_lineno:
            continue
        line, start, end = lines[node.lineno - 1], node.col_offset, node.end_col_offset or 0
        text = line[start:end]
        if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
            left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
            yield node.lineno, f"{line[:start]}{left} {SWAPPED[type(node.ops[0])]} {right}{line[end:]}"
        elif isinstance(node, ast.BoolOp):
            word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield node.lineno, line[:start] + text.replace(f" {word} ", f" {other} ") + line[end:]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node.lineno, line[:start] + text.removeprefix("not ") + line[end:]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node.lineno, line[:start] + "pass" + line[end:]
