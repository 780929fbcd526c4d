"""The API's frame: how it says no, and what it refuses before anything looks at it."""

import json

from django.test import Client

from characters.profiles import services as profiles
from kgadmin.api import api
from kgadmin.jobs.models import Job
from kgadmin.rest.problems import DEEPEST
from tests.characters.profiles.sheets import sheet
from tests.rest import call, get

JSON = "application/json"


def test_the_documentation_is_for_signed_in_users_and_needs_no_other_site(
    client: Client, outsider_client: Client
) -> None:
    assert client.get("/api/docs").headers["Location"] == "/login/?next=/api/docs"
    assert outsider_client.get("/api/").headers["Location"] == "/api/docs"
    page = outsider_client.get("/api/docs").content.decode()
    assert "/static/ninja/swagger-ui" in page
    assert "https://" not in page


def test_operations_need_a_login_unless_they_say_otherwise() -> None:
    assert api.auth
    without = [
        path
        for _, router in api._routers
        for path, view in router.path_operations.items()
        for operation in view.operations
        if operation.auth_param is None
    ]
    assert without == ["/health"]


def test_an_address_that_is_none_is_a_problem_too(client: Client, db: None) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = call(client, method, "/nothing/here")
        assert (answer.status, answer.detail) == (
            404,
            "There is nothing at this address. /api/docs lists what there is.",
        )


def test_a_wrong_method_is_told_the_right_ones(operator_client: Client) -> None:
    answer = operator_client.delete("/api/knowledge-bases")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, POST")
    assert answer.json()["detail"] == "This address takes GET, POST, and not DELETE."


def test_what_is_no_json_is_refused_with_the_place(operator_client: Client) -> None:
    for body, told in (
        (b'{"name": "Reef"', "line 1"),
        (b"", "body"),
        (b"\xff\xfe\x00", "no whole JSON"),
        (b'{"name": NaN}', "no whole JSON"),
        (b"[" * 100_000, "nested too deeply"),
    ):
        answer = operator_client.post("/api/knowledge-bases", body, JSON)
        assert answer.status_code == (400 if body else 422), told
        assert told in answer.json()["detail"]


def test_wrong_types_and_unknown_fields_are_named(operator_client: Client) -> None:
    bodies: list[object] = [{"name": 7}, {"name": ["Reef"]}, {"name": None}, {}, {"name": "Reef", "label": 1}, []]
    for body in bodies:
        answer = call(operator_client, "POST", "/knowledge-bases", body)
        assert answer.status == 422, body
        assert answer.body["errors"]


def test_every_place_that_does_not_fit_is_named(operator_client: Client) -> None:
    answer = call(operator_client, "GET", "/jobs?limit=0&offset=-1")
    assert [each["loc"] for each in answer.body["errors"]] == [["query", "limit"], ["query", "offset"]]
    assert all(f"{place}: Input should be" in answer.detail for place in ("limit", "offset"))


def test_a_place_too_deep_to_be_told_is_cut(author_client: Client, db: None) -> None:
    profiles.create_character(slug="ann", sheet=sheet(), by=None)
    value = json.loads("[" * 400 + "]" * 400)
    answer = call(author_client, "PATCH", "/characters/ann/draft", {"edits": [{"part": "identity", "value": value}]})
    assert answer.status == 422
    assert len(answer.detail) < 300, answer.detail
    assert "body.edits.0.value" in answer.detail
    assert all(len(each["loc"]) <= DEEPEST and each["loc"][-1] == "…" for each in answer.body["errors"])


def test_another_content_type_is_refused(operator_client: Client) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/xml"):
        answer = operator_client.post("/api/knowledge-bases", b'{"name": "Reef"}', kind)
        assert (answer.status_code, "application/json" in answer.json()["detail"]) == (415, True), kind


def test_json_for_files_is_refused(operator_client: Client) -> None:
    answer = operator_client.post("/api/imports", b"{}", JSON)
    assert (answer.status_code, "multipart/form-data" in answer.json()["detail"]) == (415, True)


def test_a_body_of_ten_megabytes_is_refused(operator_client: Client) -> None:
    body = b'{"name": "' + b"x" * 10_000_000 + b'"}'
    answer = operator_client.post("/api/knowledge-bases", body, JSON)
    assert (answer.status_code, answer.json()["status"]) == (413, 413)


def test_lists_come_in_parts_with_their_total(operator_client: Client, db: None) -> None:
    for number in range(5):
        Job.objects.create(kind="ingest", subject=f"base{number}")
    part = get(operator_client, "/jobs?limit=2&offset=1")
    assert [each["subject"] for each in part["items"]] == ["base3", "base2"]
    assert (part["total"], part["limit"], part["offset"]) == (5, 2, 1)
    assert get(operator_client, "/jobs?offset=9")["items"] == []
