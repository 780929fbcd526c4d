"""Graph and vectors of the demo, made from nothing: the same counts and hashes as before."""

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from kgadmin.projection import services as projection
from kgadmin.stores.local_embedder import LocalEmbedder
from tests.engines.test_stories import load_the_demo
from tests.engines.worlds import database_of_its_own, world
from tests.servers import GraphServer, VectorServer

pytestmark = [pytest.mark.xdist_group("demo"), pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def demo(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: DjangoDbBlocker,
    running_graph: GraphServer,
    running_vectors: VectorServer,
    embedder: LocalEmbedder,
) -> Iterator[None]:
    own = database_of_its_own(django_db_blocker, tmp_path_factory.mktemp("world"))
    with own, world(running_graph, running_vectors, load_the_demo):
        yield


@pytest.mark.parametrize("store", projection.STORES)
def test_the_demo_from_nothing_is_the_demo(demo: None, store: projection.Store) -> None:
    assert projection.waiting() == []
    assert projection.drift() == []
    before = {each.kind: each.found for each in projection.compare(store)}
    assert before["messages" if store == "graph" else "vectors of messages"].count > 80
    out = StringIO()
    call_command("rebuild", store, stdout=out)
    assert {each.kind: each.found for each in projection.compare(store)} == before
    assert "changed" not in out.getvalue().replace("unchanged", "")
    assert projection.drift() == []
