"""A backup that the running program made by itself, put back: everybody is there but who was forgotten since."""

import signal
from pathlib import Path

import pytest

from kgadmin.embedded.backup import nightly_backups
from tests.kgadmin.embedded.commands import drift, embedded, files_with, is_projected
from tests.kgadmin.embedded.test_end import FILL, FORGET, MARKER, OTHER
from tests.patience import wait_for
from tests.program import run

pytestmark = [pytest.mark.runner, pytest.mark.faults, pytest.mark.timeout(400), pytest.mark.xdist_group("nightly")]

NAMES = """
from characters.conversations.models import Person
print(*Person.objects.values_list("name", flat=True))
"""


def test_a_nightly_backup_is_put_back_and_brings_nobody_back(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with run(data_dir, 8700, DEMO="0", LLM_BASE_URL="") as first:
        assert first.is_there(), first.output
        first.shell(FILL)
        for early in nightly_backups(data_dir):  # of before anybody was there
            early.unlink()
        assert wait_for(lambda: bool(nightly_backups(data_dir)), 90, every=0.5), "beat asks every minute"
        first.shell(FORGET)
        assert wait_for(lambda: is_projected(first), 60, every=0.5), drift(first)
        first.ends(signal.SIGINT)
    (backup,) = nightly_backups(data_dir)
    done = embedded(data_dir, "--restore", str(backup))
    assert done.returncode == 0, done.stderr
    with run(data_dir, 8700, DEMO="0", LLM_BASE_URL="") as again:
        assert again.is_there(), again.output
        assert "forgotten again" in again.output
        assert wait_for(lambda: is_projected(again), 90, every=0.5), drift(again)
        names = again.shell(NAMES)
        assert (MARKER in names, OTHER in names) == (False, True)
        again.ends(signal.SIGINT)
    assert not [file for file in files_with(data_dir, MARKER) if "graph" in file.parts]
