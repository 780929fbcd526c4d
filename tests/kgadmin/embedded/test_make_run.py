"""`make run`: what it starts, says, starts again and leaves behind."""

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kgadmin.config import ROOT
from kgadmin.embedded.servers import free_port, wait_for
from tests.program import START_TIMEOUT_S, Run, run

pytestmark = [pytest.mark.runner, pytest.mark.timeout(240), pytest.mark.xdist_group("make run")]

DEMO_ACCOUNTS = ["demo", "author", "operator", "tester"]


@pytest.fixture(scope="module")
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", free_port(8300))) as somebody_else:
        yield int(somebody_else.getsockname()[1])


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, taken: int) -> Iterator[Run]:
    """One empty program for the tests that leave it running."""
    with run(tmp_path_factory.mktemp("run") / "data", taken, DEMO="0") as started:
        assert started.is_there(), started.output
        yield started


def test_it_prints_one_address_where_everything_answers(running: Run) -> None:
    assert re.findall(r"runs at (\S+)", running.output) == [running.address]
    assert wait_for(lambda: httpx.get(f"{running.address}api/health").json()["ready"], START_TIMEOUT_S)
    assert httpx.get(f"{running.address}login/").status_code == 200
    for part in ("graph", "vectors", "worker", "beat", "web"):
        assert re.search(rf"^  {part} +up", running.output, re.MULTILINE)


def test_a_taken_port_is_avoided_and_said(running: Run, taken: int) -> None:
    assert f"port {taken} is taken, so {taken + 1} is used" in running.output
    assert running.address == f"http://127.0.0.1:{taken + 1}/"


def test_an_empty_start_prints_the_first_administrators_link(running: Run) -> None:
    link = re.search(r"Make the first administrator: (\S+)", running.output)
    assert link is not None
    assert httpx.get(link[1]).status_code == 200


def test_a_second_run_says_where_the_first_one_is(running: Run) -> None:
    second = subprocess.run(running.command, cwd=ROOT, env=running.env, capture_output=True, text=True, check=False)
    assert second.returncode == 0
    assert second.stdout.count("\n") == 1
    assert running.address in second.stdout


def test_manage_py_in_a_second_shell_sees_the_same_settings(running: Run) -> None:
    code = "from django.conf import settings as s; print(s.CONFIG.graph_url, s.SECRET_KEY, s.DEMO)"
    expected = [running.written["settings"][name] for name in ("GRAPH_URL", "SECRET_KEY", "DEMO")]
    assert running.manage("shell", "--no-imports", "-c", code).split() == [str(value) for value in expected]


@pytest.mark.parametrize("part", ["worker", "beat", "vectors", "web"])
def test_a_killed_part_is_started_again_and_its_outage_written_down(running: Run, part: str) -> None:
    before = running.written["parts"][part]["restarts"]
    os.kill(running.written["parts"][part]["pid"], signal.SIGKILL)
    assert running.has_restarted(part, before), running.output
    outage = [outage for outage in running.written["outages"] if outage["part"] == part][-1]
    assert outage["reason"] == "killed by SIGKILL"
    assert outage["from"] < outage["to"]


def test_a_killed_graph_comes_back_with_its_data(running: Run) -> None:
    graph = running.graph()
    graph.write("CREATE (:Marker {id: 'marker:1'})")
    before = running.written["parts"]["graph"]["restarts"]
    os.kill(running.written["parts"]["graph"]["pid"], signal.SIGKILL)
    assert running.has_restarted("graph", before), running.output
    assert graph.read("MATCH (m:Marker) RETURN m.id AS id") == [{"id": "marker:1"}]
    graph.close()


def test_nobody_else_may_read_the_passwords(running: Run) -> None:
    modes = {name: (running.data_dir / name).stat().st_mode & 0o777 for name in ("run.json", "secrets.json")}
    assert modes == {"run.json": 0o600, "secrets.json": 0o600}
    password = running.written["settings"]["GRAPH_PASSWORD"]
    assert not [child for child in running.children() if password in " ".join(child.cmdline())]


def test_ctrl_c_leaves_no_process_and_kill_9_neither_and_the_data_stays(tmp_path: Path) -> None:
    with run(tmp_path / "data") as first:
        assert first.is_there(), first.output
        assert re.search(r"demo +account tester", first.output)
        login_page = httpx.get(f"{first.address}login/").text
        assert [name for name in DEMO_ACCOUNTS if f'value="{name}"' in login_page] == DEMO_ACCOUNTS
        graph = first.graph()
        graph.write("CREATE (:Marker {id: 'marker:1'})")
        graph.close()
        password = first.written["settings"]["GRAPH_PASSWORD"]
        assert first.ends(signal.SIGKILL) == []

    with run(tmp_path / "data") as second:
        assert second.is_there(), second.output
        assert re.search(r"demo +The demo was loaded before", second.output)
        assert second.written["settings"]["GRAPH_PASSWORD"] == password
        graph = second.graph()
        assert graph.read("MATCH (m:Marker) RETURN m.id AS id") == [{"id": "marker:1"}]
        graph.close()
        began = time.monotonic()
        assert second.ends(signal.SIGINT) == []
        assert time.monotonic() - began < 20  # some 5 s on a machine that does nothing else
        assert second.process.returncode == 0
        assert second.written == {}


def test_a_stop_in_the_middle_of_the_start_leaves_no_process(tmp_path: Path) -> None:
    with run(tmp_path / "data", DEMO="0") as started:
        assert wait_for(lambda: "graph" in started.written.get("parts", {}), START_TIMEOUT_S)
        assert started.ends(signal.SIGTERM) == []
        assert started.process.returncode == 0


def test_a_wrong_setting_ends_the_start_with_a_sentence(tmp_path: Path) -> None:
    with run(tmp_path / "data", LLM_TIMEOUT="soon") as started:
        assert started.process.wait(30) == 1
    assert started.output.startswith("A setting is wrong. LLM_TIMEOUT: ")
    assert "Traceback" not in started.output


def test_a_database_that_cannot_be_migrated_ends_the_start_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "kgadmin.sqlite3").write_text(json.dumps({"this": "is no database"}) * 1000)
    with run(tmp_path / "data", DEMO="0") as started:
        assert started.process.wait(60) == 1
    assert "`manage.py migrate --no-input` ended with code 1" in started.output
    assert "file is not a database" in started.output
