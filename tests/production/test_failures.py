"""Engines and processes of a production stack that die: nothing saved is lost, jobs finish, pages say what is wrong."""

from collections.abc import Iterator
from threading import Event

import httpx
import pytest

from tests.patience import wait_for
from tests.production.cluster import Cluster, cluster
from tests.scripted_model import ScriptedModel

pytestmark = [pytest.mark.production, pytest.mark.xdist_group("cluster"), pytest.mark.timeout(900)]

HTMX = {"HX-Request": "true"}
DOCUMENTS = """
import json
from kgadmin.knowledge import services
base = services.register(slug="{slug}", name="{slug}", by=None)
for number in range({count}):
    text = "\\n\\n".join(f"The lamp {{number}}.{{each}} of the {slug} is lit at dusk." * 8 for each in range(6))
    services.add_document(base=base, name=f"{{number}}.md", content=text.encode(), by=None)
print(json.dumps(services.ingest(base, by=None).pk))
"""
PATIENCE_S = 120
"""For what takes some seconds on a machine that does nothing else."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cluster, ScriptedModel]]:
    with cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.fixture
def program(running: tuple[Cluster, ScriptedModel]) -> Iterator[Cluster]:
    yield running[0]
    running[0].mend()
    assert wait_for(running[0].is_ready, PATIENCE_S, every=0.5), running[0].health()
    assert wait_for(lambda: no_job_is_open(running[0]), PATIENCE_S, every=1)


@pytest.fixture
def model(running: tuple[Cluster, ScriptedModel]) -> ScriptedModel:
    return running[1]


def started(tab: httpx.Client, message: str = "Who taught you to hold the pipe?") -> int:
    answer = tab.post("/playground/with/tomasz/begin/", data={"message": message}, headers=HTMX)
    assert answer.status_code == 200, answer.text[:500]
    return int(answer.headers["HX-Redirect"].strip("/").rpartition("/")[2])


def state(program: Cluster, pk: int) -> list[str]:
    """A turn's state and text, as the database has them."""
    return list(program.row("SELECT state, text FROM conversations_turn WHERE id = %s", pk))


def job(program: Cluster, pk: int) -> list[str]:
    return list(program.row("SELECT state, error FROM jobs_job WHERE id = %s", pk))


def says(program: Cluster, pk: int, reply: str) -> None:
    """A turn ends with this reply."""
    assert wait_for(lambda: state(program, pk) == ["done", reply], PATIENCE_S), state(program, pk)


def no_job_is_open(program: Cluster) -> bool:
    """Reading what was said is a job, too."""
    return program.row("SELECT count(*) FROM jobs_job WHERE state IN ('queued', 'running')") == (0,)


def ingestion(program: Cluster, slug: str, count: int = 6) -> int:
    pk: int = program.shell(DOCUMENTS.format(slug=slug, count=count))
    return pk


def finishes(program: Cluster, pk: int) -> bool:
    return wait_for(lambda: job(program, pk)[0] == "done", PATIENCE_S, every=1)


def is_interrupted(tab: httpx.Client, pk: int) -> bool:
    return "Interrupted:" in tab.get(f"/playground/turns/{pk}/", follow_redirects=True).text


def test_a_reply_that_one_web_process_writes_is_read_from_the_other(program: Cluster, model: ScriptedModel) -> None:
    gate = Event()
    model.says("A travelling", gate, " glassblower.")
    with program.tab(0) as first, program.tab(1) as second:
        pk = started(first)
        with second.stream("GET", f"/playground/turns/{pk}/events/") as stream:
            lines = stream.iter_lines()
            assert any("A travelling" in line for line in lines)
            gate.set()
            assert any("glassblower" in line for line in lines)
    says(program, pk, "A travelling glassblower.")


def test_a_web_process_killed_during_a_stream_loses_nothing_that_was_said(
    program: Cluster, model: ScriptedModel
) -> None:
    gate = Event()
    model.says("Half of it", gate, " and the rest.").says("All of it.")
    with program.tab(0) as first, program.tab(1) as second:
        pk = started(first)
        assert wait_for(lambda: state(program, pk)[1] == "Half of it", PATIENCE_S)
        program.webs[0].kill()
        gate.set()
        page = second.get(f"/playground/turns/{pk}/", follow_redirects=True)
        assert page.status_code == 200
        assert "Half of it" in page.text
        assert wait_for(lambda: is_interrupted(second, pk), PATIENCE_S, every=0.5)
        again = started(second, "And now?")
        says(program, again, "All of it.")


def test_the_database_restarted_loses_nothing_and_the_page_says_so_meanwhile(
    program: Cluster, model: ScriptedModel
) -> None:
    model.says("Before it.")
    with program.tab() as tab:
        before = started(tab)
        assert wait_for(lambda: state(program, before)[0] == "done", PATIENCE_S)
        pk = ingestion(program, "postgres")
        program.database.stop()
        page = tab.get("/playground/")
        assert page.status_code == 503
        assert "The database does not answer" in page.text
        assert program.health()["database"] == "down"
        program.database.start()
        assert wait_for(lambda: tab.get("/playground/").status_code == 200, PATIENCE_S)
        assert state(program, before) == ["done", "Before it."]
        assert finishes(program, pk), job(program, pk)
        model.says("After it.")
        after = started(tab, "And now?")
        says(program, after, "After it.")
    assert wait_for(program.nothing_waits, PATIENCE_S, every=2)


def test_the_broker_restarted_and_emptied_loses_no_job_and_the_page_says_so_meanwhile(
    program: Cluster, model: ScriptedModel
) -> None:
    model.says("Without a broker.")
    program.broker.stop()
    pk = ingestion(program, "redis")
    with program.tab() as tab:
        turn = started(tab)
        says(program, turn, "Without a broker.")
        assert "The broker does not answer" in tab.get("/health/").text
    program.broker.start()  # it keeps nothing: every message and every queue is gone
    assert finishes(program, pk), job(program, pk)
    assert wait_for(program.nothing_waits, PATIENCE_S, every=2)


def test_one_of_two_workers_killed_leaves_its_job_to_the_other(program: Cluster) -> None:
    pk = ingestion(program, "worker", count=40)
    assert wait_for(lambda: job(program, pk)[0] == "running", PATIENCE_S, every=0.2)
    program.workers[0].kill()
    assert finishes(program, pk), job(program, pk)
    assert wait_for(program.nothing_waits, PATIENCE_S, every=2)


def test_the_graph_restarted_during_a_run_is_written_to_the_end(program: Cluster, model: ScriptedModel) -> None:
    model.says("Without the graph.")
    program.graph.stop()
    pk = ingestion(program, "graph")
    with program.tab() as tab:
        turn = started(tab, "I live in Oslo, and my cat is called Luna.")
        says(program, turn, "Without the graph.")
        assert program.health()["graph"] == "down"
        assert "Down: Graph" in tab.get("/health/").text
    program.graph.start()
    assert finishes(program, pk), job(program, pk)
    assert wait_for(program.nothing_waits, PATIENCE_S, every=2)
