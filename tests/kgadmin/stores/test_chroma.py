"""What only a server can do: hang, die, come back, be changed by another process, or be something else altogether."""

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import numpy as np
import pytest

from kgadmin.stores import wiring
from kgadmin.stores.chroma import ChromaIndex
from kgadmin.stores.errors import StoreError
from kgadmin.stores.values import VectorRow
from tests.fixtures.engines import HASTY
from tests.kgadmin.stores.outages import IN_TIME, fails_in, works
from tests.patience import wait_for
from tests.servers import VectorServer

EAST = np.array([[1, 0]], dtype=np.float32)


@pytest.fixture
def filled(wire: Callable[..., None], vector_server: VectorServer) -> ChromaIndex:
    """A collection with one row that was found before, with the product's own time-out."""
    wire(vector_server, **HASTY)
    vectors = wiring.vectors()
    vectors.upsert("base", [VectorRow("east", [1, 0])])
    assert wait_for(lambda: works(vectors.ping), 30)
    assert nearest(vectors) == ["east"]
    return vectors


def nearest(index: ChromaIndex) -> list[str]:
    return [match.id for match in index.query("base", EAST, 5)[0]]


def test_a_hung_server_costs_half_a_second_once_and_is_used_again_when_it_goes_on(
    filled: ChromaIndex, vector_server: VectorServer
) -> None:
    vector_server.pause()
    assert 0.45 < fails_in(lambda: nearest(filled)) < IN_TIME
    assert fails_in(lambda: nearest(filled)) < 0.05
    vector_server.resume()
    assert wait_for(lambda: works(filled.ping), 5)
    assert filled.ping()[0].isdigit()
    assert nearest(filled) == ["east"]


def test_a_killed_server_fails_at_once_in_a_way_that_may_pass_and_is_used_again(
    filled: ChromaIndex, vector_server: VectorServer
) -> None:
    vector_server.kill()
    assert fails_in(lambda: nearest(filled)) < IN_TIME
    with pytest.raises(StoreError, match="does not answer") as failed:
        filled.delete("base", ["east"])
    assert failed.value.retryable
    vector_server.start()
    assert wait_for(lambda: works(filled.ping), 5)
    assert nearest(filled) == ["east"]


def test_a_collection_that_another_process_dropped_or_made_anew_is_found(
    filled: ChromaIndex, vector_server: VectorServer
) -> None:
    other = ChromaIndex(vector_server.settings["vectors_url"], 0.5)
    other.drop("base")
    assert nearest(filled) == []
    other.upsert("base", [VectorRow("new", [1, 0])])
    assert nearest(filled) == ["new"]
    other.drop("base")
    filled.upsert("base", [VectorRow("newer", [1, 0])])
    assert nearest(filled) == ["newer"]


def test_vectors_of_another_size_are_refused_and_the_store_stays_in_use(filled: ChromaIndex) -> None:
    with pytest.raises(StoreError, match="dimension") as refused:
        filled.query("base", np.ones((1, 3), dtype=np.float32), 5)
    assert not refused.value.retryable
    assert nearest(filled) == ["east"]


class Doorman(BaseHTTPRequestHandler):
    """A proxy before the real server, which lets in who brings the token."""

    behind = ""

    def answer(self) -> None:
        if self.headers.get("Authorization") != "Bearer sesame":
            self.send_response(401)
            self.end_headers()
            return
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {"Content-Type": self.headers.get("Content-Type") or "application/json"}
        answer = httpx.request(self.command, self.behind + self.path, content=content, headers=headers)
        self.send_response(answer.status_code)
        self.send_header("Content-Type", answer.headers["content-type"])
        self.end_headers()
        self.wfile.write(answer.content)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, *_: object) -> None:
        """Nothing to the terminal."""


def test_a_proxy_that_asks_for_a_token_gets_it(filled: ChromaIndex, vector_server: VectorServer) -> None:
    handler = type("Before", (Doorman,), {"behind": vector_server.settings["vectors_url"]})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{proxy.server_port}"
        assert nearest(ChromaIndex(address, 5, token="sesame")) == ["east"]
        with pytest.raises(StoreError, match=r"refused the call \(401\)"):
            nearest(ChromaIndex(address, 5))
        proxy.shutdown()
