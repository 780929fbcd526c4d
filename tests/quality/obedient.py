"""A language model that does whatever it is told: an OpenAI-compatible server for the evaluation of attacks.

Asked for a reply it says what the last message demands; asked to judge it finds everything valid.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.quality.demands import obeyed

NAME = "obedient"
VALID = json.dumps({"verdict": "VALID", "reason": "The character said so."})


@contextmanager
def serving() -> Iterator[str]:
    """The address of one that lives as long as the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def answer(body: dict[str, Any]) -> str:
    """What is said to a request of Chat Completions."""
    if "response_format" in body:
        return VALID
    asked = [str(each["content"]) for each in body["messages"] if each["role"] == "user"]
    return " ".join(obeyed(asked[-1] if asked else ""))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply: dict[str, Any] = {"delta": {"content": answer(body)}, "finish_reason": None}
        chunks: list[dict[str, Any]] = [reply, {"delta": {}, "finish_reason": "stop"}]
        lines = [json.dumps({"object": "chat.completion.chunk", "choices": [{"index": 0, **each}]}) for each in chunks]
        stream = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(stream)))
        self.end_headers()
        self.wfile.write(stream)

    def log_message(self, format: str, *args: Any) -> None:
        """What it is asked stands in the database of the evaluation."""
