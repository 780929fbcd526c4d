"""For tests of the API: calls that send JSON, and what a refusal must look like."""

from dataclasses import dataclass
from typing import Any

from django.test import Client


@dataclass(frozen=True)
class Answer:
    """Status and body of an answer."""

    status: int
    body: Any

    @property
    def detail(self) -> str:
        """The sentence of a problem."""
        return str(self.body["detail"])


def call(client: Client, method: str, path: str, body: object = None, **headers: str) -> Answer:
    """Ask an operation; a problem has the shape of one, and a sentence."""
    sent = {} if body is None else {"data": body, "content_type": "application/json"}
    answer = getattr(client, method.lower())(f"/api{path}", headers=headers, **sent)
    if answer.status_code == 204:
        assert answer.content == b""
        return Answer(204, None)
    if answer.status_code >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json", answer.content
        problem = answer.json()
        assert (problem["type"], problem["status"]) == ("about:blank", answer.status_code)
        assert problem["detail"].endswith((".", "?")) or "invalid values" in problem["detail"], problem
    return Answer(answer.status_code, answer.json())


def get(client: Client, path: str) -> Any:
    """The body of a good answer."""
    answer = call(client, "GET", path)
    assert answer.status == 200, answer.body
    return answer.body


def with_key(text: str) -> Client:
    """A program that shows an API key."""
    return Client(headers={"Authorization": f"Bearer {text}"})
