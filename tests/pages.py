"""Pages as a test reads them."""

from django.test import Client

HTMX = {"HX-Request": "true"}


def text_of(client: Client, path: str, headers: dict[str, str] | None = None) -> str:
    """The HTML of a page that is there, with single spaces."""
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200, (answer.status_code, answer.content[:500])
    return " ".join(answer.content.decode().split())
