"""The API's frame: how it says no, and what it refuses before anything looks at it."""

import grimp
from django.test import Client

from kgadmin.jobs.models import Job
from tests.rest import call, get


def test_the_documentation_is_for_signed_in_users_and_needs_no_other_site(
    client: Client, outsider_client: Client
) -> None:
    assert client.get("/api/docs").headers["Location"] == "/login/?next=/api/docs"
    assert outsider_client.get("/api/").headers["Location"] == "/api/docs"
    page = outsider_client.get("/api/docs").content.decode()
    assert "/static/ninja/swagger-ui" in page
    assert "https://" not in page


def test_what_is_no_json_is_refused_with_the_place(operator_client: Client) -> None:
    for body, sentence in (
        (b'{"name": "Reef"', "line 1"),
        (b"", "body"),
        (b"\xff\xfe\x00", "isn't complete JSON"),
        (b'{"name": NaN}', "NaN is no number"),
        (b"[" * 100_000, "isn't complete JSON"),
    ):
        answer = operator_client.post("/api/knowledge-bases", body, "application/json")
        assert answer.status_code == (400 if body else 422), sentence
        assert sentence in answer.json()["detail"]
    form = operator_client.post("/api/knowledge-bases", {"name": "Reef"})
    assert (form.status_code, form.json()["detail"]) == (415, "The body must be JSON, sent as application/json.")


def test_every_place_that_does_not_fit_is_named(operator_client: Client) -> None:
    answer = call(operator_client, "GET", "/jobs?limit=0&offset=-1")
    assert [each["loc"] for each in answer.body["errors"]] == [["query", "limit"], ["query", "offset"]]
    assert all(f"{place}: Input should be" in answer.detail for place in ("limit", "offset"))


def test_lists_come_in_parts_with_their_total(operator_client: Client, db: None) -> None:
    for number in range(5):
        Job.objects.create(kind="ingest", subject=f"base{number}")
    part = get(operator_client, "/jobs?limit=2&offset=1")
    assert [each["subject"] for each in part["items"]] == ["base3", "base2"]
    assert (part["total"], part["limit"], part["offset"]) == (5, 2, 1)
    assert get(operator_client, "/jobs?offset=9")["items"] == []


def test_no_api_module_imports_a_view_module() -> None:
    graph = grimp.build_graph("kgadmin", "characters", "playground", cache_dir=None)
    wrong = [
        f"{module} imports {imported}"
        for module in sorted(graph.modules)
        if module.endswith("api") and module != "kgadmin.api"
        for imported in graph.find_modules_directly_imported_by(module)
        if imported.endswith("views")
    ]
    assert wrong == []
