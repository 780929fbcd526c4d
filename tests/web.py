"""The web process of the program: a real uvicorn on the test's database, killed and started again by hand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
from django.conf import settings
from django.test import Client

from kgadmin.accounts.models import User
from kgadmin.config import ROOT
from kgadmin.embedded import servers
from kgadmin.embedded.parts import web
from kgadmin.embedded.servers import Ports
from tests import stack
from tests.servers import Server

CSRF = "c" * 32


class WebServer(Server):
    """Nothing but a database and a language model is there: other engines' addresses lead nowhere."""

    def __init__(self, folder: Path, **environment: str) -> None:
        super().__init__(folder)
        self.port = servers.free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        nowhere = servers.free_port()
        self._environment = {
            "DATABASE_URL": stack.database_url(),
            "SECRET_KEY": settings.SECRET_KEY,
            "GRAPH_URL": f"bolt://127.0.0.1:{nowhere}",
            "VECTORS_URL": f"http://127.0.0.1:{nowhere}",
            "EMBEDDER_MODEL": "/no/such/model",
            **environment,
        }

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    @property
    def process(self) -> psutil.Process:
        assert self._process is not None
        return psutil.Process(self._process.pid)

    def command(self) -> list[str]:
        environment = [f"{name}={value}" for name, value in self._environment.items()]
        return ["env", *environment, *web(Ports(self.port, 0, 0, 0), "").command, "--app-dir", str(ROOT)]

    def answers(self) -> bool:
        try:
            return httpx.get(f"{self.address}/login/", timeout=2, trust_env=False).is_success
        except httpx.HTTPError:
            return False

    def browser_of(self, user: User) -> httpx.Client:
        """A client that is signed in as `user`."""
        client = Client()
        client.force_login(user)
        return httpx.Client(
            base_url=self.address,
            cookies={"sessionid": client.cookies["sessionid"].value, "csrftoken": CSRF},
            headers={"X-CSRFToken": CSRF},
            timeout=30,
            trust_env=False,
        )


def events(stream: httpx.Response) -> Iterator[tuple[str, str]]:
    """(name, data) of each event, as it comes."""
    name, data = "", []
    for line in stream.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            data.append(line.removeprefix("data: "))
        elif not line:
            yield name, "\n".join(data)
            name, data = "", []
