"""The demo, loaded once for all stories that it tells."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge.models import Document
from kgadmin.operations.demo import loader
from kgadmin.stores.embedder import LocalEmbedder
from tests.engines.worlds import Ask, database_of_its_own, world
from tests.servers import GraphServer, VectorServer

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them on one of pytest's workers, one after the other."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("demo"))
            item.add_marker(pytest.mark.timeout(300))


@pytest.fixture(scope="package")
def ask(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: DjangoDbBlocker,
    running_graph: GraphServer,
    running_vectors: VectorServer,
    embedder: LocalEmbedder,
) -> Iterator[Ask]:
    database = database_of_its_own(django_db_blocker, tmp_path_factory.mktemp("world"))
    with database, world(running_graph, running_vectors, load_the_demo) as asking:
        yield asking


def load_the_demo() -> None:
    loader.load()
    while job := Job.objects.open().first():
        runner.run(job.pk)
    assert Document.objects.filter(state="done").count() == Document.objects.count() >= 40
