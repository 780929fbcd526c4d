"""Keep parts running: notice when one ends, restart it with growing pauses, and write both into `run.json`."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from kgadmin.embedded.parts import Part
from kgadmin.embedded.process import Process, how_it_ended, spawn, stop_all
from kgadmin.embedded.run_file import RunFile, State, now

MAX_DEATHS = 5
"""Deaths in a row, without being up in between, after which a part is left down."""
FIRST_PAUSE_S = 0.5
TAIL_LINES = 12


@dataclass(slots=True)
class Child:
    """A part and its present process."""

    part: Part
    log: Path
    process: Process
    log_start: int = 0
    state: State = "starting"
    deaths: int = 0
    restart_at: float | None = None
    started: float = field(default_factory=time.monotonic)

    def is_ready(self) -> bool:
        if self.part.answers is None:
            with self.log.open("rb") as file:
                file.seek(self.log_start)
                return self.part.ready_line in file.read().decode(errors="replace")
        try:
            return self.part.answers()
        except httpx.HTTPError:
            return False


class Supervisor:
    """The parts of one run. `tick()` does what is due; everything runs in the caller's (main) thread."""

    def __init__(self, run_file: RunFile, logs: Path, env: Mapping[str, str], say: Callable[[str, str], None]) -> None:
        self.run_file = run_file
        self.logs = logs
        self.env = env
        self.say = say
        self.children: dict[str, Child] = {}

    def start(self, *parts: Part) -> None:
        for part in parts:
            log = self.logs / f"{part.name}.log"
            log_start = log.stat().st_size if log.exists() else 0
            self.children[part.name] = Child(part, log, self._spawn(part, log), log_start)
            self._show(self.children[part.name], "starting")

    def tick(self) -> None:
        for child in self.children.values():
            if child.restart_at is not None:
                if time.monotonic() >= child.restart_at:
                    self._restart(child)
            elif child.state != "down" and child.process.poll() is not None:
                self._note_death(child)
            elif child.state == "starting" and child.is_ready():
                self._note_up(child)

    def settled(self) -> bool:
        """Return whether every part is up, or was given up."""
        return all(child.state != "starting" for child in self.children.values())

    def stop(self, names: Iterable[str], *, timeout: float) -> None:
        stop_all((self.children[name].process for name in names if name in self.children), timeout=timeout)

    def _spawn(self, part: Part, log: Path) -> Process:
        return spawn(part.command, log=log, cwd=part.cwd, env=self.env, niceness=part.niceness)

    def _restart(self, child: Child) -> None:
        child.restart_at = None
        child.log_start = child.log.stat().st_size
        child.started = time.monotonic()
        child.process = self._spawn(child.part, child.log)
        self.run_file.part(child.part.name).restarts += 1
        self._show(child, "starting")

    def _note_death(self, child: Child) -> None:
        name, ending = child.part.name, how_it_ended(child.process.returncode)
        child.deaths += 1
        if child.deaths >= MAX_DEATHS:
            self._show(child, "down")
            self.say(name, f"{ending}, {child.deaths} times in a row; left down. Its last lines:\n{tail(child.log)}")
            return
        pause = FIRST_PAUSE_S * 2 ** (child.deaths - 1)
        child.restart_at = time.monotonic() + pause
        self._show(child, "starting")
        self.say(name, f"{ending}; starting it again in {pause:g} s")

    def _note_up(self, child: Child) -> None:
        child.deaths = 0
        self._show(child, "up")
        where = f" on port {child.part.port}" if child.part.port else ""
        self.say(child.part.name, f"up{where} after {time.monotonic() - child.started:.1f} s")

    def _show(self, child: Child, state: State) -> None:
        child.state = state
        shown = self.run_file.part(child.part.name)
        shown.pid = child.process.pid if child.process.poll() is None else None
        shown.port, shown.state, shown.since = child.part.port, state, now()
        self.run_file.save()


def tail(log: Path) -> str:
    """Return the last lines of a log, set off from the runner's own."""
    lines = log.read_text(errors="replace").splitlines()[-TAIL_LINES:]
    return "\n".join(f"    | {line}" for line in lines)
