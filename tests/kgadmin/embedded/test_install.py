import platform
import subprocess
import sys

import pytest

from kgadmin.config import ROOT
from kgadmin.embedded.install import VENV, obstacle_to


def test_this_machine_will_do() -> None:
    assert obstacle_to(sys.version_info[:2], platform.system(), platform.machine()) == ""


@pytest.mark.parametrize(
    ("version", "system", "machine", "named"),
    [
        ((3, 10), "Linux", "x86_64", "needs Python 3.11, and this is 3.10"),
        ((3, 14), "Linux", "x86_64", "make run PYTHON=python3.11"),
        ((3, 11), "Darwin", "arm64", "this is macOS on arm64"),
        ((3, 11), "Linux", "aarch64", "Linux on aarch64"),
        ((3, 12), "Windows", "AMD64", "container or virtual machine"),
    ],
)
def test_another_python_or_system_gets_one_sentence(
    version: tuple[int, int], system: str, machine: str, named: str
) -> None:
    sentence = obstacle_to(version, system, machine)
    assert named in sentence
    assert "\n" not in sentence


@pytest.mark.skipif(not (VENV / ".installed").exists(), reason="this virtual environment was not made by make install")
def test_a_second_install_has_nothing_to_do() -> None:
    command = [sys.executable, "kgadmin/embedded/install.py"]
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=5, check=False)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
