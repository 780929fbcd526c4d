"""A whole web process on real engines answers a turn, and never loads torch."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from characters.conversations.models import Turn
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.stores.model_files import PACKAGED
from tests.patience import wait_for
from tests.scripted_model import ScriptedModel
from tests.servers import GraphServer, VectorServer
from tests.turns import fresh, stages
from tests.web import WebServer


@pytest.fixture
def web(
    transactional_db: None,
    graph_server: GraphServer,
    vector_server: VectorServer,
    scripted_model: ScriptedModel,
    export: Path,
    tmp_path: Path,
) -> Iterator[WebServer]:
    """With the export of the installation, or the one that the tests made."""
    engines = {name.upper(): str(value) for name, value in (graph_server.settings | vector_server.settings).items()}
    endpoint = {"LLM_BASE_URL": scripted_model.base_url, "LLM_MODEL": "scripted"}
    here = {"EMBEDDER_MODEL": PACKAGED, "DATA_DIR": str(export.parent.parent)}
    patient = {"GRAPH_READ_TIMEOUT": "10", "VECTORS_TIMEOUT": "10"}
    server = WebServer(tmp_path / "web", **engines, **endpoint, **here, **patient)
    server.start()
    yield server
    server.stop()


def embeds(web: WebServer) -> bool:
    health = httpx.get(f"{web.address}/api/health", timeout=10, trust_env=False).json()
    return bool(health["parts"]["embedder"] == "up")


def test_a_turn_is_answered_without_torch(
    web: WebServer, ready_tomasz: Character, tester: User, scripted_model: ScriptedModel
) -> None:
    scripted_model.says("A travelling glassblower.")
    assert wait_for(lambda: embeds(web), 60)
    with web.browser_of(tester) as tab:
        message = {"message": "Who taught you to hold the pipe?"}
        answer = tab.post("/playground/with/tomasz/begin/", data=message, headers={"HX-Request": "true"})
        turn = Turn.objects.get(pk=answer.headers["HX-Redirect"].strip("/").rpartition("/")[2])
        assert wait_for(lambda: fresh(turn).state == "done", 30)
    assert stages(turn)["probe"] == ("ok", "")
    loaded = {Path(each.path).name for each in web.process.memory_maps()}
    assert any("onnxruntime" in name for name in loaded)
    assert not any("torch" in name for name in loaded)
