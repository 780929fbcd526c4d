"""The trace of a turn: what each stage used, what it dropped and why."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from itertools import islice
from typing import Any, Literal, Protocol, TypeVar

Status = Literal["ok", "skipped", "failed"]

STAGES = ("probe", "persona", "intent", "background", "user_facts", "ambient", "memory", "documents", "prompt", "reply")
OPTIONAL_STAGES = STAGES[: STAGES.index("prompt")]

BUDGETS_MS: Mapping[str, int] = {
    "probe": 40,
    "persona": 2,
    "intent": 2,
    "background": 10,
    "user_facts": 5,
    "ambient": 15,
    "memory": 20,
    "documents": 10,
    "prompt": 10,
}
"""Ceilings of each stage, warm, in milliseconds; `TURN_BUDGET_MS` is the whole turn's."""
TURN_BUDGET_MS = 70
NEAR_MISSES = 5
"""Near misses that a trace keeps."""


class Evidence(Protocol):
    """The fields of every stage's evidence."""

    @property
    def skipped(self) -> str:
        """Return why the stage had nothing to do, or an empty string if it ran."""


def nothing_found(reason: str, unread: int, noun: str) -> str:
    """Return why a stage found nothing: `reason` only holds if nothing is `unread`."""
    if not unread:
        return reason
    return f"{unread} {noun}{' is' if unread == 1 else 's are'} still being read"


E = TypeVar("E", bound=Evidence)


@dataclass(slots=True)
class StageRun:
    """One stage of one turn, as recorded."""

    name: str
    started_ms: float
    status: Status = "ok"
    elapsed_ms: float = 0.0
    error: str = ""
    reason: str = ""
    evidence: Evidence | None = None

    def keep(self, evidence: E) -> E:
        """Record the stage's evidence."""
        self.evidence = evidence
        self.reason = evidence.skipped
        self.status = "skipped" if evidence.skipped else "ok"
        return evidence


class Recorder(Protocol):
    """Times stages; an exception inside one marks it failed, and the turn goes on."""

    def __call__(self, name: str) -> AbstractContextManager[StageRun]:
        """Record the stage `name`."""


class Scored(Protocol):
    """An item that can be dropped for a reason."""

    @property
    def score(self) -> float: ...

    @property
    def why(self) -> str: ...


S = TypeVar("S", bound=Scored)


def near_misses(off: Iterable[S], near: Iterable[S], floor: float, gate: str = "") -> tuple[S, ...]:
    """Return what is switched off and the first near misses, each with why it was dropped.
    `gate` is why nothing was looked for, `floor` the score that was needed.
    """

    def why(item: S) -> str:
        return gate or ("below the threshold" if item.score < floor else "less fitting than those used")

    return (
        *(replace(item, why="switched off") for item in off),  # type: ignore[type-var]  # all are dataclasses
        *(replace(item, why=why(item)) for item in islice(near, NEAR_MISSES)),  # type: ignore[type-var]
    )


def first_reason(*reasons: tuple[object, str]) -> str:
    """Return the reason of the first condition that is true, or an empty string."""
    return next((reason for holds, reason in reasons if holds), "")


UNSAVED: Mapping[str, Any] = {"saved": False}
"""Metadata of a field that a trace doesn't keep: only the running turn needs it."""


def as_json(value: Any) -> Any:
    """Return evidence as JSON: dataclasses become objects, dates texts, numbers are rounded to 4 digits."""
    if is_dataclass(value) and not isinstance(value, type):
        names = (item.name for item in fields(value) if item.metadata.get("saved", True))
        return {name: as_json(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(item) for item in value]
    if isinstance(value, bool | int | str) or value is None:
        return value
    return value.isoformat() if isinstance(value, date) else round(float(value), 4)
