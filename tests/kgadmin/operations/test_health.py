"""Every engine looked at, on the real ones: up, dead and hung."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from time import perf_counter

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from kgadmin.embedded.run_file import PartState, RunFile
from kgadmin.jobs.models import Job, WorkerHeartbeat
from kgadmin.operations import health, schema
from kgadmin.operations.health import GIVE_UP_SECONDS, Answer, Part, is_ready, look
from kgadmin.stores import exported, wiring
from kgadmin.stores.embedder import LocalEmbedder
from kgadmin.stores.errors import StoreError
from kgadmin.stores.model_files import PACKAGED, model_id
from tests.scripted_model import ScriptedModel
from tests.servers import GraphServer, VectorServer


@pytest.fixture
def heartbeat(db: None) -> WorkerHeartbeat:
    return WorkerHeartbeat.objects.create(hostname="here", pid=1, at=timezone.now())


def states() -> dict[str, str]:
    return {part.name: part.answer.state for part in look()}


def text_of(client: Client, path: str = "/health/") -> str:
    return client.get(path).content.decode()


def test_everything_up_is_ready_and_the_page_tells_versions_and_addresses(
    client: Client,
    operator_client: Client,
    wired: None,
    graph_server: GraphServer,
    vector_server: VectorServer,
    embedder: LocalEmbedder,
    heartbeat: WorkerHeartbeat,
) -> None:
    look()  # imports the clients, which takes longer than a probe may
    answer = client.get("/api/health").json()
    assert answer["parts"] | {"embedder": "up"} == {
        "database": "up",
        "graph": "up",
        "vectors": "up",
        "embedder": "up",
        "language_model": "offline responder",
        "worker": "up",
    }
    assert answer["ready"]
    page = text_of(operator_client)
    assert {"sqlite": "SQLite 3.", "postgresql": "PostgreSQL "}[connection.vendor] in page
    assert "Chroma 1." in page
    assert graph_server.settings["graph_url"] in page
    assert vector_server.settings["vectors_url"] in page
    assert str(graph_server.settings["graph_password"]) not in page


def test_everybody_is_shown_states_and_nothing_else(client: Client, db: None) -> None:
    answer = client.get("/api/health").json()
    assert set(answer) == {"ready", "waiting", "parts"}
    assert set(answer["parts"].values()) <= {"up", "down", "warming", "offline responder"}


def test_a_web_process_without_an_export_says_what_embeds_and_why_and_what_to_do(
    operator_client: Client, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"data_dir": tmp_path})
    monkeypatch.setattr(exported, "INSTALLED", tmp_path / "share")
    assert states()["embedder"] == "warming"
    wiring.embedder().warm()
    shown = " ".join(text_of(operator_client).split()).partition('id="engine-embedder"')[2].partition("</article>")[0]
    assert ">Up<" in shown
    assert "<p>sentence-transformers " in shown
    assert f"There is no export of {model_id(PACKAGED)}. `manage.py export_embedder` makes one" in shown


def test_a_hung_engine_holds_up_nothing(
    operator_client: Client, wired: None, graph_server: GraphServer, vector_server: VectorServer
) -> None:
    look()
    for name, server, other in (("vectors", vector_server, "graph"), ("graph", graph_server, "vectors")):
        server.pause()
        started = perf_counter()
        shown = states()
        assert perf_counter() - started < GIVE_UP_SECONDS + 0.2, name
        assert (shown[name], shown[other]) == ("down", "up")
        assert f"Down: {name.capitalize()}" in " ".join(text_of(operator_client).split())
        server.mend()


def test_a_store_that_says_no_is_down_with_its_sentence(db: None) -> None:
    def refused() -> Answer:
        raise StoreError("The graph refused its user or password.", retryable=False)

    assert look({"graph": refused})[0].answer == Answer("down", text="The graph refused its user or password.")


def test_an_embedder_that_warms_does_not_keep_the_program_from_being_ready() -> None:
    assert is_ready([Part("embedder", Answer("warming")), Part("language_model", Answer("down"))])
    assert not is_ready([Part("embedder", Answer("down"))])


def test_a_database_of_a_newer_version_is_down_and_says_so(db: None) -> None:
    MigrationRecorder(connection).record_applied("review", "9999_later")
    schema.why_not_at_start.cache_clear()
    answer = health.database()
    schema.why_not_at_start.cache_clear()
    assert answer.state == "down"
    assert answer.text.startswith("A newer version of this program has upgraded this database (review.9999_later).")


def test_an_old_or_missing_heartbeat_means_that_the_worker_is_down(db: None) -> None:
    assert states()["worker"] == "down"
    WorkerHeartbeat.objects.create(hostname="here", pid=1, at=timezone.now() - timedelta(minutes=2))
    assert states()["worker"] == "down"
    WorkerHeartbeat.objects.update(at=timezone.now())
    assert states()["worker"] == "up"


def test_an_endpoint_is_asked_and_down_where_it_does_not_answer(
    operator_client: Client, wire: Callable[..., None], scripted_model: ScriptedModel
) -> None:
    wire(scripted_model)
    assert states()["language_model"] == "up"
    page = text_of(operator_client)
    assert scripted_model.base_url in page
    assert 'id="engine-language_model"' in page
    wire(llm_base_url="http://127.0.0.1:9/v1", llm_model="m")
    assert states()["language_model"] == "down"


def test_jobs_are_counted_and_failures_told_and_without_a_runner_no_processes(operator_client: Client) -> None:
    Job.objects.create(kind="ingest", subject="reef", state=Job.State.FAILED, error="No space left.")
    Job.objects.create(kind="ingest", subject="lab")
    page = " ".join(text_of(operator_client).split())
    assert "No space left." in page
    assert "<dt>Waiting</dt><dd>1</dd>" in page
    assert 'id="processes-title"' not in page


def test_restarts_of_the_run_are_shown(operator_client: Client, settings: Settings) -> None:
    run_file = RunFile(data_dir=settings.DATA_DIR, address="http://here/", settings={"SECRET_KEY": "hush"})
    run_file.parts = {"graph": PartState(pid=4242, port=7687, state="up", restarts=3)}
    run_file.save()
    try:
        page = text_of(operator_client)
    finally:
        run_file.remove()
    assert 'id="processes-title"' in page
    assert "4242" in page
    assert "hush" not in page
