"""The page that connects a language model, against a real HTTP server."""

from collections.abc import Callable

import pytest
from django.test import Client
from pydantic import SecretStr

from tests.scripted_model import Answer, ScriptedModel

PAGE = "/language-model/"
TEST = "/language-model/test/"


def words(answer: object) -> str:
    return " ".join(answer.content.decode().split())  # type: ignore[attr-defined]


def test_the_page_names_the_variables_and_where_they_go(outsider_client: Client) -> None:
    page = words(outsider_client.get(PAGE))
    assert all(name in page for name in ("LLM_BASE_URL", "LLM_MODEL", "LLM_API_KEY", ".env"))
    assert "No endpoint is set" in page
    assert TEST not in page


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


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=401),
        Answer(status=500),
        Answer(content_type="text/html", body="<h1>Not a model at all</h1>"),
        Answer(),
    ],
    ids=["refused", "broken", "a web page", "nothing"],
)
def test_a_failing_endpoint_is_a_sentence(
    operator_client: Client, wire: Callable[..., None], scripted_model: ScriptedModel, answer: Answer
) -> None:
    wire(scripted_model)
    scripted_model.then(answer)
    page = words(operator_client.post(TEST))
    assert 'data-state="bad"' in page
    assert "Not a model" not in page


def test_an_endpoint_that_breaks_off_shows_what_had_come(
    operator_client: Client, wire: Callable[..., None], scripted_model: ScriptedModel
) -> None:
    wire(scripted_model)
    scripted_model.cuts_off_after("I am", " her")
    page = words(operator_client.post(TEST))
    assert 'data-state="bad"' in page
    assert "Before that it said: I am her" in page


def test_an_endpoint_that_nobody_serves_is_a_sentence(operator_client: Client, wire: Callable[..., None]) -> None:
    wire(llm_base_url="http://127.0.0.1:9/v1", llm_model="m")
    assert 'data-state="bad"' in words(operator_client.post(TEST))


def test_the_answer_is_a_fragment_for_htmx(
    operator_client: Client, wire: Callable[..., None], scripted_model: ScriptedModel
) -> None:
    wire(scripted_model)
    fragment = words(operator_client.post(TEST, headers={"HX-Request": "true"}))
    assert fragment.startswith('<div id="trial"')
    assert scripted_model.otherwise in fragment


def test_testing_is_for_operators_and_testers(
    client: Client,
    author_client: Client,
    outsider_client: Client,
    wire: Callable[..., None],
    scripted_model: ScriptedModel,
) -> None:
    wire(scripted_model)
    assert client.post(TEST).headers["Location"].startswith("/login/")
    assert author_client.post(TEST).status_code == 403
    assert outsider_client.post(TEST).status_code == 403
    assert TEST not in words(author_client.get(PAGE))
    assert scripted_model.requests == []


def test_testing_is_no_link(operator_client: Client) -> None:
    assert operator_client.get(TEST).status_code == 405
    assert operator_client.post(PAGE).status_code == 405
