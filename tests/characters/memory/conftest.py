from collections.abc import Callable

import pytest
from pytest_django.fixtures import Settings

from characters.conversations.models import Person
from characters.profiles.models import Character
from kgadmin.stores import wiring
from kgadmin.stores.graph import Graph
from tests.characters.memory import people
from tests.characters.memory.teller import Teller
from tests.characters.profiles import sheets
from tests.fixtures.talk import register_predicates
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.servers import GraphServer, VectorServer


@pytest.fixture
def projected(
    transactional_db: None,
    hashed: HashEmbedder,
    wire: Callable[..., None],
    graph_server: GraphServer,
    vector_server: VectorServer,
    settings: Settings,
) -> Graph:
    """Empty engines, on rows that other threads and processes see; sheets stay out of it."""
    register_predicates()
    settings.PROJECTORS = ["characters.memory.projection.PersonProjector"]
    wire(graph_server, vector_server)
    return wiring.graph()


@pytest.fixture
def ann(projected: Graph) -> Character:
    return sheets.character()


@pytest.fixture
def mark(projected: Graph) -> Person:
    return people.person()


@pytest.fixture
def elena(db: None) -> Character:
    return Character.objects.create(slug="elena", name="Elena")


@pytest.fixture
def dotty(db: None) -> Character:
    return Character.objects.create(slug="dotty", name="Dotty")


@pytest.fixture
def teller(db: None, hashed: HashEmbedder, wire: Callable[..., None]) -> Teller:
    """Mark, who has teller Ann where he lives, what he likes, and of his cat."""
    register_predicates()
    wire(llm_base_url="")
    made = Teller(people.person(), sheets.character())
    made.tells("I live in Oslo.", "I love rain.", "My cat Luna loves rain.")
    return made


@pytest.fixture
def bo(teller: Teller) -> Character:
    return sheets.character("bo")
