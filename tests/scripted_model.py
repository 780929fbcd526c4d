"""A language model that says what a test tells it to: an OpenAI-compatible HTTP server with a script."""

import itertools
import json
import select
import socket
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Step = str | threading.Event | dict[str, Any]
"""A token to say, a gate to wait at until it is set, or a whole chunk to send as it is."""

SSE = "text/event-stream"


@dataclass(frozen=True)
class Answer:
    """What one request gets."""

    steps: tuple[Step, ...] = ()
    status: int = 200
    content_type: str = SSE
    body: str = ""
    """Sent in place of a stream."""
    before: threading.Event | None = None
    """A gate before the first byte."""
    repeat: bool = False
    """Begin again after the last step."""
    cut: bool = False
    """Break the connection off after the steps, in place of ending the stream."""
    location: str = ""


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def prompt(self) -> str:
        """The text of all messages."""
        return "\n".join(str(message["content"]) for message in self.body["messages"])

    @property
    def wants_json(self) -> bool:
        """Whether something is to be judged, and no reply written."""
        return "response_format" in self.body


@dataclass
class ScriptedModel:
    """Use as a context manager. Answers in the order of the script, then with `otherwise`; each request is kept."""

    otherwise: str = "This is the scripted answer."
    judgement: str = ""
    """What whoever asks for JSON gets, beside the script: for a program whose workers ask when they come to it."""

    requests: list[Request] = field(default_factory=list)
    hung_up: threading.Event = field(default_factory=threading.Event)
    """Set when a client closed its connection before its answer was whole."""

    page: Answer = Answer(content_type="application/json", body='{"object": "list", "data": [{"id": "scripted"}]}')
    """What every GET gets: the list of models."""

    def __post_init__(self) -> None:
        self._script: deque[Answer] = deque()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), self)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def closing(self) -> bool:
        return self._closing.is_set()

    @property
    def base_url(self) -> str:
        """What LLM_BASE_URL is set to."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def settings(self) -> dict[str, Any]:
        """The fields of `Config` that lead to it."""
        return {"llm_base_url": self.base_url, "llm_model": "scripted"}

    def then(self, answer: Answer) -> Self:
        """Put one answer behind the others in the script."""
        self._script.append(answer)
        return self

    def says(self, *steps: Step, usage: tuple[int, int] | None = None, finish: str = "stop") -> Self:
        """A whole reply; `usage` is (prompt tokens, completion tokens)."""
        end: list[Step] = [chunk(finish_reason=finish)]
        if usage:
            end.append({"choices": [], "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}})
        return self.then(Answer((*steps, *end)))

    def cuts_off_after(self, *steps: Step) -> Self:
        """A reply whose connection breaks."""
        return self.then(Answer(steps, cut=True))

    def hangs(self) -> Self:
        """Nothing at all, not even headers, until the client hangs up or the server is closed."""
        return self.then(Answer(before=threading.Event()))

    def hangs_after(self, *steps: Step) -> Self:
        """The steps, and then nothing until the client hangs up or the server is closed."""
        return self.then(Answer((*steps, threading.Event())))

    def keeps_sending(self, step: Step) -> Self:
        """One step again and again, until the client hangs up or the server is closed."""
        return self.then(Answer((step,), repeat=True))

    def refuses(self, status: int, message: str = "no") -> Self:
        """An error in OpenAI's shape."""
        return self.then(Answer(status=status, content_type="application/json", body=_error(message)))

    def redirects(self, address: str) -> Self:
        """A word that what is asked for is elsewhere."""
        return self.then(Answer(status=307, content_type="text/plain", body="There", location=address))

    def sends(self, body: str, content_type: str = "text/html") -> Self:
        """HTTP 200 with something that is no stream."""
        return self.then(Answer(content_type=content_type, body=body))

    def lists(self, *names: str) -> Self:
        """The models that its list has."""
        body = json.dumps({"object": "list", "data": [{"id": name} for name in names]})
        self.page = Answer(content_type="application/json", body=body)
        return self

    def forget(self) -> None:
        """Begin anew for the next test, where it lives longer than one."""
        self._script.clear()
        self.requests.clear()
        self.hung_up.clear()

    def answer_to(self, request: Request) -> Answer:
        """The script's next answer, or what is said beside the script."""
        if self.judgement and request.wants_json:
            return Answer((self.judgement, chunk(finish_reason="stop")))
        return self._script.popleft() if self._script else Answer((self.otherwise, chunk(finish_reason="stop")))

    def wait(self, gate: threading.Event, gone: Callable[[], bool]) -> bool:
        """Wait at a gate; False if the client hung up or the server is closed before it is set."""
        while not gate.wait(0.01):
            if gone():
                self.hung_up.set()
                return False
            if self.closing:
                return False
        return True


def chunk(content: str | None = None, *, finish_reason: str | None = None) -> dict[str, Any]:
    """One chunk of a stream."""
    delta = {} if content is None else {"content": content}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def _error(message: str) -> str:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error"}})


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], model: ScriptedModel) -> None:
        super().__init__(address, _Handler)
        self.model = model

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no error here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        page = self.server.model.page
        if page.before and not self.server.model.wait(page.before, self._client_gone):
            self.close_connection = True
        else:
            self._send(page)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = Request(body, {name.lower(): value for name, value in self.headers.items()})
        self.server.model.requests.append(request)
        answer = self.server.model.answer_to(request)
        if answer.before and not self.server.model.wait(answer.before, self._client_gone):
            self.close_connection = True
        elif answer.body:
            self._send(answer)
        else:
            self._stream(answer)

    def _send(self, answer: Answer) -> None:
        body = answer.body.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(body)))
        if answer.location:
            self.send_header("Location", answer.location)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            steps = itertools.cycle(answer.steps) if answer.repeat else answer.steps
            is_complete = all(self._step(step) for step in steps)
        except OSError:
            self.server.model.hung_up.set()
            is_complete = False
        if is_complete and not answer.cut:
            self._write("data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    def _step(self, step: Step) -> bool:
        if isinstance(step, threading.Event):
            return self.server.model.wait(step, self._client_gone)
        if self.server.model.closing:
            return False
        data = step if isinstance(step, dict) else chunk(step)
        self._write(f"data: {json.dumps({'object': 'chat.completion.chunk', **data})}\n\n")
        return True

    def _write(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _client_gone(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and self.connection.recv(1, socket.MSG_PEEK) == b""

    def log_message(self, format: str, *args: Any) -> None:
        """Tests read what they need from `requests`."""
