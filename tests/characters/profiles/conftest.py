from collections.abc import Callable

import pytest
from pytest_django.fixtures import Settings

from characters.profiles.models import Character
from kgadmin.stores import wiring
from kgadmin.stores.graph import Graph
from tests.characters.profiles import sheets
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.servers import GraphServer


@pytest.fixture
def ann(db: None, predicates: None) -> Character:
    """A character whose sheet isn't in the graph yet."""
    return sheets.character()


@pytest.fixture
def projected(
    transactional_db: None,
    hashed: HashEmbedder,
    wire: Callable[..., None],
    graph_server: GraphServer,
    settings: Settings,
) -> Graph:
    """The graph, empty, on rows that other threads and processes see; people stay out of it."""
    settings.PROJECTORS = ["characters.profiles.projection.SheetProjector"]
    wire(graph_server)
    return wiring.graph()
