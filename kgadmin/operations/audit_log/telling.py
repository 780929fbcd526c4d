"""How an entry is told: what it changed, and why in words."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from characters.review.decisions import REASONS
from kgadmin.audit.models import Entry
from kgadmin.operations.audit_log.finding import PROGRAM, Press
from kgadmin.operations.audit_log.subjects import Subject, is_id, label, subjects

WHY = REASONS | {
    "decay": "It was hardly used",
    "promoted": "The sheet says it by now",
    "undone": "Its approval was undone",
    "forgotten": "Somebody to whom it was said was forgotten",
}
_ABOUT = ("predicate", "object", "name")
"""They say what it was done to, where they don't change."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is another one than before."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Told:
    """An entry, ready to be shown."""

    entry: Entry
    who: str
    subject: Subject
    why: str
    note: str
    changes: tuple[Change, ...]
    emptied: bool
    """Whether its detail was emptied, since what it told was forgotten."""


@dataclass(frozen=True, slots=True)
class ToldPress:
    """What was done at once."""

    head: Told
    acts: tuple[Told, ...]
    count: int
    verbs: Mapping[str, int]

    @property
    def left_out(self) -> int:
        """Acts that aren't in `acts`."""
        return self.count - len(self.acts)


def told_presses(found: Iterable[Press]) -> list[ToldPress]:
    """Each press with its acts."""
    shown = list(found)
    names = subjects(entry for press in shown for entry in press.acts)
    return [_press(press, names) for press in shown]


def _press(press: Press, names: Mapping[str, Subject]) -> ToldPress:
    acts = tuple(_told(entry, names) for entry in press.acts)
    return ToldPress(acts[0], acts, press.count, press.verbs)


def told(entries: Iterable[Entry]) -> list[Told]:
    """Each entry by itself."""
    shown = list(entries)
    names = subjects(shown)
    return [_told(entry, names) for entry in shown]


def _told(entry: Entry, names: Mapping[str, Subject]) -> Told:
    detail = entry.detail
    return Told(
        entry=entry,
        who=entry.actor or PROGRAM,
        subject=names.get(entry.subject, Subject(label(entry.subject))),
        why=WHY.get(entry.reason, entry.reason),
        note=detail.note,
        changes=changes(detail.before, detail.after),
        emptied=detail.redacted_at is not None,
    )


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """What differs, in the order in which it is kept; what only says what it is about is left out."""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    shown = [name for name in names if name not in _ABOUT or name in before]
    return tuple(Change(name.replace("_", " "), _text(before.get(name)), _text(after.get(name))) for name in shown)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return label(value) if is_id(value) else value
    return json.dumps(value, ensure_ascii=False)
