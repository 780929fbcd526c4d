"""Programs that open a connection and then do nothing: what the process keeps for them, and how long."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil
import pytest

from characters.conversations.models import Turn
from tests.patience import wait_for
from tests.scripted_model import ScriptedModel
from tests.web import WebServer

pytestmark = pytest.mark.xdist_group("web process")

MANY = 200
PATIENCE_SECONDS = 30
MOST_MB = 60
"""What the process may grow by for one reader of a reply without end: buffers and the reply, not the flood."""
TOKEN = "sand "
"""Small, so that each comes with far more bytes around it than the system keeps."""


def connected(web: WebServer, sent: bytes = b"", *, buffer: int = 0) -> socket.socket:
    wire = socket.socket()
    if buffer:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    wire.connect(("127.0.0.1", web.port))
    wire.sendall(sent)
    return wire


def asking(key: str) -> bytes:
    """A request for a stream."""
    message = {"role": "user", "content": "Tell me everything about sand."}
    body = json.dumps({"model": "tomasz", "messages": [message], "stream": True}).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def connections(process: psutil.Process) -> int:
    """Those that are open, besides what listens."""
    return sum(each.status == psutil.CONN_ESTABLISHED for each in process.net_connections("tcp"))


def is_held(process: psutil.Process, port: int) -> bool:
    """Whether the process has its end of the connection from this port still."""
    return any(each.raddr and each.raddr.port == port for each in process.net_connections("tcp"))


def unsent(web: WebServer, wire: socket.socket) -> int:
    """Bytes that the system still holds for a reader who doesn't take them."""
    ends = tuple(f":{port:04X}" for port in (web.port, wire.getsockname()[1]))
    for line in Path("/proc/net/tcp").read_text().splitlines():
        fields = line.split()
        if (fields[1][-5:], fields[2][-5:]) == ends:
            return int(fields[4].partition(":")[0], 16)
    return 0


def leave(wire: socket.socket, process: psutil.Process) -> None:
    """Hang up; the process does, too."""
    port = wire.getsockname()[1]
    wire.close()
    assert wait_for(lambda: not is_held(process, port), PATIENCE_SECONDS)


def answers_at_once(api: httpx.Client) -> None:
    for _ in range(5):
        began = time.monotonic()
        assert api.get("/models").is_success
        assert time.monotonic() - began < 2


@pytest.fixture
def process(api: httpx.Client, web: WebServer) -> psutil.Process:
    """The web process, warmed by one turn."""
    answers_at_once(api)
    return web.process


@pytest.fixture
def wires() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_stream_that_is_never_read_costs_little_and_ends_with_its_reader(
    api: httpx.Client, web: WebServer, web_model: ScriptedModel, key: str, process: psutil.Process, wires: ExitStack
) -> None:
    api.post("/chat/completions", json={"model": "tomasz", "messages": [{"role": "user", "content": "Hello there"}]})
    before = process.memory_info().rss
    web_model.keeps_sending(TOKEN)
    wire = wires.enter_context(connected(web, asking(key), buffer=4096))
    assert web_model.hung_up.wait(PATIENCE_SECONDS), "the flood was never dammed"
    assert 0 < unsent(web, wire) < 4_000_000, "it was all sent, or all kept"
    assert is_held(process, wire.getsockname()[1])
    answers_at_once(api)
    assert (process.memory_info().rss - before) / 1e6 < MOST_MB
    leave(wire, process)
    assert Turn.objects.latest("pk").state == "done"


def test_connections_that_send_nothing_keep_nobody_out(
    api: httpx.Client, web: WebServer, web_model: ScriptedModel, process: psutil.Process, wires: ExitStack
) -> None:
    """That they are dropped after a while is in `tests/kgadmin/test_connections.py`."""
    before = process.memory_info().rss
    for sent in (b"", b"GET /v1/models HTTP/1.1\r\nX") * (MANY // 2):
        wires.enter_context(connected(web, sent))
    web_model.says("I am here.")
    asked = {"model": "tomasz", "messages": [{"role": "user", "content": "Are you there?"}]}
    assert api.post("/chat/completions", json=asked).json()["choices"][0]["message"]["content"] == "I am here."
    answers_at_once(api)
    assert connections(process) >= MANY
    assert (process.memory_info().rss - before) / 1e6 < MOST_MB
