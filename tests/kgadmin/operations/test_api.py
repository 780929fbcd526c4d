"""The repair of a store and the states of all parts through the API."""

from django.test import Client

from tests.rest import get


def test_everybody_is_parts_the_states_of_all_parts_and_who_is_signed_in_their_addresses(
    client: Client, outsider_client: Client
) -> None:
    answer = client.get("/api/health").json()
    assert set(answer) == {"ready", "parts"}
    assert set(answer["parts"].values()) <= {"up", "down", "warming", "offline responder"}
    parts = get(outsider_client, "/health/parts")
    assert [each["name"] for each in parts] == list(answer["parts"])
    assert parts[0]["address"]
