"""Every engine looked at once, side by side, in bounded time. One of the five places that catch `StoreError`."""

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

from django.db import DatabaseError, InterfaceError

from kgadmin.operations.probes import PROBES, Answer, Probe
from kgadmin.stores.errors import StoreError

GIVE_UP_SECONDS = 0.55
"""A little more than the engines' own time-outs, so that their sentence is shown, and not ours."""

NEEDED = {"database", "graph", "vectors", "embedder", "worker"}
"""Without one of these a turn knows less, or ingestion stands still; a reply is possible without the last one."""

IN_REQUEST = {"database", "worker"}
"""Asked in the request's own thread and connection."""

# Twice the probes: a hung one may still hold its thread when the next look begins.
_threads = ThreadPoolExecutor(2 * len(PROBES), thread_name_prefix="probe")


@dataclass(frozen=True, slots=True)
class Part:
    """One engine as it was found."""

    name: str
    answer: Answer
    latency_ms: float | None = None

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()

    @property
    def tone(self) -> str:
        """For `data-state`."""
        return {"up": "good", "warming": "warn", "down": "bad"}.get(self.answer.state, "warn")


def look(probes: Mapping[str, Probe] = PROBES) -> list[Part]:
    """All parts, in about `GIVE_UP_SECONDS` at worst; a hung engine holds up no other."""
    started = perf_counter()
    waiting = {name: _threads.submit(_ask, name, probe) for name, probe in probes.items() if name not in IN_REQUEST}
    parts = {name: _ask(name, probe) for name, probe in probes.items() if name in IN_REQUEST}
    parts |= {name: _result(name, future, started) for name, future in waiting.items()}
    return [parts[name] for name in probes]


def is_ready(parts: list[Part]) -> bool:
    """Whether turns and ingestion work; an embedder that still warms counts as working."""
    return all(part.answer.state != "down" for part in parts if part.name in NEEDED)


def _ask(name: str, probe: Probe) -> Part:
    started = perf_counter()
    try:
        answer = probe()
    except StoreError as error:
        return Part(name, Answer("down", text=error.message))
    except (DatabaseError, InterfaceError):
        return Part(name, Answer("down", text="The database does not answer."))
    return Part(name, answer, latency_ms=(perf_counter() - started) * 1000)


def _result(name: str, future: Future[Part], started: float) -> Part:
    left = GIVE_UP_SECONDS - (perf_counter() - started)
    try:
        return future.result(timeout=max(left, 0))
    except TimeoutError:
        return Part(name, Answer("down", text="Gave no answer in half a second."))
