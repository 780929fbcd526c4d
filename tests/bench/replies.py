"""How soon a token of the model is with whoever waits for it."""

import subprocess
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from kgadmin.config import ROOT
from kgadmin.embedded.servers import free_port, wait_for
from tests.bench.figures import Row, p50
from tests.program import Run, run
from tests.scripted_model import ScriptedModel

TURNS = 30
SETTLED_SECONDS = 240
ASKED = "What do you remember of the reef, number {}?"


def rows(args: Namespace) -> Iterator[Row]:
    """From the model's first token until a program, and a page, has it."""
    with (
        ScriptedModel() as model,
        TemporaryDirectory(prefix="kgadmin-bench-") as folder,
        settled(Path(folder), 8700) as program,
    ):
        key = program.manage("create_api_key", "tester", "--per-minute", "100000").strip().splitlines()[-1]
        headers = {"Authorization": f"Bearer {key}"}
        with _web(program, model) as address, _tab(address) as tab, _tab(address, headers=headers) as client:
            _sign_in(tab)
            tokens = [[_token(client, model, each) for each in range(TURNS)] for _ in range(args.repeats)]
            pages = [[_event(tab, model, each) for each in range(TURNS)] for _ in range(args.repeats)]
    yield Row("first token to a client of /v1: median", [p50(each) for each in tokens], goal="at most 30")
    yield Row("first token on the page: median", [p50(each) for each in pages], goal="at most 200")


@contextmanager
def settled(folder: Path, port: int) -> Iterator[Run]:
    """The whole program on a data folder in there, with the demo, when everything answers."""
    with run(folder / "data", port, DEMO="1", LLM_BASE_URL="") as program:
        if not program.is_there() or not wait_for(lambda: is_settled(program.address), SETTLED_SECONDS, every=1):
            sys.exit(f"The program didn't start:\n{program.output}")
        yield program


@contextmanager
def _web(program: Run, model: ScriptedModel) -> Iterator[str]:
    """A second web process on the same data, alone with the model: the worker would take replies of its script."""
    port = free_port(8780)
    command = [sys.executable, "-m", "uvicorn", "kgadmin.asgi:application", "--port", str(port)]
    settings = {"LLM_BASE_URL": model.base_url, "LLM_MODEL": "scripted"}
    with program.log.open("a") as log:
        web = subprocess.Popen(command, cwd=ROOT, env=program.env | settings, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}/"
    try:
        assert wait_for(lambda: is_settled(address), SETTLED_SECONDS, every=1), program.output
        yield address
    finally:
        web.terminate()
        web.wait(20)


def is_settled(address: str) -> bool:
    """Whether a web process answers there, reaches every engine, and has loaded its model."""
    try:
        health = httpx.get(f"{address}api/health", timeout=10, trust_env=False).json()
    except httpx.HTTPError:
        return False
    return bool(health["ready"]) and health["parts"]["embedder"] == "up"


def _tab(address: str, headers: dict[str, str] | None = None) -> httpx.Client:
    return httpx.Client(base_url=address, headers=headers, timeout=60, trust_env=False)


def _sign_in(tab: httpx.Client) -> None:
    tab.get("login/")
    tab.headers["X-CSRFToken"] = tab.cookies["csrftoken"]
    tab.post("login/demo/", data={"username": "tester"})
    tab.headers["X-CSRFToken"] = tab.cookies["csrftoken"]


def _token(client: httpx.Client, model: ScriptedModel, number: int) -> float:
    """Milliseconds from the model's first token until the client has it."""
    gate = threading.Event()
    asked = len(model.requests)
    model.says(gate, "One", " two.")
    body = {
        "model": "elena",
        "stream": True,
        "user": "bench",
        "messages": [{"role": "user", "content": ASKED.format(number)}],
    }
    sent = _opened(gate, model, asked)
    with client.stream("POST", "v1/chat/completions", json=body) as stream:
        arrived = _heard('"content": "One', stream)
    return (arrived - sent[0]) * 1000


def _event(tab: httpx.Client, model: ScriptedModel, number: int) -> float:
    """Milliseconds from the model's first token until the page's stream has it."""
    gate = threading.Event()
    asked = len(model.requests)
    model.says(gate, "One", " two.")
    begun = tab.post(
        "playground/with/elena/begin/", data={"message": ASKED.format(number)}, headers={"HX-Request": "true"}
    )
    sent = _opened(gate, model, asked)
    with tab.stream("GET", f"{begun.headers['HX-Redirect'].lstrip('/')}events/") as stream:
        arrived = _heard("One", stream)
    return (arrived - sent[0]) * 1000


def _heard(text: str, stream: httpx.Response) -> float:
    """The moment at which it came."""
    lines = []
    for line in stream.iter_lines():
        if text in line:
            return time.perf_counter()
        lines.append(line)
    sys.exit(f"{stream.status_code}, and nothing of {text} in it: {lines}")


def _opened(gate: threading.Event, model: ScriptedModel, asked: int) -> list[float]:
    """Opens the gate when the model was asked and waits; filled with that moment."""
    moments: list[float] = []

    def open_it() -> None:
        assert wait_for(lambda: len(model.requests) > asked, 60, every=0.005)
        time.sleep(0.05)  # its answer's headers are on their way, the token isn't
        moments.append(time.perf_counter())
        gate.set()

    threading.Thread(target=open_it, daemon=True).start()
    return moments
