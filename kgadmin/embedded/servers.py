"""The local servers of the embedded default: their command lines, their ports, and checks that they are up."""

import importlib.util
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx

from kgadmin.embedded.process import StartError

LOOPBACK = "127.0.0.1"
TRIED_PORTS = 100
STATEMENT_TIMEOUT_MS = 10_000
"""The embedded graph ignores a query's own time-out; this one ends a runaway statement on the server. Readers give up
long before; writes and drift need some of it: on a busy machine a fresh server took 1.5 s for 2,000 nodes, and more
than 5 s to list what is known of a person with 5,000 messages."""


def graph_command(data_dir: Path, http_port: int, bolt_port: int, password: str) -> list[str]:
    """Return the command that serves `data_dir` over Bolt. Start it in a folder of ours, since it writes `./log`.

    The password is in a file that only this user reads, since `ps` shows command lines to everybody. ArcadeDB
    keeps the first password it was started with, so the same one must be given for as long as the folder lives.
    """
    package = _folder_of("arcadedb_embedded")
    properties = {
        "arcadedb.server.rootPath": data_dir,
        "arcadedb.server.databaseDirectory": data_dir / "databases",
        "arcadedb.server.rootPasswordPath": _password_file(data_dir, password),
        "arcadedb.server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "arcadedb.server.httpIncomingHost": LOOPBACK,
        "arcadedb.server.httpIncomingPort": http_port,
        "arcadedb.bolt.host": LOOPBACK,
        "arcadedb.bolt.port": bolt_port,
        "arcadedb.command.timeout": STATEMENT_TIMEOUT_MS,
    }
    return [
        str(package / "jre" / "bin" / "java"),
        *("-Xmx512m", "--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"),
        *(f"-D{name}={value}" for name, value in properties.items()),
        *("-cp", str(package / "jars" / "*"), "com.arcadedb.server.ArcadeDBServer"),
    ]


def graph_answers(http_port: int) -> bool:
    """Return whether the graph server takes commands; the database may not exist yet."""
    return _answers(f"http://{LOOPBACK}:{http_port}/api/v1/ready")


def create_database(http_port: int, password: str, name: str) -> None:
    """Create the database `name` on a running graph server; an existing one is left alone."""
    address = f"http://{LOOPBACK}:{http_port}/api/v1"
    with httpx.Client(auth=("root", password), timeout=10, trust_env=False) as client:
        there = client.get(f"{address}/databases").raise_for_status().json()["result"]
        if name not in there:
            client.post(f"{address}/server", json={"command": f"create database {name}"}).raise_for_status()


def vectors_command(data_dir: Path, port: int) -> list[str]:
    """Return the command that serves `data_dir` as a Chroma server."""
    chroma = str(Path(sys.executable).parent / "chroma")
    return [chroma, "run", "--path", str(data_dir), "--host", LOOPBACK, "--port", str(port)]


def vectors_answer(port: int) -> bool:
    """Return whether the Chroma server answers."""
    return _answers(f"http://{LOOPBACK}:{port}/api/v2/heartbeat")


def free_port(preferred: int = 0) -> int:
    """Return `preferred` if it is free, else another free port, which may be taken before the caller binds it."""
    for port in (preferred, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError("this machine has no free port")


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=1, trust_env=False).is_success
    except httpx.HTTPError:
        return False


def _folder_of(package: str) -> Path:
    """Return where an installed package is located, without importing it (this one would start a JVM)."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} is not installed: run `make install`")
    return Path(next(iter(spec.submodule_search_locations)))


def _password_file(data_dir: Path, password: str) -> Path:
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / "root-password"
    path.touch(mode=0o600)
    path.write_text(password)
    return path


@dataclass(frozen=True, slots=True)
class Ports:
    """Ports of the parts, on loopback."""

    web: int
    bolt: int
    graph_http: int
    vectors: int


PREFERRED = Ports(web=8000, bolt=7687, graph_http=2480, vectors=8100)


class Reservations:
    """Ports that are this runner's until it ends.

    A server takes seconds to reach the port that was free when it was chosen, so another runner must not choose it
    meanwhile. A name in Linux's abstract socket namespace is held by one process, and gone with it.
    """

    def __init__(self) -> None:
        self._held: list[socket.socket] = []

    def take(self, port: int) -> bool:
        """Reserve a port; return False if somebody listens on it, or another runner is about to."""
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0kgadmin-port-{port}")
        except OSError:
            name.close()
            return False
        self._held.append(name)
        return free_port(port) == port


def choose_ports(web: int, reservations: Reservations, say: Callable[[str, str], None]) -> Ports:
    """Choose a port for each part, and say which were avoided. Raises `StartError`."""

    def choose(preferred: int, part: str) -> int:
        port = _next_free(preferred, reservations)
        if port != preferred:
            say(part, f"port {preferred} is taken, so {port} is used")
        return port

    return Ports(
        web=choose(web, "web"),
        bolt=choose(PREFERRED.bolt, "graph"),
        graph_http=choose(PREFERRED.graph_http, "graph"),
        vectors=choose(PREFERRED.vectors, "vectors"),
    )


def _next_free(preferred: int, reservations: Reservations) -> int:
    """Return the next free port. Counting up avoids the ports that the system gives to clients: a client reconnecting
    to a server that is down may be given the server's own port, connect to itself, and block the server.
    """
    for port in range(preferred, min(preferred + TRIED_PORTS, 65536)):
        if reservations.take(port):
            return port
    raise StartError(f"No port from {preferred} up is free. Name another one: make run PORT=9000")
