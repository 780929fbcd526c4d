"""As whom a tester may talk, through the API."""

import pytest
from django.test import Client

from characters.conversations import services
from characters.conversations.models import Person
from kgadmin.accounts.models import User
from tests.rest import get


@pytest.fixture
def mark(db: None) -> Person:
    return Person.objects.create(namespace="import", outside_id="mark", name="Mark")


def test_test_people_and_real_ones_are_listed(tester_client: Client, tester: User, mark: Person) -> None:
    mia = services.new_test_person(name="Mia", by=tester)
    found = get(tester_client, "/talking-as")
    assert {"id": mia.pk, "name": "Mia"} in found["test_people"]
    assert found["real_people"] == [{"id": mark.pk, "name": "Mark"}]
    assert get(tester_client, "/talking-as?q=nobody")["real_people"] == []
