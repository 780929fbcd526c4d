"""Which ports the parts listen on: the preferred ones, or the next above that nobody has."""

import socket
from collections.abc import Callable
from dataclasses import dataclass

from kgadmin.embedded.process import StartError
from kgadmin.embedded.servers import free_port

TRIED = 100


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the parts listen, on loopback."""

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
        """Whether nobody listens on `port`, and no other runner is about to."""
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0kgadmin-port-{port}")
        except OSError:
            name.close()
            return False
        self._held.append(name)
        return free_port(port) == port

    def release(self) -> None:
        for name in self._held:
            name.close()


def choose_ports(web: int, reservations: Reservations, say: Callable[[str, str], None]) -> Ports:
    """A port for each part; what was avoided is said. Raises `StartError`."""

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
    """Counting up keeps clear of the ports that the system hands to clients: one of them that reconnects to a server
    that is just down may be given the server's own port, connect to itself, and so keep the server from coming back."""
    for port in range(preferred, min(preferred + TRIED, 65536)):
        if reservations.take(port):
            return port
    raise StartError(f"No port from {preferred} up is free. Name another one: make run PORT=9000")
