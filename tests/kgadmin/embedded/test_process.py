import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil

from kgadmin.embedded.process import spawn, stop_all
from tests.patience import wait_for

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
