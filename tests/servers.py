"""Real servers for the tests: started, paused, killed and started again by hand."""

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import chromadb
from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from kgadmin.embedded import servers
from tests.patience import wait_for

START_SECONDS = 110


class Server(ABC):
    """A process that can be broken in the ways that processes break."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._paused = False

    @abstractmethod
    def command(self) -> list[str]:
        """What starts it."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether it does its work."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """The fields of `Config` that lead to it."""

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(self.command(), cwd=self.folder, stdout=log, stderr=log)
        assert wait_for(self.answers, START_SECONDS), (self.folder / "server.log").read_text()[-2000:]

    def pause(self) -> None:
        """Hang: it keeps its connections, takes new ones, and says nothing."""
        self._signal(signal.SIGSTOP)
        assert self._process is not None
        os.waitpid(self._process.pid, os.WUNTRACED)  # until it stands still: an answer may be on its way
        self._paused = True

    def resume(self) -> None:
        self._signal(signal.SIGCONT)
        self._paused = False

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        self._ended()

    stop_signal = signal.SIGTERM

    def stop(self) -> None:
        if self._process is not None:
            if self._paused:
                self.resume()
            self._signal(self.stop_signal)
            self._ended()

    def mend(self) -> None:
        """Undo what a test did to it."""
        if self._paused:
            self.resume()
        if self._process is None:
            self.start()

    def _signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _ended(self) -> None:
        assert self._process is not None
        self._process.wait(START_SECONDS)
        self._process, self._paused = None, False


class GraphServer(Server):
    """The embedded graph server."""

    user, database = "root", "kg"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.port = servers.free_port()
        self.password = secrets.token_hex(8)
        self._http_port = servers.free_port()

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "graph_url": f"bolt://127.0.0.1:{self.port}",
            "graph_user": self.user,
            "graph_password": self.password,
            "graph_database": self.database,
        }

    def command(self) -> list[str]:
        return servers.graph_command(self.folder, self._http_port, self.port, self.password)

    def start(self) -> None:
        super().start()
        servers.create_database(self._http_port, self.password, self.database)

    def answers(self) -> bool:
        return servers.graph_answers(self._http_port)

    def wipe(self) -> None:
        self._query("MATCH (n) DETACH DELETE n")

    def _query(self, cypher: str) -> None:
        with GraphDatabase.driver(self.settings["graph_url"], auth=(self.user, self.password)) as driver:
            driver.execute_query(cypher, database_=self.database)


class Neo4jServer(GraphServer):
    """A real Neo4j, started by the script that NEO4J_TEST_START names (SCRIPT FOLDER PORT PASSWORD)."""

    user, database = "neo4j", "neo4j"

    def command(self) -> list[str]:
        return [os.environ["NEO4J_TEST_START"], str(self.folder / "home"), str(self.port), self.password]

    def start(self) -> None:
        Server.start(self)

    def answers(self) -> bool:
        try:
            self._query("RETURN 1")
        except (DriverError, Neo4jError, OSError):
            return False
        return True


class VectorServer(Server):
    """A Chroma server."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.port = servers.free_port()

    @property
    def settings(self) -> dict[str, Any]:
        return {"vectors_url": f"http://127.0.0.1:{self.port}"}

    def command(self) -> list[str]:
        return servers.vectors_command(self.folder / "data", self.port)

    def answers(self) -> bool:
        return servers.vectors_answer(self.port)

    def wipe(self) -> None:
        client = chromadb.HttpClient(host="127.0.0.1", port=self.port)
        for collection in client.list_collections():
            client.delete_collection(collection.name)


class PostgresServer(Server):
    """A PostgreSQL of Debian's packages; it runs as their user where we are root, which it refuses to be."""

    stop_signal = signal.SIGINT
    """Its fast shutdown: the usual one waits until every client has gone."""

    def __init__(self) -> None:
        super().__init__(Path(tempfile.mkdtemp(prefix="kgadmin-postgresql-")))
        self.port = servers.free_port()
        self.password = secrets.token_hex(8)
        self._as_its_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        if os.getuid():
            self._as_its_user = []
        else:
            shutil.chown(self.folder, "postgres", "postgres")
        self._initialise()

    @property
    def settings(self) -> dict[str, Any]:
        return {"database_url": f"postgresql://kgadmin:{self.password}@127.0.0.1:{self.port}/postgres"}

    def command(self) -> list[str]:
        options = ["-D", "data", "-p", str(self.port), "-h", "127.0.0.1", "-k", str(self.folder)]
        return [*self._as_its_user, str(_postgres_program("postgres")), *options, "-c", "fsync=off"]

    def answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.settings["database_url"], connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def _initialise(self) -> None:
        """Ordered as in English, as most installations are, so that no test leans on the order of bytes."""
        (self.folder / "password").write_text(self.password)
        (self.folder / "password").chmod(0o644)
        order = ["--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"]
        access = ["--username=kgadmin", "--pwfile=password", "--auth=scram-sha-256"]
        initdb = [*self._as_its_user, str(_postgres_program("initdb")), "-D", "data", "--no-sync", *order, *access]
        subprocess.run(initdb, cwd=self.folder, check=True, capture_output=True)


class RedisServer(Server):
    """A Redis that keeps nothing over a restart."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.port = servers.free_port()

    @property
    def settings(self) -> dict[str, Any]:
        return {"broker_url": f"redis://127.0.0.1:{self.port}"}

    def command(self) -> list[str]:
        return ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", "."]

    def answers(self) -> bool:
        import redis

        try:
            with redis.Redis(port=self.port, socket_timeout=1) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


def _postgres_program(name: str) -> Path:
    """Debian keeps them apart by version; the newest one."""
    programs = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: float(path.parts[4]))
    return programs[-1] if programs else Path(name)


def graph_server_class() -> type[GraphServer]:
    """The embedded server, unless GRAPH_TEST=neo4j (as `make test-production` sets it) asks for a real Neo4j."""
    return Neo4jServer if os.environ.get("GRAPH_TEST") == "neo4j" else GraphServer
