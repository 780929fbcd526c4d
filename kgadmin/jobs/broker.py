"""kombu's file system transport, with files that appear whole.

kombu opens a message's file, locks it and then writes; a worker that lists the folder in between reads an empty file
and ends with "Unrecoverable error: JSONDecodeError" (seen every few minutes with a worker that polls every 0.1 s).
The tables of exchanges are made in the same way.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from kombu.transport import filesystem
from kombu.utils.json import dumps

PROBE_SECONDS = 0.5


def answers() -> bool:
    """Return whether the broker takes a connection; files always do."""
    if settings.CELERY_BROKER_URL.startswith("filesystem"):
        return True
    with current_app.connection_for_read(connect_timeout=PROBE_SECONDS) as connection:
        try:
            connection.ensure_connection(max_retries=1, interval_start=0)
        except OperationalError:
            return False
    return True


class Channel(filesystem.Channel):
    """Channel whose messages appear by rename; tables are read and written under one lock."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # two names in kombu
        name = f"{round(monotonic() * 1000)}_{uuid4()}.{queue}.msg"
        unfinished = Path(self.control_folder) / f"{name}.unfinished"
        unfinished.write_text(dumps(payload))
        os.replace(unfinished, Path(self.data_folder_out) / name)

    def get_table(self, exchange: str) -> Any:
        with self._locked():
            return super().get_table(exchange)

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        with self._locked():
            super()._queue_bind(exchange, routing_key, pattern, queue)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        folder = Path(self.control_folder)
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "tables.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # released with the file
            yield


class Transport(filesystem.Transport):
    """Transport `filesystem://`, put in kombu's place by `kgadmin.celery`."""

    Channel = Channel
