"""The end of the program that the other tests looked at: its parts are killed, it is backed up, somebody is forgotten,
it is stopped and purged. In this order, each on what the one before left."""

import os
import shutil
import signal
import tarfile
import time
from pathlib import Path

import pytest

from kgadmin.embedded.run_file import read_run_file
from tests.kgadmin.embedded.commands import drift, embedded, files_with, is_projected, manage
from tests.patience import wait_for
from tests.program import Run

pytestmark = [
    pytest.mark.runner,
    pytest.mark.ends_program,
    pytest.mark.timeout(300),
    pytest.mark.xdist_group("browser"),
]

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
from characters.memory.erasure import forget_person
forget_person(Person.objects.get(name="{MARKER}"), by=None)
"""


@pytest.fixture(scope="module")
def saved(program: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of the running program, with two people of whom one is forgotten afterwards."""
    program.shell(FILL)
    assert wait_for(lambda: is_projected(program), 120, every=0.5), drift(program)
    file = tmp_path_factory.mktemp("saved") / "saved.tar.gz"
    done = embedded(program.data_dir, "--backup", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    holding = {path.relative_to(program.data_dir).parts[0] for path in files_with(program.data_dir, MARKER)}
    assert "graph" in holding
    assert "vectors" not in holding  # it has no password
    return file


@pytest.mark.parametrize("part", ["worker", "beat", "vectors", "web", "graph"])
def test_a_killed_part_is_started_again_with_its_data(program: Run, part: str) -> None:
    graph = program.graph()
    graph.write("MERGE (:Marker {id: 'marker:1'})")
    before = program.written.parts[part].restarts
    os.kill(program.pid(part), signal.SIGKILL)
    assert program.has_restarted(part, before), program.output
    assert graph.read("MATCH (m:Marker) RETURN m.id AS id") == [{"id": "marker:1"}]
    graph.write("MATCH (m:Marker) DELETE m")
    graph.close()


def test_a_backup_of_the_running_program_holds_everybody_and_nobody_else_may_read_it(saved: Path) -> None:
    assert saved.stat().st_mode & 0o777 == 0o600
    with tarfile.open(saved) as archive:
        archive.extractall(saved.parent / "unpacked", filter="data")
    assert files_with(saved.parent / "unpacked", MARKER)
    shutil.rmtree(saved.parent / "unpacked")


def test_after_a_purge_no_file_holds_who_was_forgotten_and_the_rest_is_written_anew(program: Run, saved: Path) -> None:
    program.shell(FORGET)
    assert wait_for(lambda: is_projected(program), 60, every=0.5), drift(program)
    began = time.monotonic()
    assert program.ends(signal.SIGINT) == []
    assert time.monotonic() - began < 20  # some 5 s on a machine that does nothing else
    assert program.process.returncode == 0
    assert read_run_file(program.data_dir) is None
    purged = embedded(program.data_dir, "--purge")
    assert (purged.returncode, purged.stderr) == (0, "")
    assert purged.stdout.splitlines()[-1].startswith("Purged.")
    assert files_with(program.data_dir, MARKER) == []
    assert files_with(program.data_dir, OTHER)
    assert not (program.data_dir / "graph").exists()
    waiting = "from kgadmin.projection.services import waiting_stores; print(*waiting_stores())"
    assert manage(program.data_dir, "shell", "--no-imports", "-c", waiting).stdout.split() == ["graph", "vectors"]
