import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgadmin.embedded import supervisor as supervising
from kgadmin.embedded.parts import Part
from kgadmin.embedded.process import is_stopped
from kgadmin.embedded.run_file import RunFile, read_run_file
from kgadmin.embedded.servers import wait_for
from kgadmin.embedded.supervisor import MAX_DEATHS, Supervisor

LIVES = "import time; print('ready', flush=True); time.sleep(600)"
DIES = "import sys; print('no room on this disk', flush=True); sys.exit(3)"


class Watched:
    """A supervisor and what it said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[tuple[str, str]] = []
        run_file = RunFile(folder, "http://127.0.0.1:8000/", {})
        self.supervisor = Supervisor(run_file, folder, os.environ, lambda part, text: self.said.append((part, text)))

    def start(self, name: str, program: str) -> None:
        self.supervisor.start(Part(name, [sys.executable, "-c", program], cwd=self.folder, ready_line="ready"))

    def reaches(self, name: str, state: str) -> bool:
        def there() -> bool:
            self.supervisor.tick()
            return bool(self.supervisor.children[name].state == state)

        return wait_for(there, 20)


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.setattr(supervising, "FIRST_PAUSE_S", 0.01)
    watched = Watched(tmp_path)
    yield watched
    watched.supervisor.stop(list(watched.supervisor.children), timeout=5)


def test_a_part_is_up_when_its_log_says_so(watched: Watched) -> None:
    watched.start("worker", LIVES)
    assert read_run_file(watched.folder)["parts"]["worker"]["state"] == "starting"
    assert watched.reaches("worker", "up")
    shown = read_run_file(watched.folder)["parts"]["worker"]
    assert (shown["state"], shown["restarts"]) == ("up", 0)
    assert shown["pid"] == watched.supervisor.children["worker"].process.pid


def test_a_part_that_dies_is_started_again_and_its_outage_written_down(watched: Watched) -> None:
    watched.start("worker", LIVES)
    assert watched.reaches("worker", "up")
    os.kill(watched.supervisor.children["worker"].process.pid, signal.SIGKILL)
    assert watched.reaches("worker", "starting")
    assert read_run_file(watched.folder)["outages"][0]["to"] is None
    assert watched.reaches("worker", "up")
    written = read_run_file(watched.folder)
    assert written["parts"]["worker"]["restarts"] == 1
    assert written["outages"][0]["reason"] == "killed by SIGKILL"
    assert written["outages"][0]["to"] is not None


def test_a_part_that_stands_still_is_started_again_and_one_that_goes_on_in_time_is_not(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.start("worker", LIVES)
    assert watched.reaches("worker", "up")
    child = watched.supervisor.children["worker"]
    first = child.process.pid
    os.kill(first, signal.SIGSTOP)
    assert wait_for(lambda: is_stopped(child.process), 10)
    watched.supervisor.tick()
    os.kill(first, signal.SIGCONT)
    assert wait_for(lambda: not is_stopped(child.process), 10)
    watched.supervisor.tick()
    assert (child.process.pid, child.stopped_at) == (first, None)
    monkeypatch.setattr(supervising, "STOPPED_S", 0.1)
    os.kill(first, signal.SIGSTOP)
    assert watched.reaches("worker", "starting")
    assert watched.reaches("worker", "up")
    assert child.process.pid != first


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
    part, text = watched.said[-1] if watched.said[-1][0] == "graph" else watched.said[-2]
    assert part == "graph"
    assert f"{MAX_DEATHS} times in a row" in text
    assert "no room on this disk" in text
    assert read_run_file(watched.folder)["parts"]["graph"] | {"since": ""} == {
        "pid": None,
        "port": None,
        "state": "down",
        "restarts": MAX_DEATHS - 1,
        "since": "",
    }
