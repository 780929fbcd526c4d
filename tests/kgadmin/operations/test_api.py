"""The repair of a store and the states of all parts through the API."""

from django.test import Client

from kgadmin.projection.models import Change
from tests.rest import call, get


def test_a_store_is_written_anew(operator_client: Client) -> None:
    answer = call(operator_client, "POST", "/drift/graph/repair")
    assert (answer.status, answer.body) == (202, {"store": "graph"})
    assert Change.objects.waits("graph")
    assert call(operator_client, "POST", "/drift/moon/repair").status == 422


def test_everybody_is_parts_the_states_of_all_parts_and_who_is_signed_in_their_addresses(
    client: Client, outsider_client: Client
) -> None:
    answer = client.get("/api/health").json()
    assert set(answer) == {"ready", "parts"}
    assert set(answer["parts"].values()) <= {"up", "down", "warming", "offline responder"}
    parts = get(outsider_client, "/health/parts")
    assert [each["name"] for each in parts] == list(answer["parts"])
    assert parts[0]["address"]
