"""The dashboard's figures, drift and the language model through the API. Health has tests of its own."""

from django.test import Client

from kgadmin.projection.models import Tombstone
from tests.rest import call, get


def test_the_dashboard_tells_its_figures_of_a_period_that_there_is(operator_client: Client) -> None:
    found = get(operator_client, "/dashboard?period=7d")
    assert (found["period"], found["turns"], found["times"], found["failures"]) == ("7d", 0, [], [])
    assert found["shares"][0] == {"name": "Background", "count": 0, "of": 0, "percent": None, "steps": [None] * 14}
    assert found["work"][0]["kind"] == "Documents to read"
    assert call(operator_client, "GET", "/dashboard?period=1y").status == 422


def test_an_empty_installation_has_no_drift(wired: None, operator_client: Client) -> None:
    found = get(operator_client, "/drift")
    assert (found["differences"], found["waiting"]) == ([], [])
    assert all(each["database"] == each["found"] for each in found["compared"])


def test_a_store_is_written_anew(operator_client: Client) -> None:
    answer = call(operator_client, "POST", "/drift/graph/repair")
    assert (answer.status, answer.body) == (202, {"store": "graph"})
    assert Tombstone.objects.filter(owner="graph", key="graph").exists()
    assert call(operator_client, "POST", "/drift/moon/repair").status == 422


def test_the_offline_responder_answers_a_trial(tester_client: Client, outsider_client: Client) -> None:
    told = get(outsider_client, "/language-model")
    assert (told["connected"], told["address"], told["has_key"]) == (False, "", False)
    answer = call(tester_client, "POST", "/language-model/test")
    assert (answer.status, answer.body["error"]) == (200, "")


def test_everybody_is_told_the_states_of_all_parts_and_who_is_signed_in_their_addresses(
    client: Client, outsider_client: Client
) -> None:
    answer = client.get("/api/health").json()
    assert set(answer) == {"ready", "parts"}
    assert set(answer["parts"].values()) <= {"up", "down", "warming", "offline responder"}
    told = get(outsider_client, "/health/parts")
    assert [each["name"] for each in told] == list(answer["parts"])
    assert told[0]["address"]
