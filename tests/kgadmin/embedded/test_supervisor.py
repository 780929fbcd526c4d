"""Parts and their processes: watched, started again, and ended; and what the runner writes down."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from kgadmin.embedded import supervisor as supervising
from kgadmin.embedded.parts import Part
from kgadmin.embedded.process import spawn, stop_all
from kgadmin.embedded.run_file import PartState, RunFile, read_run_file, secrets_of
from kgadmin.embedded.supervisor import MAX_DEATHS, Supervisor
from tests.patience import wait_for

LIVES = "import time; print('ready', flush=True); time.sleep(600)"
DIES = "import sys; print('no room on this disk', flush=True); sys.exit(3)"


class Watched:
    """A supervisor and what it said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.messages: list[tuple[str, str]] = []
        run_file = RunFile(data_dir=folder, address="http://127.0.0.1:8000/", settings={})
        self.supervisor = Supervisor(
            run_file, folder, os.environ, lambda part, text: self.messages.append((part, text))
        )

    def start(self, name: str, program: str) -> None:
        self.supervisor.start(Part(name, [sys.executable, "-c", program], cwd=self.folder, ready_line="ready"))

    def reaches(self, name: str, state: str) -> bool:
        def there() -> bool:
            self.supervisor.tick()
            return bool(self.supervisor.children[name].state == state)

        return wait_for(there, 20)

    def written(self) -> RunFile:
        content = read_run_file(self.folder)
        assert content
        return content


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setattr(supervising, "FIRST_PAUSE_S", 0.01)
    watched = Watched(tmp_path)
    yield watched
    watched.supervisor.stop(list(watched.supervisor.children), timeout=5)


def test_a_part_that_dies_is_started_again_and_that_is_said(watched: Watched) -> None:
    watched.start("worker", LIVES)
    assert watched.reaches("worker", "up")
    os.kill(watched.supervisor.children["worker"].process.pid, signal.SIGKILL)
    assert watched.reaches("worker", "starting")
    assert watched.reaches("worker", "up")
    assert watched.written().parts["worker"].restarts == 1
    assert ("worker", "killed by SIGKILL; starting it again in 0.01 s") in watched.messages


def test_the_log_line_of_the_process_before_does_not_make_the_next_one_up(watched: Watched) -> None:
    once = "import os, sys; os.path.exists('gone') and sys.exit(1); open('gone', 'w').close(); " + LIVES
    watched.start("worker", once)
    assert watched.reaches("worker", "up")
    os.kill(watched.supervisor.children["worker"].process.pid, signal.SIGKILL)
    assert watched.reaches("worker", "down")


def test_a_part_that_cannot_start_is_left_down_with_the_last_lines_of_its_log(watched: Watched) -> None:
    watched.start("graph", DIES)
    watched.start("worker", LIVES)
    assert watched.reaches("graph", "down")
    assert watched.reaches("worker", "up")
    assert watched.supervisor.settled()
    text = [text for part, text in watched.messages if part == "graph"][-1]
    assert f"{MAX_DEATHS} times in a row" in text
    assert "no room on this disk" in text
    shown = watched.written().parts["graph"]
    assert shown == PartState(state="down", restarts=MAX_DEATHS - 1, since=shown.since)


def run_file(folder: Path) -> RunFile:
    return RunFile(data_dir=folder, address="http://127.0.0.1:8000/", settings={"GRAPH_PASSWORD": "secret"})


def test_what_is_saved_is_read_by_its_user_alone_until_it_is_removed(tmp_path: Path) -> None:
    file = run_file(tmp_path)
    file.part("graph").port = 7687
    file.save()
    assert read_run_file(tmp_path) == file
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == 0o600
    file.remove()
    assert read_run_file(tmp_path) is None


def test_secrets_are_made_once_for_their_user_alone(tmp_path: Path) -> None:
    first = secrets_of(tmp_path)
    assert secrets_of(tmp_path) == first
    assert len(first["secret_key"]) >= 50
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600


SLEEPER = "import time; print('here', flush=True); time.sleep(600)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPER}"


def start(program: str, folder: Path, niceness: int = 0) -> "subprocess.Popen[bytes]":
    log = folder / "child.log"
    log.write_bytes(b"")
    child = spawn([sys.executable, "-c", program], log=log, cwd=folder, niceness=niceness)
    assert wait_for(lambda: "here" in log.read_text(), 10)
    return child


def test_a_child_has_a_session_of_its_own_and_is_nice(tmp_path: Path) -> None:
    child = start(SLEEPER, tmp_path, niceness=10)
    assert os.getsid(child.pid) == child.pid
    assert psutil.Process(child.pid).nice() == os.nice(0) + 10
    stop_all([child], timeout=5)
    assert child.returncode == -signal.SIGTERM


def test_a_child_that_does_not_want_to_end_is_killed(tmp_path: Path) -> None:
    child = start(STUBBORN, tmp_path)
    stop_all([child], timeout=0.2)
    assert child.returncode == -signal.SIGKILL


def test_what_a_child_started_ends_with_it(tmp_path: Path) -> None:
    program = (
        "import subprocess, sys; "
        "print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid); " + SLEEPER
    )
    child = start(program, tmp_path)
    grandchild = int((tmp_path / "child.log").read_text().split()[0])
    stop_all([child], timeout=5)
    assert wait_for(lambda: not is_running(grandchild), 5)


def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    program = (
        "import pathlib, sys, time; from kgadmin.embedded.process import spawn; "
        f"child = spawn([sys.executable, '-c', {STUBBORN!r}], log=pathlib.Path('grandchild.log'), cwd='.'); "
        "print(child.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert wait_for(lambda: "here" in (tmp_path / "grandchild.log").read_text(), 10)
        parent.kill()
        assert wait_for(lambda: not is_running(child), 5)


def is_running(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
