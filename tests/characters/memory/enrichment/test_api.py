"""Enrichment through the API."""

from django.test import Client

from characters.memory.models import EnrichmentRun, Relation
from tests.rest import call, get


def test_a_run_is_estimated_and_started(operator_client: Client, run: EnrichmentRun) -> None:
    estimate = get(operator_client, "/enrichment/estimate?character=elena")
    assert estimate["messages"] == run.messages
    started = call(operator_client, "POST", "/enrichment/runs", {"character": "elena", "anchors": 4})
    assert (started.status, started.body["anchors"], started.body["job"]["state"]) == (201, 4, "queued")
    again = call(operator_client, "POST", "/enrichment/runs", {"character": "elena"})
    assert (again.status, f"Run {started.body['id']}" in again.detail) == (409, True)
    paused = call(operator_client, "POST", f"/jobs/{started.body['job']['id']}/pause")
    assert paused.body["state"] == "paused"
    assert get(operator_client, f"/enrichment/runs/{started.body['id']}")["job"]["state"] == "paused"


def test_runs_are_listed_with_their_figures_and_problems(operator_client: Client, run: EnrichmentRun) -> None:
    run.problems.create(kind="call", detail="It took too long.")
    (listed,) = get(operator_client, "/enrichment/runs")["items"]
    assert (listed["id"], listed["classified"], listed["job"]["state"]) == (run.pk, run.classified, "done")
    (problem,) = get(operator_client, f"/enrichment/runs/{run.pk}/problems")["items"]
    assert (problem["kind"], problem["detail"]) == ("call", "It took too long.")


def test_an_operators_word_stands(operator_client: Client, relation: Relation) -> None:
    path = f"/enrichment/relations/{relation.pk}"
    answer = call(operator_client, "PATCH", path, {"relation": "Reframe/Correction"})
    assert answer.status == 200, answer.body
    changed = answer.body
    assert (changed["relation"], changed["status"], changed["origin"]) == (
        "Reframe/Correction",
        "relabelled",
        "operator",
    )
    assert call(operator_client, "POST", f"{path}/reject").body["status"] == "rejected"
