"""`make run`: start every part, wait until all answer, print the address, keep them running, stop them in order."""

import os
import signal
import threading
import time
from collections.abc import Callable

from kgadmin.config import ROOT, Config
from kgadmin.embedded import parts, servers
from kgadmin.embedded.backup import DATABASE, ENGINES, RESTORED
from kgadmin.embedded.process import StartError, how_it_ended, kill, spawn
from kgadmin.embedded.run_file import RunFile, secrets_of
from kgadmin.embedded.servers import Reservations, choose_ports
from kgadmin.embedded.supervisor import Supervisor, tail

TICK_S = 0.1
READY_TIMEOUT_S = 120
HEALTH_TIMEOUT_S = 30
WORK_TIMEOUT_S = 60
"""How long the address waits for what is still to be read, so that the first question is answered like any later."""
STOP_TIMEOUT_S = 4
MAX_LOG_BYTES = 10_000_000


class StopRequestedError(Exception):
    """Ctrl-C, or a signal to end."""


class Runner:
    """One run on one data folder; the caller holds the folder's lock."""

    def __init__(self, config: Config, *, port: int, demo: bool) -> None:
        self.config = config
        self.data_dir = config.data_dir
        self.demo = demo
        self.reservations = Reservations()
        self.ports = choose_ports(port, self.reservations, say)
        self.secrets = secrets_of(self.data_dir)
        self.address = f"http://{servers.LOOPBACK}:{self.ports.web}/"
        self.run_file = RunFile(data_dir=self.data_dir, address=self.address, settings=self._settings())
        self.logs = self.data_dir / "logs"
        # Chroma, written in Rust, would log several lines a request.
        ours = {"DATA_DIR": str(self.data_dir), "PYTHONUNBUFFERED": "1", "RUST_LOG": "warn", "NO_COLOR": "1"}
        self.env = {**os.environ, **ours}
        self.supervisor = Supervisor(self.run_file, self.logs, self.env, say)
        self.stopping = threading.Event()

    def run(self) -> None:
        """Run until a signal says to stop. Raises `StartError`."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.stopping.set())
        try:
            self._start()
            self._tick_until(lambda: False)
        except StopRequestedError:
            print("Stopping ...", flush=True)
        finally:
            self._end()

    def _start(self) -> None:
        began = time.monotonic()
        self._trim_logs()
        self.run_file.save()
        emptied = self._emptied()
        self.supervisor.start(
            parts.graph(self.data_dir, self.ports, self.secrets["graph_password"], self.config.graph_database),
            parts.vectors(self.data_dir, self.ports),
        )
        self._migrate(emptied)
        say("database", f"up to date after {time.monotonic() - began:.1f} s")
        web = parts.web(self.ports, self.config.forwarded_allow_ips)
        self.supervisor.start(web, parts.worker(), parts.beat(self.data_dir))
        first_steps = self._first_steps()  # rows in the database; the worker takes them up when it is there
        self._tick_until(self.supervisor.settled, timeout=READY_TIMEOUT_S)
        self._tick_until(lambda: not self._silent(), timeout=HEALTH_TIMEOUT_S)
        if waiting := self._waiting():
            say("worker", f"{waiting} jobs wait: reading documents, facts and conversations ...")
            self._tick_until(lambda: not self._waiting(), timeout=WORK_TIMEOUT_S, every=0.5)
        self._announce(first_steps, time.monotonic() - began)

    def _migrate(self, emptied: list[str]) -> None:
        for line in self._manage("migrate", "--no-input").splitlines():
            if "copied" in line:
                say("database", line)
        if emptied:
            self._manage("rebuild", *emptied, "--later")
        if (self.data_dir / RESTORED).exists():
            say("database", self._manage("forget_again").strip())
            (self.data_dir / RESTORED).unlink()

    def _emptied(self) -> list[str]:
        has_database = self.config.database_url or (self.data_dir / DATABASE).exists()
        return [name for name in ENGINES if has_database and not (self.data_dir / name).exists()]

    def _end(self) -> None:
        """Stop the parts: clients before servers."""
        self.supervisor.stop(["web", "beat", "worker"], timeout=STOP_TIMEOUT_S)
        self.supervisor.stop(["graph", "vectors"], timeout=STOP_TIMEOUT_S)
        self.run_file.remove()

    def _first_steps(self) -> str:
        if not self.demo:
            path = self._manage("first_admin_link", "--if-needed").strip()
            return f"Set the password of the first administrator: {self.address.rstrip('/')}{path}" if path else ""
        for line in self._manage("load_demo").splitlines():
            say("demo", line)
        return 'Demo accounts: demo (all roles), author, operator, tester. One click each; their password is "demo".'

    def _announce(self, first_steps: str, seconds: float) -> None:
        for part in self._silent():
            say(part, f"doesn't answer; see {self.address}health/")
        print(f"\nkgadmin runs at {self.address} (after {seconds:.0f} s)", flush=True)
        unread = (
            f"{waiting} jobs are still at work; until then, not all is found." if (waiting := self._waiting()) else ""
        )
        print("\n".join(filter(None, [first_steps, unread, "Ctrl-C stops all of it."])), flush=True)

    def _silent(self) -> list[str]:
        """Return the parts that the web process finds down; a model that is still loading isn't."""
        health = parts.health(self.ports.web) or {"parts": {"web": "down"}}
        return [name for name, state in health["parts"].items() if state == "down"]

    def _waiting(self) -> int:
        """Return how much waits for the worker; 0 where none works on it."""
        health = parts.health(self.ports.web) or {}
        works = health.get("parts", {}).get("worker") == "up"
        return int(health.get("waiting", 0)) if works else 0

    def _manage(self, *arguments: str) -> str:
        log = self.logs / f"{arguments[0]}.log"
        log.write_bytes(b"")
        process = spawn([parts.PYTHON, "manage.py", *arguments], log=log, cwd=ROOT, env=self.env)
        try:
            self._tick_until(lambda: process.poll() is not None)
        finally:
            kill(process)
        if process.returncode:
            ending = how_it_ended(process.returncode)
            raise StartError(f"`manage.py {' '.join(arguments)}` {ending}. Its last lines:\n{tail(log)}")
        return log.read_text()

    def _tick_until(self, done: Callable[[], bool], timeout: float | None = None, every: float = TICK_S) -> None:
        deadline = None if timeout is None else time.monotonic() + timeout
        while not done():
            if self.stopping.wait(every):
                raise StopRequestedError
            self.supervisor.tick()
            if deadline is not None and time.monotonic() > deadline:
                return

    def _settings(self) -> dict[str, object]:
        return {
            "GRAPH_URL": f"bolt://{servers.LOOPBACK}:{self.ports.bolt}",
            "GRAPH_PASSWORD": self.secrets["graph_password"],
            "VECTORS_URL": f"http://{servers.LOOPBACK}:{self.ports.vectors}",
            "SECRET_KEY": self.secrets["secret_key"],
            "DEMO": self.demo,
        }

    def _trim_logs(self) -> None:
        self.logs.mkdir(parents=True, exist_ok=True)
        for log in self.logs.glob("*.log"):
            if log.stat().st_size > MAX_LOG_BYTES:
                log.replace(log.with_suffix(".log.1"))


def say(part: str, text: str) -> None:
    """Print one line of progress."""
    print(f"  {part:<10}{text}", flush=True)
