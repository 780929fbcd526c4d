from pathlib import Path

import pytest

from kgadmin.embedded import servers


def test_the_graph_password_is_in_no_command_line_and_nobody_else_reads_it(tmp_path: Path) -> None:
    command = servers.graph_command(tmp_path / "graph", 1, 2, "sesame")
    assert "sesame" not in " ".join(command)
    file = tmp_path / "graph" / "root-password"
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("sesame", 0o600)


def test_both_servers_listen_on_this_machine_only(tmp_path: Path) -> None:
    graph = servers.graph_command(tmp_path / "graph", 1, 2, "sesame")
    assert {"-Darcadedb.server.httpIncomingHost=127.0.0.1", "-Darcadedb.bolt.host=127.0.0.1"} <= set(graph)
    assert servers.vectors_command(tmp_path, 3)[-4:] == ["--host", "127.0.0.1", "--port", "3"]


def test_a_package_that_is_not_installed_is_said() -> None:
    with pytest.raises(ModuleNotFoundError, match="run `make install`"):
        servers._folder_of("no_such_package_here")
