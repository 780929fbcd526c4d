"""The dashboard's figures, drift and the language model through the API. Health has tests of its own."""

import pytest
from django.test import Client

from kgadmin.projection.models import Tombstone
from tests.rest import call, get


def test_the_dashboard_tells_its_figures(operator_client: Client) -> None:
    found = get(operator_client, "/dashboard?period=7d")
    assert (found["period"], found["turns"], found["times"], found["failures"]) == ("7d", 0, [], [])
    assert found["shares"][0] == {"name": "Background", "count": 0, "of": 0, "percent": None, "steps": [None] * 14}
    assert found["work"][0]["kind"] == "Documents to read"


def test_an_empty_installation_has_no_drift(wired: None, operator_client: Client) -> None:
    found = get(operator_client, "/drift")
    assert (found["differences"], found["waiting"]) == ([], [])
    assert all(each["database"] == each["found"] for each in found["compared"])


def test_a_store_is_written_anew(operator_client: Client) -> None:
    answer = call(operator_client, "POST", "/drift/graph/repair")
    assert (answer.status, answer.body) == (202, {"store": "graph"})
    assert Tombstone.objects.filter(owner="graph", key="graph").exists()


def test_the_offline_responder_answers_a_trial(tester_client: Client, outsider_client: Client) -> None:
    told = get(outsider_client, "/language-model")
    assert (told["connected"], told["address"], told["has_key"]) == (False, "", False)
    answer = call(tester_client, "POST", "/language-model/test")
    assert (answer.status, answer.body["error"]) == (200, "")


def test_every_engine_is_told_with_its_address_to_who_is_signed_in(client: Client, outsider_client: Client) -> None:
    assert "database" in [each["name"] for each in get(outsider_client, "/health/parts")]
    assert call(client, "GET", "/health/parts").status == 401


@pytest.mark.parametrize("people", ["author", "tester", "outsider"])
@pytest.mark.django_db
def test_only_operators_see_figures_and_repair(request: pytest.FixtureRequest, people: str) -> None:
    client: Client = request.getfixturevalue(f"{people}_client")
    assert call(client, "GET", "/dashboard").status == 403
    assert call(client, "GET", "/drift").status == 403
    assert call(client, "POST", "/drift/graph/repair").status == 403


def test_who_may_not_try_the_model(author_client: Client) -> None:
    assert call(author_client, "POST", "/language-model/test").status == 403


def test_what_does_not_fit(operator_client: Client) -> None:
    assert call(operator_client, "GET", "/dashboard?period=1y").status == 422
    assert call(operator_client, "POST", "/drift/moon/repair").status == 422
    assert call(operator_client, "POST", "/dashboard").status == 405
    assert call(operator_client, "GET", "/drift/graph/repair").status == 405
