"""What `make run` wrote down: its processes, how often it started them again, and their outages."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from kgadmin.embedded.run_file import read_run_file

SHOWN_OUTAGES = 20


@dataclass(frozen=True, slots=True)
class Process:
    """One process of the runner."""

    name: str
    pid: int | None
    port: int | None
    state: str
    restarts: int
    since: datetime

    @property
    def tone(self) -> str:
        """For `data-state`."""
        return {"up": "good", "starting": "warn"}.get(self.state, "bad")


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which a process was gone; `end` is None while it still is."""

    part: str
    start: datetime
    end: datetime | None
    reason: str

    @property
    def seconds(self) -> float:
        return ((self.end or timezone.now()) - self.start).total_seconds()


@dataclass(frozen=True, slots=True)
class Run:
    """The run that this process belongs to."""

    processes: list[Process]
    outages: list[Outage]
    """Newest first."""


def this_run() -> Run | None:
    """What the runner last wrote; None where the parts weren't started by it."""
    written = read_run_file(settings.DATA_DIR)
    if not written.get("parts"):
        return None
    return Run(
        processes=[_process(name, part) for name, part in written["parts"].items()],
        outages=[_outage(each) for each in reversed(written.get("outages", []))][:SHOWN_OUTAGES],
    )


def _process(name: str, part: dict[str, Any]) -> Process:
    since = datetime.fromisoformat(part["since"])
    return Process(name, part.get("pid"), part.get("port"), part["state"], part.get("restarts", 0), since)


def _outage(written: dict[str, Any]) -> Outage:
    end = datetime.fromisoformat(written["to"]) if written.get("to") else None
    return Outage(written["part"], datetime.fromisoformat(written["from"]), end, written.get("reason") or "")
