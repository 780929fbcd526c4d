"""A process of a module of the benchmark, which says a line when it is ready and answers each further one with JSON."""

import json
import subprocess
import sys
from typing import Any

from kgadmin.config import ROOT


class Asked:
    """It ends where its input does."""

    def __init__(self, module: str, *arguments: object, stderr: int | None = None) -> None:
        self.module = module
        command = [sys.executable, "-m", f"tests.bench.{module}", *map(str, arguments)]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, text=True
        )

    def send(self, *words: object) -> None:
        assert self._process.stdin is not None
        print(*words, file=self._process.stdin, flush=True)

    def answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"A process of the benchmark ended before it had answered: {self.module}")
        return json.loads(line)

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
