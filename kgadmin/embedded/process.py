"""Child processes of the runner: each in a session of its own, and gone when the runner is gone.

A terminal's Ctrl-C reaches the runner only, so that it can stop its children in order. The kernel kills a child whose
runner died (`PR_SET_PDEATHSIG`, Linux only), so even `kill -9` of the runner leaves no process. The signal is SIGKILL
and not SIGTERM, since the next run may start at once: never two servers on one folder.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

Process = subprocess.Popen[bytes]


class StartError(Exception):
    """The start can't continue; the message is for the user."""


_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1


def spawn(
    command: Sequence[str], *, log: Path, cwd: Path, env: Mapping[str, str] | None = None, niceness: int = 0
) -> Process:
    """Start `command`, its output appended to `log`. Call it from the main thread: the kernel kills the child when the
    thread that started it ends.
    """
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=partial(_tie_to_parent, os.getpid(), niceness),  # noqa: PLW1509 - the runner has one thread
        )


def stop_all(processes: Iterable[Process], *, timeout: float) -> None:
    """Terminate all at once, wait up to `timeout` seconds for each, then kill it and its children."""
    running = [process for process in processes if process.poll() is None]
    for process in running:
        process.terminate()
    for process in running:
        # They end side by side, so this takes as long as the slowest; only several that hang add up.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout)
        kill(process)


def kill(process: Process) -> None:
    """Kill `process` and its children."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def how_it_ended(returncode: int) -> str:
    """Return how a process ended, in words: "ended with code 1", "killed by SIGKILL"."""
    if returncode < 0:
        return f"killed by {signal.Signals(-returncode).name}"
    return f"ended with code {returncode}"


def _tie_to_parent(parent: int, niceness: int) -> None:
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        os.kill(os.getpid(), signal.SIGKILL)
    os.nice(niceness)
