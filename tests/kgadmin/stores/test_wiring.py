import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kgadmin.stores import wiring
from kgadmin.stores.exported import ExportedEmbedder
from kgadmin.stores.graph import Graph
from kgadmin.stores.offline import OfflineResponder
from kgadmin.stores.openai_model import OpenAIModel
from kgadmin.stores.sentence_transformers import SentenceTransformerEmbedder
from tests.scripted_model import ScriptedModel

HEAVY = {"torch", "chromadb", "sentence_transformers", "transformers", "neo4j", "openai", "onnxruntime"}


def test_without_an_endpoint_the_offline_responder_answers(wire: Callable[..., None]) -> None:
    wire()
    assert isinstance(wiring.language_model(), OfflineResponder)


def test_with_an_endpoint_its_model_answers(wire: Callable[..., None], scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    assert isinstance(wiring.language_model(), OpenAIModel)
    assert wiring.language_model().name == "scripted"


def test_an_engine_is_made_once(graph: Graph) -> None:
    assert wiring.graph() is graph


def test_processes_that_people_wait_for_embed_by_an_export(monkeypatch: pytest.MonkeyPatch) -> None:
    command = wiring.embedder()
    monkeypatch.setattr(wiring.process, "embeds_by_export", False)
    wiring.embed_by_export()
    web = wiring.embedder()
    assert (type(command), type(web)) == (SentenceTransformerEmbedder, ExportedEmbedder)
    assert web is wiring.embedder()
    assert web.id == command.id


def test_a_worker_that_starts_embeds_by_the_export() -> None:
    script = (
        "import django; django.setup(); import kgadmin.celery; from celery.signals import worker_init;"
        "from kgadmin.stores import wiring; worker_init.send(sender=None); print(wiring.process.embeds_by_export)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == ("True", 0), done.stderr


def test_tokens_are_counted() -> None:
    assert wiring.count_tokens("The ocean raised me.") == 5


def test_starting_the_web_process_imports_nothing_heavy() -> None:
    script = (
        "import sys, django; django.setup(); import kgadmin.asgi, kgadmin.celery, kgadmin.urls, kgadmin.stores.wiring;"
        f"print(*sorted({HEAVY!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stderr


def test_a_web_process_that_embeds_imports_no_torch(export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all that a first turn would wait for, and with texts of a turn."""
    monkeypatch.setenv("DATA_DIR", str(export.parent.parent))  # where there is nothing, the installation's is taken
    script = (
        "import sys, django; django.setup(); from kgadmin import asgi; from kgadmin.stores import wiring;"
        "wiring.embed_by_export(); asgi._warm_up();"
        "assert wiring.embedder().embed(['Where did you grow up?', 'the ocean']).shape == (2, 384);"
        "assert wiring.embedder().library.startswith('ONNX'), wiring.embedder().note;"
        "print(*sorted({'torch', 'sentence_transformers', 'transformers', 'sklearn', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stderr
