"""What a request gets that nobody could answer."""

import json

from django.db import OperationalError
from django.http import HttpResponse
from django.test import RequestFactory

from kgadmin.operations.outages import server_error


def answer(path: str, error: Exception, **headers: str) -> HttpResponse:
    try:
        raise error
    except type(error):
        return server_error(RequestFactory(headers=headers).get(path))


def test_a_database_that_is_away_is_said_on_a_page_with_a_way_to_try_again() -> None:
    page = answer("/people/", OperationalError("connection refused on 10.1.2.3"))
    assert page.status_code == 503
    assert page["Retry-After"] == "5"
    text = page.content.decode()
    assert "The database does not answer" in text
    assert "Try again" in text
    assert "10.1.2.3" not in text


def test_a_fragment_gets_the_sentence_alone() -> None:
    page = answer("/people/", OperationalError(), **{"HX-Request": "true"})
    assert page.status_code == 503
    assert "<html" not in page.content.decode()


def test_a_program_gets_a_problem() -> None:
    page = answer("/api/turns/1", OperationalError())
    assert page["Content-Type"] == "application/problem+json"
    assert json.loads(page.content)["status"] == 503


def test_an_openai_client_gets_an_error_of_its_kind() -> None:
    page = answer("/v1/models", OperationalError())
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert json.loads(page.content)["error"]["code"] == "database_away"


def test_any_other_error_is_a_mistake_of_ours() -> None:
    page = answer("/people/", ValueError("a secret"))
    assert page.status_code == 500
    assert "A mistake of ours" in page.content.decode()
    assert "a secret" not in page.content.decode()
