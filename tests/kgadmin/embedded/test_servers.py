import socket
from pathlib import Path

import pytest

from kgadmin.embedded import servers


def test_the_preferred_port_is_taken_when_it_is_free() -> None:
    port = servers.free_port()
    assert servers.free_port(port) == port


def test_a_taken_port_is_avoided() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert servers.free_port(port) != port


def test_the_graph_password_is_in_no_command_line_and_nobody_else_reads_it(tmp_path: Path) -> None:
    command = servers.graph_command(tmp_path / "graph", 1, 2, "sesame")
    assert "sesame" not in " ".join(command)
    file = tmp_path / "graph" / "root-password"
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("sesame", 0o600)


def test_both_servers_listen_on_this_machine_only(tmp_path: Path) -> None:
    graph = servers.graph_command(tmp_path / "graph", 1, 2, "sesame")
    assert {"-Darcadedb.server.httpIncomingHost=127.0.0.1", "-Darcadedb.bolt.host=127.0.0.1"} <= set(graph)
    assert servers.vectors_command(tmp_path, 3)[-4:] == ["--host", "127.0.0.1", "--port", "3"]


def test_waiting_ends_with_the_first_yes() -> None:
    answers = iter([False, False, True])
    assert servers.wait_for(lambda: next(answers), 5, every=0)


def test_waiting_ends_at_the_deadline() -> None:
    assert not servers.wait_for(lambda: False, 0.05, every=0.01)


def test_a_server_that_is_not_there_does_not_answer() -> None:
    assert not servers.graph_answers(servers.free_port())
    assert not servers.vectors_answer(servers.free_port())


def test_a_package_that_is_not_installed_is_said() -> None:
    with pytest.raises(ModuleNotFoundError, match="run `make install`"):
        servers._folder_of("no_such_package_here")
