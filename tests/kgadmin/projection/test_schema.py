"""The graph's constraints and indexes are there before anything is written, whoever writes first."""

from collections.abc import Sequence
from typing import Any

import pytest

from characters.conversations.models import Person
from characters.profiles.models import Character
from kgadmin.projection import services
from kgadmin.stores import wiring
from kgadmin.stores.graph import Graph
from tests import stack
from tests.characters.memory import people
from tests.characters.profiles import sheets
from tests.fixtures.talk import Lead, register_predicates
from tests.servers import GraphServer, VectorServer


@pytest.fixture
def waiting(
    transactional_db: None, wire: Lead, graph_server: GraphServer, vector_server: VectorServer
) -> tuple[Character, Person]:
    """A character and a person that nobody has projected, and engines that are empty."""
    register_predicates()
    wire(graph_server, vector_server)
    return sheets.character("ann", ("LIKES", "rain")), people.person()


def test_every_index_is_made_before_anything_is_written_and_what_is_written_is_found_by_its_owner(
    waiting: tuple[Character, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    verbs: list[str] = []
    write = Graph.write_all

    def listening(graph: Graph, statements: Sequence[tuple[str, Any]]) -> Any:
        verbs.extend(cypher.split()[0] for cypher, _ in statements)
        return write(graph, statements)

    monkeypatch.setattr(Graph, "write_all", listening)
    owners = {owner: projector for projector in services.projectors() for owner in projector.waiting()}
    for first in (each.graph_id for each in waiting):
        verbs.clear()
        stack.forget_engines()  # as in a process that has written nothing yet
        assert services.project(owners[first], first)
        made = [place for place, verb in enumerate(verbs) if verb == "CREATE"]
        assert made, first
        assert made == list(range(len(made))), first
    rows = wiring.graph().read("MATCH (e:Entity {owner: $owner}) RETURN e.id AS id", owner=waiting[0].graph_id)
    assert len(rows) == 1
    assert services.drift() == []
