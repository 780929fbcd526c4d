import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from characters import profiles
from characters.profiles.models import Character, Predicate
from kgadmin.stores import wiring
from kgadmin.stores.graph import Graph
from tests.characters.profiles import sheets
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.servers import GraphServer


@pytest.fixture
def predicates() -> None:
    """Those of the migration, which a test before this one may have swept away with all rows."""
    rows = json.loads((Path(profiles.__file__).parent / "predicates.json").read_text())
    for row in rows:
        Predicate.objects.get_or_create(name=row["name"], defaults=row)


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
