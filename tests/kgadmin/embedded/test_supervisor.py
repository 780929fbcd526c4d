import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgadmin.embedded import supervisor as supervising
from kgadmin.embedded.parts import Part
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
