"""The program as a team runs it: two web processes, two workers and beat, on engines of their own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from kgadmin.config import ROOT
from kgadmin.embedded import parts, servers
from kgadmin.embedded.servers import Ports
from tests.patience import wait_for
from tests.program import clean_environment
from tests.scripted_model import ScriptedModel
from tests.servers import PostgresServer, RedisServer, Server, VectorServer, graph_server_class

PASSWORD = "a password of tests"
CSRF = "c" * 32


class Part(Server):
    """A process of the program: ready when its log shows a line."""

    def __init__(self, folder: Path, environment: dict[str, str], *command: str, ready: str) -> None:
        super().__init__(folder)
        self._command = ["env", "-C", str(ROOT), *(f"{name}={value}" for name, value in environment.items()), *command]
        self._ready = ready
        self.log = folder / "server.log"
        self._log_size = 0

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def command(self) -> list[str]:
        self._log_size = self.log.stat().st_size
        return self._command

    def answers(self) -> bool:
        return self._ready in self.log.read_text()[self._log_size :]


class Cluster:
    """Everything that runs; `environment` leads any command of manage.py to it."""

    def __init__(self, folder: Path, model: ScriptedModel) -> None:
        self.database, self.broker = PostgresServer(), RedisServer(folder / "redis")
        self.graph = graph_server_class()(folder / "graph")
        self.vectors = VectorServer(folder / "vectors")
        self.engines: list[Server] = [self.database, self.broker, self.graph, self.vectors]
        self.environment: dict[str, str] = {
            "SECRET_KEY": "only for these tests, and therefore no secret at all",
            "DATA_DIR": str(folder / "data"),
            "LLM_BASE_URL": model.base_url,
            "LLM_MODEL": "scripted",
            "LLM_TIMEOUT": "60",
            "GRAPH_READ_TIMEOUT": "5",
            "VECTORS_TIMEOUT": "5",
        }
        for server in self.engines:
            self.environment |= {name.upper(): str(value) for name, value in server.settings.items()}
        self.environment["BROKER_URL"] += "/0"
        self.addresses = [f"http://127.0.0.1:{servers.free_port()}" for _ in range(2)]
        self.webs = [self._part(folder / f"web{i}", *_web(each)) for i, each in enumerate(self.addresses)]
        self.workers = [
            self._part(folder / f"worker{i}", *parts.worker().command, "--hostname", f"worker{i}@%h", ready="ready.")
            for i in range(2)
        ]
        self.beat = self._part(folder / "beat", *parts.beat(folder).command, ready="beat is ready.")

    def _part(self, folder: Path, *command: str, ready: str = "Application startup complete") -> Part:
        return Part(folder, self.environment, *command, ready=ready)

    @property
    def parts(self) -> list[Part]:
        return [*self.webs, *self.workers, self.beat]

    def start(self) -> None:
        with ThreadPoolExecutor() as together:
            list(together.map(lambda each: each.start(), self.engines))
            self.manage("migrate", "--no-input")
            list(together.map(lambda each: each.start(), self.parts))

    def stop(self) -> None:
        for part in self.parts:
            part.stop()
        for engine in self.engines[1:]:
            engine.stop()
        self.database.remove()

    def mend(self) -> None:
        """Undo what a test did to it."""
        for server in [*self.engines, *self.parts]:
            server.mend()

    def manage(self, *arguments: str, check: bool = True) -> str:
        command = [sys.executable, "manage.py", *arguments]
        environment = clean_environment(**self.environment)
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def shell(self, code: str) -> Any:
        """What `code` prints as JSON."""
        return json.loads(self.manage("shell", "--no-imports", "-c", code) or "null")

    def row(self, query: str, *values: object) -> tuple[Any, ...]:
        """The first row of a query of the database."""
        import psycopg

        with psycopg.connect(self.database.settings["database_url"]) as connection:
            return tuple(connection.execute(query, values).fetchone() or ())

    def health(self, web: int = 0) -> dict[str, str]:
        answer = httpx.get(f"{self.addresses[web]}/api/health", timeout=20, trust_env=False)
        parts: dict[str, str] = answer.json().get("parts", {})
        return parts

    def is_ready(self) -> bool:
        try:
            return all("down" not in self.health(web).values() for web in range(2))
        except httpx.HTTPError:
            return False

    def nothing_waits(self) -> bool:
        """Whether every projection is what the database says."""
        output = self.manage("drift", check=False)
        return "No drift." in output and "waiting" not in output

    @contextmanager
    def tab(self, web: int = 0) -> Iterator[httpx.Client]:
        """A browser of the tester, signed in once for all web processes."""
        with httpx.Client(base_url=self.addresses[web], timeout=30, trust_env=False) as client:
            client.cookies.set("sessionid", self.session)
            client.cookies.set("csrftoken", CSRF)
            client.headers["X-CSRFToken"] = CSRF
            yield client

    session = ""


def _web(address: str) -> list[str]:
    return parts.web(Ports(int(address.rpartition(":")[2]), 0, 0, 0), "").command


FIRST_CONTENT = f"""
import json
from django.contrib.auth.models import Group
from django.test import Client
from characters.profiles import services as profiles
from kgadmin.accounts.models import User
from tests import invented
user = User.objects.create_user("tester", password="{PASSWORD}")
user.groups.set(Group.objects.filter(name__in=["tester", "operator", "author"]))
profiles.create_character(slug="tomasz", sheet=invented.TOMASZ, by=user)
client = Client()
client.force_login(user)
print(json.dumps(client.cookies["sessionid"].value))
"""


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[Cluster, ScriptedModel]]:
    """A cluster with a tester and a character, everything projected."""
    with ExitStack() as stack:
        model = stack.enter_context(ScriptedModel(judgement="No judge, a scripted model."))
        running = Cluster(folder, model)
        stack.callback(running.stop)
        running.start()
        running.session = running.shell(FIRST_CONTENT)
        assert wait_for(running.is_ready, 300, every=0.5), running.health()
        assert wait_for(running.nothing_waits, 120, every=1)
        yield running, model
