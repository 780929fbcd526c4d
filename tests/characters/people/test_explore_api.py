"""Exploring through the API, on the real graph: with every option that the page has."""

import pytest
from django.test import Client

from characters.conversations.models import Person
from characters.memory.models import Entity
from characters.memory.projection import PersonProjector
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.people.knowing import Knowing
from tests.characters.people.test_exploring import remembered
from tests.rest import get


@pytest.fixture
def known(mark: Person, ann: Character, operator: User) -> Knowing:
    found = remembered(mark, ann, operator)
    PersonProjector().project(mark.graph_id)
    return found


def names(client: Client, known: Knowing, query: str) -> set[str]:
    found = get(client, f"/people/{known.person.pk}/explore?about=Luna{query}")
    return {each["name"] for each in found["nodes"]}


def test_a_walk_goes_as_far_as_it_is_told_and_tells_the_messages_behind_an_edge(
    operator_client: Client, known: Knowing
) -> None:
    near = names(operator_client, known, "")
    assert near == names(operator_client, known, "&open=person:999&open=entity:999")
    assert names(operator_client, known, "&hops=2") == near | {"fish"}
    sol, mark = Entity.objects.get(name="Sol").graph_id, known.person.graph_id
    assert names(operator_client, known, f"&open={mark}&open={sol}") == near | {"yoga", "fish"}
    path = f"/people/{known.person.pk}/explore?about=Luna"
    found = get(operator_client, f"{path}&open={mark}")
    assert {each["name"] for each in found["nodes"] if each["open"]} == {"Luna", "Mark"}
    assert (found["behind"], found["is_full"]) == (None, False)
    pet = next(each for each in found["edges"] if each["predicate"] == "has pet")
    behind = get(operator_client, f"{path}&edge={pet['id']}")["behind"]
    assert behind["sentence"] == "Mark has a pet called Luna"
    assert [quote["marked"] for quote in behind["quotes"]] == ["a cat called Luna"]
    assert get(operator_client, f"{path}&edge=user_fact:999")["behind"] is None
