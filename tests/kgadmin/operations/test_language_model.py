"""The page that connects a language model, against a real HTTP server."""

from collections.abc import Callable

from django.test import Client
from pydantic import SecretStr

from kgadmin.stores import wiring
from tests.scripted_model import Answer, ScriptedModel

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
        wiring.reset()  # so that no breaker answers in its place
        scripted_model.then(answer)
        page = words(operator_client.post(TEST))
        assert ('data-state="bad"' in page, "Not a model" in page) == (True, False), answer
    wiring.reset()
    scripted_model.cuts_off_after("I am", " her")
    page = words(operator_client.post(TEST))
    assert 'data-state="bad"' in page
    assert "Received before the error: I am her" in page
    assert len(scripted_model.requests) == 5
