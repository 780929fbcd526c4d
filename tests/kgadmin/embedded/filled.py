"""A program that two people were talked with in, of whom one was forgotten; then it was stopped.

`backup` was made before the forgetting, while it ran.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from kgadmin.config import ROOT
from kgadmin.embedded.servers import wait_for
from tests.program import Run, clean_environment, run

Done = subprocess.CompletedProcess[str]

MARKER, OTHER = "zanzibar", "quetzal"

FILL = f"""
from tests.characters.memory import people
from tests.characters.profiles import sheets
ann = sheets.character()
for marker in ("{MARKER}", "{OTHER}"):
    people.world(people.person(marker), ann, messages=6, marker=marker)
"""

FORGET = f"""
from characters.conversations.models import Person
from characters.memory.forgetting import forget_person
forget_person(Person.objects.get(name="{MARKER}"), by=None)
"""

COUNT = """
from kgadmin.stores import wiring
print(len(wiring.graph().scan("MATCH (m:Message) RETURN m.id AS id")), len(wiring.vectors().ids("messages")))
"""


@dataclass(frozen=True)
class Filled:
    folder: Path
    backup: Path
    """The file."""
    held_the_marker: set[str]
    """Parts of the data folder that had the marker in a file before the forgetting."""
    backed_up: Done
    refused_restore: Done
    refused_purge: Done

    def copy(self, to: Path) -> Path:
        """The data folder, to do with as one likes."""
        return Path(shutil.copytree(self.folder, to))


def fill(folder: Path) -> Filled:
    """Run it once."""
    data_dir, backup = folder / "data", folder / "saved.tar.gz"
    with run(data_dir, DEMO="0") as first:
        assert first.is_there(), first.output
        shell(first, FILL)
        assert wait_for(lambda: is_projected(first), 120, every=1), drift(first).stdout
        filled = Filled(
            folder=data_dir,
            backup=backup,
            held_the_marker={path.relative_to(data_dir).parts[0] for path in files_with(data_dir, MARKER)},
            backed_up=embedded(data_dir, "--backup", str(backup)),
            refused_restore=embedded(data_dir, "--restore", str(backup)),
            refused_purge=embedded(data_dir, "--purge"),
        )
        shell(first, FORGET)
        assert wait_for(lambda: is_projected(first), 60, every=1), drift(first).stdout
        first.ends(2)
    return filled


def embedded(data_dir: Path, *arguments: str, **env: str) -> Done:
    command = [sys.executable, "-m", "kgadmin.embedded", *arguments]
    environment = clean_environment(DATA_DIR=str(data_dir), **env)
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def shell(running: Run, code: str) -> str:
    return running.manage("shell", "--no-imports", "-c", code)


def drift(running: Run) -> Done:
    command = [sys.executable, "manage.py", "drift"]
    return subprocess.run(command, cwd=ROOT, env=running.env, capture_output=True, text=True, check=False)


def is_projected(running: Run) -> bool:
    """Whether nothing waits, and nothing differs."""
    told = drift(running)
    return told.returncode == 0 and "waiting" not in told.stdout


def files_with(data_dir: Path, marker: str) -> list[Path]:
    files = (path for path in data_dir.rglob("*") if path.is_file())
    return [path for path in files if marker.encode() in path.read_bytes().lower()]
