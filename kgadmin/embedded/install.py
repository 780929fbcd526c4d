"""Makes `.venv` and installs the pinned requirements into it; a second run finds that nothing is to be done.

Run by the system's Python (`python3 kgadmin/embedded/install.py [--dev] [--postgres]`): only the standard library, and
nothing that an older Python can't parse, or it couldn't say which one is needed. Which index pip asks is pip's own
business: its variables and configuration hold.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import venv
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".installed"
EXPORTER = "kgadmin/stores/exporter.py"
"""The embedder is exported anew where this has changed since."""
OPTIONAL = {"--dev": "requirements-dev.txt", "--postgres": "requirements-postgres.txt"}
VERSIONS = ((3, 11), (3, 12), (3, 13))
"""Versions of Python for which every pinned package has a wheel; `make` takes the newest installed."""


def main(arguments: list[str]) -> int:
    names = ["requirements.txt", EXPORTER, *(file for option, file in OPTIONAL.items() if option in arguments)]
    wanted = {name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest() for name in names}
    installed: dict[str, str] = {}
    with suppress(OSError, ValueError):
        installed = json.loads(STAMP.read_text())
    missing = [name for name in names if installed.get(name) != wanted[name]]
    if not missing:
        return 0
    obstacle = obstacle_to(sys.version_info[:2], platform.system(), platform.machine())
    if obstacle:
        print(obstacle, file=sys.stderr)
        return 1
    return install(missing, {**installed, **wanted}, first=not VENV.exists())


def obstacle_to(version: tuple[int, ...], system: str, machine: str) -> str:
    """Return why the packages can't be installed on this Python or system, as a sentence; empty if they can."""
    if (system, machine) != ("Linux", "x86_64"):
        name = {"Darwin": "macOS"}.get(system, system)
        return (
            f"kgadmin runs on Linux on x86-64, and this is {name} on {machine}: "
            "use a Linux container or virtual machine there, since its own graph server is made for nothing else."
        )
    this = ".".join(map(str, version))
    if version not in VERSIONS:
        return (
            f"kgadmin needs Python 3.11, 3.12 or 3.13, and this is {this}. Install one of them with its venv module "
            "(Debian: apt-get install python3-venv), or name it: make run PYTHON=/path/to/python3.12"
        )
    if importlib.util.find_spec("ensurepip") is None:
        return f"This Python {this} has no venv module. Install it (Debian: apt-get install python{this}-venv)."
    return ""


def install(names: list[str], stamp: dict[str, str], *, first: bool) -> int:
    if first:
        print(
            "Installing into .venv: about 6 GB with the CUDA packages that PyPI's torch brings along, else 2 GB.",
            flush=True,
        )
    else:
        print(f"Installing what has changed ({', '.join(names)}) into .venv.", flush=True)
    began = time.monotonic()
    requirements = [name for name in names if name != EXPORTER]
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True)
    command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check"]
    for name in requirements:
        command += ["-r", str(ROOT / name)]
    if requirements and subprocess.call(command, cwd=ROOT):
        print("pip couldn't install the requirements: its lines above say why. Then again: make install")
        return 1
    if {"requirements.txt", EXPORTER} & set(names):
        export_embedder()
    STAMP.write_text(json.dumps(stamp, indent=1))
    print(f"Installed in {time.monotonic() - began:.0f} s.", flush=True)
    return 0


def export_embedder() -> None:
    """Export the embedder. A failure doesn't stop the installation: web processes start without it, and *Health* says
    so.
    """
    command = [str(PYTHON), "manage.py", "export_embedder", "--installed", "--if-possible"]
    with tempfile.TemporaryDirectory() as nothing:  # an installation must not touch the user's data folder
        failed = subprocess.call(command, cwd=ROOT, env={**os.environ, "DATA_DIR": nothing})
    if failed:
        print("The embedding model couldn't be exported: the lines above say why.", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
