"""Connections on which nothing comes or nothing is read, on a real server whose patience is short."""

import asyncio
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import uvicorn

from kgadmin import connections
from kgadmin.connections import MOST_HEAD_BYTES, PatientProtocol
from tests.patience import wait_for

PATIENCE_SECONDS = 10
REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
PIECE = b"x" * 100_000

Open = Any


class Application:
    """`/` says hello, `/flood` never ends, `/slow` waits for its gate."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.ended = threading.Event()
        """Set when a flood has nobody to read it any more."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/slow":
            await self.gate.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if scope["path"] == "/flood":
            await self._flood(receive, send)
        await send({"type": "http.response.body", "body": b"hello"})

    async def _flood(self, receive: Any, send: Any) -> None:
        await receive()
        gone = asyncio.create_task(receive())
        while not gone.done():
            await send({"type": "http.response.body", "body": PIECE, "more_body": True})
            await asyncio.sleep(0)
        self.ended.set()


@pytest.fixture
def application() -> Application:
    return Application()


@pytest.fixture
def port(application: Application, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(connections, "UNREAD_SECONDS", 0.3)
    config = uvicorn.Config(application, port=0, http=PatientProtocol, lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    assert wait_for(lambda: server.started, PATIENCE_SECONDS)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = server.force_exit = True
    thread.join(PATIENCE_SECONDS)


@pytest.fixture
def connect(port: int) -> Iterator[Open]:
    """`connect(b"GET …")`: a connection on which that was sent."""
    with ExitStack() as stack:

        def open_one(sent: bytes = b"", *, buffer: int = 0) -> socket.socket:
            wire = stack.enter_context(socket.socket())
            if buffer:
                wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
            wire.connect(("127.0.0.1", port))
            wire.settimeout(PATIENCE_SECONDS)
            wire.sendall(sent)
            return wire

        yield open_one


def is_dropped(wire: socket.socket) -> bool:
    if not select.select([wire], [], [], 0)[0]:
        return False
    try:
        return wire.recv(1, socket.MSG_PEEK) == b""
    except ConnectionError:
        return True


def test_who_sends_no_whole_head_is_dropped(connect: Open) -> None:
    wires = [connect(sent) for sent in (b"", b"G", REQUEST[:-2])]
    assert not any(map(is_dropped, wires))
    assert wait_for(lambda: all(map(is_dropped, wires)), PATIENCE_SECONDS)


def test_a_slow_answer_is_waited_for(connect: Open, application: Application) -> None:
    slow, silent = connect(REQUEST.replace(b"/ ", b"/slow ")), connect()
    assert wait_for(lambda: is_dropped(silent), PATIENCE_SECONDS)  # as long as a head may take, and nothing else
    application.gate.set()
    connect(REQUEST)  # wakes the loop, whose event was set from another thread
    assert b"hello" in slow.recv(10_000)


def test_a_head_without_an_end_is_refused(connect: Open) -> None:
    wire = connect(REQUEST[:-2] + b"X: " + b"x" * (2 * MOST_HEAD_BYTES))
    assert wire.recv(10_000).startswith(b"HTTP/1.1 400")


def test_who_reads_no_answer_is_dropped(connect: Open, application: Application) -> None:
    connect(REQUEST.replace(b"/ ", b"/flood "), buffer=4096)
    assert application.ended.wait(PATIENCE_SECONDS)


def test_who_reads_slowly_is_not(connect: Open, application: Application) -> None:
    wire, silent = connect(REQUEST.replace(b"/ ", b"/flood "), buffer=4096), connect()
    read = 0
    while not is_dropped(silent) or read < 20 * len(PIECE):
        read += len(wire.recv(100_000))
    assert not application.ended.is_set()
