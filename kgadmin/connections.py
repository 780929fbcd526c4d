"""Time and size limits of connections, which uvicorn lacks: slow senders, slow readers, large heads."""

from asyncio import BaseTransport, TimerHandle
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 10.0
"""Seconds for the whole head of a request, also of the next one on the same connection."""
UNREAD_SECONDS = 120.0
"""Seconds for a reader to take some more of a response once the buffers are full."""
MOST_HEAD_BYTES = 64_000


class PatientProtocol(HttpToolsProtocol):
    """Uvicorn's HTTP protocol (its option `--http`). It closes connections whose request head isn't complete in time,
    or whose reader takes nothing more.
    """

    _patience: TimerHandle | None = None
    _is_in_head = False
    _head_bytes = 0

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(cast(Any, transport))
        self._wait(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._head_bytes += len(data) if self._is_in_head else 0
        if self._head_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        self._is_in_head, self._head_bytes = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._is_in_head, self._head_bytes = False, 0
        self._wait_no_more()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.flow.write_paused:
            self._wait(HEAD_SECONDS)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait(UNREAD_SECONDS)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._wait_no_more()
        if self.cycle.response_complete:
            self._wait(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._wait_no_more()

    def _wait(self, seconds: float) -> None:
        self._wait_no_more()
        self._patience = self.loop.call_later(seconds, self._hang_up)

    def _wait_no_more(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _hang_up(self) -> None:
        self.transport.abort()  # closing would wait until everything is read
