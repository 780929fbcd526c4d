"""Every command that README.md and docs/ name runs, on the running program.

Left out: Docker, addresses at example.org, and what starts the program or runs for minutes (make test, bench).
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kgadmin.config import ROOT
from tests.program import Run
from tests.quality.__main__ import COMMANDS, PLAIN

pytestmark = [pytest.mark.runner, pytest.mark.timeout(300), pytest.mark.xdist_group("browser")]

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LEFT_OUT = ("docker", "example.org", "make run", "make test", "make bench")
NAMED = {"create_api_key", "export_embedder"}
"""Named without what it needs, or ten seconds long with tests of its own: only its options are read here."""


def blocks() -> Iterator[str]:
    """The shell commands of the fenced blocks, one by one, without their comments."""
    for page in PAGES:
        for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
            if "docker" in block or "example.org" in block:
                continue
            for command in block.replace("\\\n", " ").splitlines():
                if re.match(r"[A-Z_]+=", command) is None and not command.startswith(LEFT_OUT):
                    yield re.sub(r"\s{2,}#.*", "", command)


def in_sentences(program: str) -> list[str]:
    """What stands behind `manage.py` or `make` between backticks, each once."""
    return sorted(set(re.findall(rf"`{program} ([a-z][^`]*)`", "\n".join(page.read_text() for page in PAGES))))


def test_the_commands_of_the_blocks_run(program: Run, tmp_path: Path) -> None:
    environment = dict(program.env)
    commands = list(blocks())
    assert len(commands) >= 4
    for command in commands:
        ours = command.replace("http://127.0.0.1:8000/", program.address).replace(".venv/bin/python", sys.executable)
        ours = ours.replace("manage.py", str(ROOT / "manage.py")).replace("curl ", "curl --fail --silent --show-error ")
        done = subprocess.run(
            ours, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        if "create_api_key" in command:
            environment["KEY"] = done.stdout.split()[-1]


@pytest.mark.ends_program  # rebuilding leaves the worker busy for a while
def test_the_commands_within_sentences_run(program: Run) -> None:
    commands = in_sentences("manage.py")
    assert {"drift", "rebuild graph vectors", "migrate"} <= set(commands)
    for command in commands:
        name, *arguments = command.split()
        program.manage(name, *(["--help"] if name in NAMED else arguments))


def test_every_target_and_every_measure_is_there() -> None:
    for target in in_sentences("make"):
        name = target.split()[0]
        done = subprocess.run(["make", "-n", name], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"make {target}: {done.stderr}"
    for measure in in_sentences("python -m tests.quality"):
        assert measure.split()[0] in {*COMMANDS, *PLAIN}, measure
