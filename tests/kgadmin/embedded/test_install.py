import json
import subprocess
import sys
from pathlib import Path

import pytest

from kgadmin.config import ROOT
from kgadmin.embedded import install
from kgadmin.embedded.install import VENV, obstacle_to
from kgadmin.stores import exported
from kgadmin.stores.model_files import PACKAGED, model_id


@pytest.mark.parametrize(
    ("version", "system", "machine", "named"),
    [
        ((3, 10), "Linux", "x86_64", "needs Python 3.11, 3.12 or 3.13, and this is 3.10"),
        ((3, 11), "Darwin", "arm64", "this is macOS on arm64"),
        ((3, 12), "Windows", "AMD64", "container or virtual machine"),
    ],
)
def test_another_python_or_system_gets_one_sentence(
    version: tuple[int, int], system: str, machine: str, named: str
) -> None:
    sentence = obstacle_to(version, system, machine)
    assert named in sentence
    assert "\n" not in sentence


made_by_install = pytest.mark.skipif(
    not (VENV / ".installed").exists(), reason="this virtual environment was not made by make install"
)


@made_by_install
def test_a_second_install_has_nothing_to_do() -> None:
    command = [sys.executable, "kgadmin/embedded/install.py"]
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=5, check=False)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


@made_by_install
def test_it_exports_the_packaged_embedder_once(capfd: pytest.CaptureFixture[str]) -> None:
    there = exported.find(model_id(PACKAGED), [VENV / "share" / "kgadmin" / "embedder"])
    install.export_embedder()
    assert capfd.readouterr().out.strip() == f"The export is already there: {there}"


def test_an_export_that_fails_keeps_nobody_from_installing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "requirements.txt").write_text("")
    (tmp_path / "manage.py").write_text("raise SystemExit('No room is left.')")
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(install, "PYTHON", Path(sys.executable))
    assert install.install(["requirements.txt"], {"requirements.txt": "digest"}, first=False) == 0
    assert json.loads((tmp_path / "stamp").read_text()) == {"requirements.txt": "digest"}
    output = capfd.readouterr()
    assert "No room is left." in output.err
    assert "The embedding model couldn't be exported: the lines above say why." in output.out
