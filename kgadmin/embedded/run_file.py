"""What the runner keeps in the data folder: `run.json` while it runs, and the secrets for as long as the data lives.

`run.json` is how other processes find the parts: `kgadmin.config` reads `settings` from it, the health page `parts`
and `outages`. Both files are for this user only.
"""

import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

RUN_FILE = "run.json"
SECRETS_FILE = "secrets.json"
MAX_OUTAGES = 100

State = Literal["up", "starting", "down"]


def now() -> str:
    """The time as it stands in `run.json`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(slots=True)
class PartState:
    """One part as other processes see it."""

    pid: int | None = None
    port: int | None = None
    state: State = "starting"
    restarts: int = 0
    since: str = field(default_factory=now)


@dataclass(slots=True)
class RunFile:
    """`run.json`; `save()` after each change."""

    data_dir: Path
    address: str
    settings: dict[str, Any]
    started_at: str = field(default_factory=now)
    parts: dict[str, PartState] = field(default_factory=dict)
    outages: list[dict[str, str | None]] = field(default_factory=list)

    def part(self, name: str) -> PartState:
        return self.parts.setdefault(name, PartState())

    def outage_begins(self, part: str, reason: str) -> None:
        if not any(outage["part"] == part and outage["to"] is None for outage in self.outages):
            self.outages.append({"part": part, "from": now(), "to": None, "reason": reason})
            del self.outages[:-MAX_OUTAGES]

    def outage_ends(self, part: str) -> None:
        for outage in self.outages:
            if outage["part"] == part and outage["to"] is None:
                outage["to"] = now()

    def save(self) -> None:
        write_private(
            self.data_dir / RUN_FILE,
            {
                "pid": os.getpid(),
                "address": self.address,
                "started_at": self.started_at,
                "settings": self.settings,
                "parts": {name: asdict(state) for name, state in self.parts.items()},
                "outages": self.outages,
            },
        )

    def remove(self) -> None:
        (self.data_dir / RUN_FILE).unlink(missing_ok=True)


def read_run_file(data_dir: Path) -> dict[str, Any]:
    """What the runner of this folder wrote last; empty if there is none."""
    return _read(data_dir / RUN_FILE)


def kept_secrets(data_dir: Path) -> dict[str, str]:
    """The graph's password and the key that signs sessions: made once, since the graph keeps its first password."""
    path = data_dir / SECRETS_FILE
    kept: dict[str, str] = _read(path)
    if not kept:
        kept = {"graph_password": secrets.token_urlsafe(24), "secret_key": secrets.token_urlsafe(50)}
        write_private(path, kept)
    return kept


def write_private(path: Path, content: dict[str, Any]) -> None:
    """Write JSON that only this user may read; a reader sees the old file or the new one, never a half."""
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(content, file, indent=1)
    draft.replace(path)


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    return content if isinstance(content, dict) else {}
