"""What a request gets that nobody could answer, and the page that connects a language model."""

import json
import logging
from collections.abc import Callable

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client, RequestFactory
from pydantic import SecretStr

from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.operations.views import server_error
from tests import stack
from tests.scripted_model import Answer, ScriptedModel


def answer(path: str, error: Exception, **headers: str) -> HttpResponse:
    try:
        raise error
    except type(error):
        return server_error(RequestFactory(headers=headers).get(path))


def test_a_database_that_is_away_is_body_on_a_page_with_a_way_to_try_again() -> None:
    page = answer("/people/", OperationalError("connection refused on 10.1.2.3"))
    assert page.status_code == 503
    assert page["Retry-After"] == "5"
    text = page.content.decode()
    assert "The database does not answer" in text
    assert "Try again" in text
    assert "10.1.2.3" not in text


def test_a_fragment_gets_the_sentence_alone_a_program_a_problem_and_an_openai_client_an_error_of_its_kind() -> None:
    page = answer("/people/", OperationalError(), **{"HX-Request": "true"})
    assert page.status_code == 503
    assert "<html" not in page.content.decode()
    page = answer("/api/turns/1", OperationalError())
    assert page["Content-Type"] == "application/problem+json"
    assert json.loads(page.content)["status"] == 503
    page = answer("/v1/models", OperationalError())
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert json.loads(page.content)["error"]["code"] == "database_away"


def test_any_other_error_is_a_mistake_of_ours() -> None:
    page = answer("/people/", ValueError("a secret"))
    assert page.status_code == 500
    assert "Something went wrong" in page.content.decode()
    assert "a secret" not in page.content.decode()
    body = answer("/api/turns/1", ValueError("a secret"))
    assert (body.status_code, body["Content-Type"]) == (500, "application/problem+json")
    assert json.loads(body.content)["detail"].startswith("Something went wrong")
    assert "a secret" not in body.content.decode()


def test_a_mistake_in_an_operation_is_logged_with_its_traceback_and_seen_by_tests(
    operator: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(*given: object, **named: object) -> None:
        raise ValueError("a secret")

    monkeypatch.setattr(Job.objects, "filter", failing)
    client = Client(raise_request_exception=False)
    client.force_login(operator)
    body = client.get("/api/jobs")
    assert (body.status_code, body["Content-Type"]) == (500, "application/problem+json")
    (logged,) = [record.exc_info for record in caplog.records if record.exc_info and record.name == "django.request"]
    assert "ValueError: a secret" in logging.Formatter().formatException(logged)
    seeing = Client()
    seeing.force_login(operator)
    with pytest.raises(ValueError, match="a secret"):
        seeing.get("/api/jobs")


PAGE = "/language-model/"
TEST = "/language-model/test/"


def words(answer: object) -> str:
    return " ".join(answer.content.decode().split())  # type: ignore[attr-defined]


def test_a_key_is_never_shown(operator_client: Client, wire: Callable[..., None]) -> None:
    wire(llm_base_url="http://user:hush@127.0.0.1:9/v1", llm_model="m", llm_api_key=SecretStr("hush"))
    page = words(operator_client.get(PAGE))
    assert "hush" not in page
    assert "http://127.0.0.1:9/v1" in page
    assert page.count(">Set<") == 3


def test_a_working_endpoint_answers(
    tester_client: Client, wire: Callable[..., None], scripted_model: ScriptedModel
) -> None:
    wire(scripted_model)
    scripted_model.says("I am ", "<b>here</b>.")
    page = words(tester_client.post(TEST))
    assert "I am &lt;b&gt;here&lt;/b&gt;." in page
    assert "First token after" in page
    assert "are you there?" in scripted_model.requests[0].prompt


def test_a_failing_endpoint_is_a_sentence_with_what_had_come(
    operator_client: Client, wire: Callable[..., None], scripted_model: ScriptedModel
) -> None:
    wire(scripted_model)
    for answer in (
        Answer(status=401),
        Answer(status=500),
        Answer(content_type="text/html", body="<h1>Not a model at all</h1>"),
        Answer(),
    ):
        stack.forget_engines()  # so that no breaker answers in its place
        scripted_model.then(answer)
        page = words(operator_client.post(TEST))
        assert ('data-state="bad"' in page, "Not a model" in page) == (True, False), answer
    stack.forget_engines()
    scripted_model.cuts_off_after("I am", " her")
    page = words(operator_client.post(TEST))
    assert 'data-state="bad"' in page
    assert "Received before the error: I am her" in page
    assert len(scripted_model.requests) == 5
