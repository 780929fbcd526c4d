"""The whole program, started as `make run` starts it: its own data folder, its own ports, every process real."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from kgadmin.config import ROOT, Config
from kgadmin.embedded.run_file import RUN_FILE, RunFile, read_run_file
from kgadmin.stores.graph import Graph
from tests.patience import wait_for

START_TIMEOUT_S = 60
"""Alone on two cores it takes 8 to 10 s; here other tests run beside it."""


SHELL = """
import contextlib, io, json, os, sys, traceback
import django
django.setup()
from django.db import connections
for line in sys.stdin:
    out, error = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors := io.StringIO()):
            exec(json.loads(line), {})
    except SystemExit as end:
        error = f"ended with code {end.code}: {out.getvalue()}{errors.getvalue()}" if end.code else ""
    except Exception:
        error = traceback.format_exc()
    connections.close_all()
    print(json.dumps([out.getvalue(), error]), flush=True)
"""


class Run:
    """`make run` on one data folder; its processes are asked of the system, not of what it writes."""

    def __init__(self, data_dir: Path, port: int, **env: str) -> None:
        self.data_dir = data_dir
        self.env = clean_environment(DATA_DIR=str(data_dir), **env)
        self.command = [sys.executable, "-m", "kgadmin.embedded", "--port", str(port)]
        self.log = data_dir.with_suffix(".out")
        with self.log.open("w") as output:
            self.process = subprocess.Popen(self.command, cwd=ROOT, env=self.env, stdout=output, stderr=output)
        self._shell: subprocess.Popen[str] | None = None

    @property
    def output(self) -> str:
        return self.log.read_text()

    @property
    def written(self) -> RunFile:
        content = read_run_file(self.data_dir)
        assert content, self.output
        return content

    @property
    def address(self) -> str:
        return self.written.address

    def pid(self, part: str) -> int:
        pid = self.written.parts[part].pid
        assert pid, part
        return pid

    def has_run_file(self) -> bool:
        return (self.data_dir / RUN_FILE).exists()

    def is_there(self) -> bool:
        wait_for(lambda: "Ctrl-C stops" in self.output or self.process.poll() is not None, START_TIMEOUT_S)
        return self.process.poll() is None

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def ends(self, number: int) -> list[psutil.Process]:
        """Send the signal; the processes that outlive it."""
        if self._shell is not None:
            self._shell.communicate()  # it ends where its input ends
            self._shell = None
        children = self.children()
        self.process.send_signal(number)
        self.process.wait(30)
        return psutil.wait_procs(children, timeout=5)[1]

    def has_restarted(self, part: str, before: int) -> bool:
        def up_again() -> bool:
            now = self.written.parts[part]
            return bool(now.restarts == before + 1 and now.state == "up")

        return wait_for(up_again, 60)

    def shell(self, code: str) -> str:
        """What the code prints in the program's settings: one process for all such code, since each takes a second."""
        if self._shell is None:
            command, env = [sys.executable, "-c", SHELL], {**self.env, "DJANGO_SETTINGS_MODULE": "kgadmin.settings"}
            pipe = subprocess.PIPE
            self._shell = subprocess.Popen(command, cwd=ROOT, env=env, stdin=pipe, stdout=pipe, text=True)
        assert self._shell.stdin is not None
        assert self._shell.stdout is not None
        self._shell.stdin.write(json.dumps(code) + "\n")
        self._shell.stdin.flush()
        printed, error = json.loads(self._shell.stdout.readline())
        assert not error, error
        return str(printed)

    def manage(self, *arguments: str) -> str:
        """What `manage.py ARGUMENTS` prints."""
        command = ["manage.py", *arguments]
        return self.shell(f"from django.core.management import execute_from_command_line as run\nrun({command!r})")

    def graph(self) -> Graph:
        settings = self.written.settings
        url, password = settings["GRAPH_URL"], settings["GRAPH_PASSWORD"]
        return Graph(url=url, user="root", password=password, database="kg", read_timeout=30)


def clean_environment(**more: str) -> dict[str, str]:
    """This process's environment without the settings that the tests made for themselves."""
    settings = {name.upper() for name in Config.model_fields}
    return {name: value for name, value in os.environ.items() if name not in settings} | more


@contextmanager
def run(data_dir: Path, port: int = 8200, **env: str) -> Iterator[Run]:
    started = Run(data_dir, port, **env)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.ends(signal.SIGKILL)
