"""Pages that say what happened and what to do, standing alone."""

from django.template.loader import render_to_string
from django.test import Client


def test_an_error_page_needs_no_context() -> None:
    for template in ("403.html", "404.html", "500.html", "503.html"):
        page = render_to_string(template)
        assert "<h1>" in page, template
        assert 'href="/"' in page or 'href="/health/"' in page, template


def test_an_unknown_address_is_a_page_with_a_way_back(tester_client: Client) -> None:
    answer = tester_client.get("/no-such-page/")
    assert answer.status_code == 404
    assert "Nothing here" in answer.content.decode()
