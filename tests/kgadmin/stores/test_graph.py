"""On a real server, broken in the ways that servers break."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import enumerate as all_threads

import pytest

from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.graph import Graph, Row
from tests.fixtures.engines import HASTY
from tests.kgadmin.stores.outages import IN_TIME, fails_in, works
from tests.patience import wait_for
from tests.servers import GraphServer

CONSTRAINT = "CREATE CONSTRAINT thing_id IF NOT EXISTS FOR (t:Thing) REQUIRE t.id IS UNIQUE"


def patiently(graph: Graph, cypher: str) -> list[Row]:
    """What a read gives, as soon as one ends in time; the first ones of a server that has just started may not."""
    rows: list[Row] = []

    def read() -> None:
        graph.breaker.reset()
        rows[:] = graph.read(cypher)

    assert wait_for(lambda: works(read), 20)
    return rows


def ping_row(graph: Graph) -> int:
    return int(graph.read("RETURN 1 AS one")[0]["one"])


@pytest.fixture
def hasty(wire: Callable[..., None], graph_server: GraphServer, monkeypatch: pytest.MonkeyPatch) -> Graph:
    """A graph that was read before, with the product's own time-out of reads; writes are tried for a shorter while."""
    monkeypatch.setattr("kgadmin.stores.graph.WRITE_RETRY_SECONDS", 0.5)
    wire(graph_server, **HASTY)
    assert wait_for(lambda: works(wiring.graph().ping), 30)
    return wiring.graph()


def test_all_statements_of_a_transaction_are_written_or_none(graph: Graph) -> None:
    create = ("CREATE (:Thing {id: $id, name: $name})", {"id": "thing:1", "name": 'How\'s "x"?'})
    graph.write_all([create, ("CREATE (:Thing {id: $id})", {"id": "thing:2"})])
    with pytest.raises(StoreError):
        graph.write_all([("CREATE (:Thing {id: $id})", {"id": "thing:3"}), ("NO CYPHER AT ALL", {})])
    rows = graph.read("MATCH (t:Thing) RETURN t.id AS id, t.name AS name ORDER BY id")
    assert rows == [{"id": "thing:1", "name": 'How\'s "x"?'}, {"id": "thing:2", "name": None}]
    assert "Neo4j" in graph.ping()


def test_a_schema_is_made_once_and_holds(graph: Graph) -> None:
    graph.ensure_schema([CONSTRAINT])
    graph.ensure_schema([CONSTRAINT])
    graph.write("CREATE (:Thing {id: 'thing:1'})")
    with pytest.raises(StoreError, match="refused a statement") as refused:
        graph.write("CREATE (:Thing {id: 'thing:1'})")
    assert not refused.value.retryable
    with pytest.raises(StoreError, match="refused a statement"):
        graph.read("MATCH")
    assert ping_row(graph) == 1  # a wrong statement is no reason to skip the graph


def test_a_scan_may_take_longer_than_a_read_and_asks_past_the_breaker(
    wire: Callable[..., None], graph_server: GraphServer
) -> None:
    wire(graph_server, graph_read_timeout=0.001)
    graph = wiring.graph()
    many = "UNWIND range(1, 200000) AS n RETURN sum(n) AS total"
    with pytest.raises(StoreError):
        graph.read(many)
    assert graph.scan(many) == [{"total": 20000100000}]


def test_a_wrong_password_is_said(graph_server: GraphServer) -> None:
    graph = Graph(
        url=graph_server.settings["graph_url"],
        user=graph_server.user,
        password="wrong password",
        database=graph_server.database,
        read_timeout=30,
    )
    with pytest.raises(StoreError, match="refused its user or password") as refused:
        ping_row(graph)
    assert not refused.value.retryable
    graph.close()


def test_a_hung_server_costs_half_a_second_once_and_is_used_again_when_it_goes_on(
    hasty: Graph, graph_server: GraphServer
) -> None:
    graph_server.pause()
    assert 0.45 < fails_in(lambda: ping_row(hasty)) < IN_TIME
    assert fails_in(lambda: ping_row(hasty)) < 0.05
    graph_server.resume()
    hasty.write("CREATE (:Thing {id: 'thing:1'})")  # goes through while reads are skipped
    assert wait_for(lambda: works(hasty.ping), 5)
    assert patiently(hasty, "MATCH (t:Thing) RETURN count(t) AS things") == [{"things": 1}]


def test_many_reads_of_a_hung_server_all_end_in_time(hasty: Graph, graph_server: GraphServer) -> None:
    graph_server.pause()
    with ThreadPoolExecutor(20) as threads:
        assert max(threads.map(lambda _: fails_in(lambda: ping_row(hasty)), range(20))) < IN_TIME + 0.1


def test_threads_that_hang_are_let_go(wire: Callable[..., None], graph_server: GraphServer) -> None:
    wire(graph_server, graph_read_timeout=0.1)
    graph = wiring.graph()
    assert wait_for(lambda: works(graph.ping), 30)
    graph_server.pause()
    for _ in range(12):
        graph.breaker.reset()
        fails_in(lambda: ping_row(graph))
    assert wait_for(lambda: sum(thread.name.startswith("graph_") for thread in all_threads()) <= 8, 5)


def test_a_killed_server_fails_at_once_in_a_way_that_may_pass_and_is_used_again(
    hasty: Graph, graph_server: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    write = Graph.write

    def counting(graph: Graph, cypher: str) -> list[Row]:
        asked.append(cypher)
        return write(graph, cypher)

    monkeypatch.setattr(Graph, "write", counting)
    for _ in range(2):
        hasty.ensure_schema([CONSTRAINT])
    assert asked == [CONSTRAINT]
    hasty.write("CREATE (:Thing {id: 'thing:1'})")
    ping_row(hasty)
    graph_server.kill()
    assert fails_in(lambda: ping_row(hasty)) < IN_TIME
    with pytest.raises(StoreError, match="does not answer") as failed:
        hasty.write_all([("RETURN 1", {})])
    assert failed.value.retryable
    graph_server.start()
    assert patiently(hasty, "MATCH (t:Thing) RETURN t.id AS id") == [{"id": "thing:1"}]
    hasty.ensure_schema([CONSTRAINT])  # it may have come back on an empty folder
    assert asked[-1] == CONSTRAINT


def test_a_process_ends_though_its_graph_hangs(graph_server: GraphServer) -> None:
    reached = graph_server.settings
    graph_server.pause()
    script = f"""
from kgadmin.stores.errors import StoreError
from kgadmin.stores.graph import Graph
graph = Graph(url={reached["graph_url"]!r}, user="x", password="x", database="x", read_timeout=0.1)
try:
    graph.read("RETURN 1")
except StoreError as error:
    print(error.message)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=20, check=True)
    assert "did not answer in time" in done.stdout


def test_a_runaway_query_ends_and_the_next_one_works(hasty: Graph) -> None:
    hasty.write("UNWIND range(1, 2000) AS n CREATE (:Thing {id: 'thing:' + toString(n)})")
    cross = "MATCH (a:Thing), (b:Thing), (c:Thing) WHERE a.id + b.id = c.id RETURN count(*) AS n"
    assert fails_in(lambda: hasty.read(cross)) < IN_TIME
    assert patiently(hasty, "RETURN 1 AS one") == [{"one": 1}]
