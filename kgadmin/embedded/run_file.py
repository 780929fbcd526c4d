"""Files of the runner, readable by this user only: `run.json`, which exists while it runs, and the secrets."""

import json
import os
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

RUN_FILE = "run.json"
SECRETS_FILE = "secrets.json"

State = Literal["up", "starting", "down"]


def now() -> datetime:
    return datetime.now(UTC)


class PartState(BaseModel):
    """The state of a part, for other processes."""

    pid: int | None = None
    port: int | None = None
    state: State = "starting"
    restarts: int = 0
    since: datetime = Field(default_factory=now)

    @property
    def tone(self) -> str:
        """Return the value of `data-state`."""
        return {"up": "good", "starting": "warn", "down": "bad"}[self.state]


class RunFile(BaseModel):
    """`run.json`; `save()` after each change."""

    data_dir: Path = Field(exclude=True)
    address: str
    settings: dict[str, Any]
    pid: int = Field(default_factory=os.getpid)
    parts: dict[str, PartState] = {}

    def part(self, name: str) -> PartState:
        return self.parts.setdefault(name, PartState())

    def save(self) -> None:
        write_private(self.data_dir / RUN_FILE, self.model_dump(mode="json"))

    def remove(self) -> None:
        (self.data_dir / RUN_FILE).unlink(missing_ok=True)


def read_run_file(data_dir: Path) -> RunFile | None:
    """Return what the folder's runner wrote last; None if there is none."""
    content = read_json(data_dir / RUN_FILE)
    return RunFile.model_validate({**content, "data_dir": data_dir}) if content else None


def secrets_of(data_dir: Path) -> dict[str, str]:
    """Return the graph's password and the key that signs sessions; they are made once, since the graph keeps its first
    password.
    """
    path = data_dir / SECRETS_FILE
    stored: dict[str, str] = read_json(path)
    if not stored:
        stored = {"graph_password": secrets.token_urlsafe(24), "secret_key": secrets.token_urlsafe(50)}
        write_private(path, stored)
    return stored


def write_private(path: Path, content: dict[str, Any]) -> None:
    """Write JSON that only this user may read; readers see the old file or the new one, never a half."""
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(content, file, indent=1)
    draft.replace(path)


def read_json(path: Path) -> dict[str, Any]:
    """Return the file's contents; nothing if it doesn't exist."""
    try:
        content: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    return content
