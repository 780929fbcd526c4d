"""`make run`: what it starts, says and refuses while it runs, and what it leaves behind."""

import json
import re
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from kgadmin.config import ROOT
from tests.kgadmin.embedded.commands import embedded
from tests.patience import wait_for
from tests.program import START_TIMEOUT_S, Run, run

pytestmark = [pytest.mark.runner, pytest.mark.timeout(300), pytest.mark.xdist_group("browser")]

DEMO_ACCOUNTS = ["demo", "author", "operator", "tester"]


def test_it_prints_one_address_where_everything_answers_and_the_demo_can_be_entered(program: Run, taken: int) -> None:
    assert re.findall(r"runs at (\S+)", program.output) == [program.address]
    assert f"port {taken} is taken, so {taken + 1} is used" in program.output
    assert program.address == f"http://127.0.0.1:{taken + 1}/"
    for part in ("graph", "vectors", "worker", "beat", "web"):
        assert re.search(rf"^  {part} +up", program.output, re.MULTILINE)
    login_page = httpx.get(f"{program.address}login/").text
    assert [name for name in DEMO_ACCOUNTS if f'value="{name}"' in login_page] == DEMO_ACCOUNTS


def test_the_address_is_printed_once_everything_of_the_demo_can_be_found(program: Run) -> None:
    before, _, after = program.output.partition("runs at")
    assert re.search(r"worker +\d+ jobs wait: reading documents", before)
    assert "are still at work" not in after


def test_a_second_run_says_where_the_first_one_is(program: Run) -> None:
    second = subprocess.run(program.command, cwd=ROOT, env=program.env, capture_output=True, text=True, check=False)
    assert second.returncode == 0
    assert second.stdout.count("\n") == 1
    assert program.address in second.stdout


def test_while_it_runs_nothing_is_purged_or_restored(program: Run) -> None:
    for option in (["--purge"], ["--restore", "saved.tar.gz"]):
        refused = embedded(program.data_dir, *option)
        assert refused.returncode == 1, option
        assert refused.stdout.startswith(f"kgadmin already runs on {program.data_dir}"), option
        assert "Stop it first" in refused.stderr, option


def test_manage_py_in_a_second_shell_sees_the_same_settings(program: Run) -> None:
    code = "from django.conf import settings as s; print(s.CONFIG.graph_url, s.SECRET_KEY, s.DEMO)"
    expected = [program.written.settings[name] for name in ("GRAPH_URL", "SECRET_KEY", "DEMO")]
    assert program.manage("shell", "--no-imports", "-c", code).split() == [str(value) for value in expected]


def test_who_forges_where_a_request_comes_from_guesses_no_longer(program: Run) -> None:
    with httpx.Client(base_url=program.address) as client:
        client.get("/login/")
        headers = {"X-CSRFToken": client.cookies["csrftoken"]}
        form = {"username": "somebody", "password": "wrong"}
        answers = [
            client.post("/login/", data=form, headers=headers | {"X-Forwarded-For": f"192.0.2.{number}"}).status_code
            for number in range(6)
        ]
    assert answers == [422] * 5 + [429]


def test_no_other_account_reads_a_file(program: Run) -> None:
    open_to_others = []
    for path in (program.data_dir, *program.data_dir.rglob("*")):
        with suppress(FileNotFoundError):  # gone since it was listed
            if path.stat().st_mode & 0o077:
                open_to_others.append(path)
    assert open_to_others == []


def test_a_stop_in_the_middle_of_the_start_leaves_no_process(tmp_path: Path) -> None:
    with run(tmp_path / "data", DEMO="0") as started:
        assert wait_for(lambda: started.has_run_file() and "graph" in started.written.parts, START_TIMEOUT_S)
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
