import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgadmin.embedded import servers
from kgadmin.embedded.process import StartError
from kgadmin.embedded.servers import PREFERRED, Reservations, choose_ports, free_port


def test_the_graph_password_is_in_no_command_line_and_nobody_else_reads_it(tmp_path: Path) -> None:
    command = servers.graph_command(tmp_path / "graph", 1, 2, "sesame")
    assert "sesame" not in " ".join(command)
    file = tmp_path / "graph" / "root-password"
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("sesame", 0o600)


def test_both_servers_listen_on_this_machine_only(tmp_path: Path) -> None:
    graph = servers.graph_command(tmp_path / "graph", 1, 2, "sesame")
    assert {"-Darcadedb.server.httpIncomingHost=127.0.0.1", "-Darcadedb.bolt.host=127.0.0.1"} <= set(graph)
    assert servers.vectors_command(tmp_path, 3)[-4:] == ["--host", "127.0.0.1", "--port", "3"]


def release(reservations: Reservations) -> None:
    """As the end of its process does."""
    for name in reservations._held:
        name.close()


@pytest.fixture
def reservations() -> Iterator[Reservations]:
    reservations = Reservations()
    yield reservations
    release(reservations)


def test_a_port_that_another_runner_is_about_to_use_is_avoided(reservations: Reservations) -> None:
    port = free_port()
    another_runner = Reservations()
    assert another_runner.take(port)
    assert not reservations.take(port)
    release(another_runner)
    assert reservations.take(port)


def test_a_port_that_somebody_listens_on_is_avoided_and_messages(reservations: Reservations) -> None:
    messages: list[tuple[str, str]] = []
    with socket.create_server(("127.0.0.1", 0)) as somebody:
        taken = int(somebody.getsockname()[1])
        ports = choose_ports(taken, reservations, lambda part, text: messages.append((part, text)))
    assert ports.web > taken
    assert ("web", f"port {taken} is taken, so {ports.web} is used") in messages


def test_engines_keep_off_the_ports_that_clients_are_given(reservations: Reservations) -> None:
    ports = choose_ports(free_port(), reservations, lambda part, text: None)
    assert PREFERRED.bolt <= ports.bolt < PREFERRED.bolt + 100
    assert PREFERRED.vectors <= ports.vectors < PREFERRED.vectors + 100


def test_a_machine_without_a_free_port_is_told_what_to_do(reservations: Reservations) -> None:
    with pytest.raises(StartError, match="make run PORT=9000"):
        choose_ports(65536, reservations, lambda part, text: None)
