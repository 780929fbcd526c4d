import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"torch", "chromadb", "sentence_transformers", "transformers", "neo4j", "openai", "onnxruntime"}


def test_a_process_that_starts_imports_nothing_heavy_and_one_that_people_wait_for_embeds_without_torch(
    export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that a first turn would wait for, and with texts of a turn."""
    monkeypatch.setenv("DATA_DIR", str(export.parent.parent))  # where there is nothing, the installation's is taken
    script = (
        "import sys, django; django.setup(); import kgadmin.celery, kgadmin.urls; from kgadmin import asgi;"
        "from kgadmin.stores import wiring; from celery.signals import worker_init;"
        f"heavy = {HEAVY!r} & set(sys.modules);"
        "from kgadmin.stores import graph; graph.WRITE_RETRY_SECONDS = 0;"  # there is none that would answer
        "worker_init.send(sender=None); asgi._warm_up(); embedder = wiring.embedder();"
        "assert embedder.embed(['Where did you grow up?', 'the ocean']).shape == (2, 384);"
        "assert embedder.library.startswith('ONNX'), embedder.note;"
        "torch = {'torch', 'sentence_transformers', 'transformers', 'sklearn', 'scipy'} & set(sys.modules);"
        "print(heavy, torch)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == ("set() set()", 0), done.stderr
