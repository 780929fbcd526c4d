"""The API's frame: who may ask, and how it says no."""

import pytest
from django.http import Http404, HttpRequest
from django.test import Client, RequestFactory
from ninja.errors import HttpError, ValidationError

from kgadmin.api import api, http_error, invalid, not_found


@pytest.fixture
def request_() -> HttpRequest:
    return RequestFactory().get("/api/")


def test_the_documentation_is_for_signed_in_users_and_needs_no_other_site(
    client: Client, outsider_client: Client
) -> None:
    assert client.get("/api/docs").headers["Location"] == "/login/?next=/api/docs"
    page = outsider_client.get("/api/docs").content.decode()
    assert "/static/ninja/swagger-ui" in page
    assert "https://" not in page
    assert "/api/health" in outsider_client.get("/api/openapi.json").json()["paths"]


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


def test_errors_are_problems_with_a_sentence(request_: HttpRequest) -> None:
    answer = not_found(request_, Http404("There is no turn 7."))
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert b'"detail": "There is no turn 7."' in answer.content
    assert http_error(request_, HttpError(409, "It runs already.")).status_code == 409


def test_a_wrong_value_is_named(request_: HttpRequest) -> None:
    answer = invalid(request_, ValidationError([{"loc": ("query", "limit"), "msg": "too large", "type": "x"}]))
    assert answer.status_code == 422
    assert b"limit: too large" in answer.content
