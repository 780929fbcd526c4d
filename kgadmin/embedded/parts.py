"""The parts that `make run` starts: their commands, their ports, and when they are up."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from kgadmin.config import ROOT
from kgadmin.embedded import servers
from kgadmin.embedded.servers import Ports

PYTHON = sys.executable


@dataclass(frozen=True, slots=True)
class Part:
    """A long-running process. It is up when `answers()` says so or, without that, when its log shows `ready_line`."""

    name: str
    command: list[str]
    cwd: Path = ROOT
    port: int | None = None
    niceness: int = 0
    answers: Callable[[], bool] | None = None
    ready_line: str = ""


def graph(data_dir: Path, ports: Ports, password: str, database: str) -> Part:
    folder = data_dir / "graph"
    folder.mkdir(parents=True, exist_ok=True)

    def answers() -> bool:
        if not servers.graph_answers(ports.graph_http):
            return False
        servers.create_database(ports.graph_http, password, database)
        return True

    command = servers.graph_command(folder, ports.graph_http, ports.bolt, password)
    return Part("graph", command, cwd=folder, port=ports.bolt, answers=answers)


def vectors(data_dir: Path, ports: Ports) -> Part:
    command = servers.vectors_command(data_dir / "vectors", ports.vectors)
    return Part("vectors", command, port=ports.vectors, answers=lambda: servers.vectors_answer(ports.vectors))


def worker() -> Part:
    """Return the worker: threads, since torch hangs after a fork; nice, since people wait for the web process."""
    command = [*_celery("worker"), "--pool", "threads", "--concurrency", "4", "--without-gossip", "--without-mingle"]
    return Part("worker", command, niceness=10, ready_line="ready.")


def beat(data_dir: Path) -> Part:
    command = [*_celery("beat"), "--schedule", str(data_dir / "beat-schedule"), "--pidfile", ""]
    return Part("beat", command, niceness=10, ready_line="beat is ready.")


def web(ports: Ports, proxies: str) -> Part:
    """Return the web server, one process. Open streams get one second to end, or they would keep it from ending.

    `proxies` is passed even if empty: uvicorn would else trust X-Forwarded-For from any process of this machine.
    """
    command = [PYTHON, "-m", "uvicorn", "kgadmin.asgi:application", "--host", servers.LOOPBACK]
    command += ["--port", str(ports.web), "--lifespan", "on", "--timeout-graceful-shutdown", "1"]
    command += ["--forwarded-allow-ips", proxies, "--http", "kgadmin.connections:PatientProtocol"]
    return Part("web", command, port=ports.web, answers=lambda: health(ports.web) is not None)


def health(port: int) -> dict[str, Any] | None:
    """Return the web process's report on every part; None while it doesn't answer."""
    try:
        answer = httpx.get(f"http://{servers.LOOPBACK}:{port}/api/health", timeout=2, trust_env=False)
    except httpx.HTTPError:
        return None
    if answer.headers.get("content-type", "").startswith("application/json"):
        content: dict[str, Any] = answer.json()
        return content
    return None


def _celery(command: str) -> list[str]:
    return [PYTHON, "-m", "celery", "-A", "kgadmin.celery", command, "--loglevel", "INFO"]
