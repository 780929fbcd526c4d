"""The frame of every page."""

import re

from django.test import Client
from pytest_django.fixtures import Settings


def links(page: str) -> list[str]:
    menus = page.partition('class="menus"')[2].partition('class="account"')[0]
    return re.findall(r'<a\s+href="([^"]+)"', menus)


def test_the_navigation_has_the_pages_of_ones_roles_only_and_each_works(
    author_client: Client, operator_client: Client, tester_client: Client, outsider_client: Client
) -> None:
    clients = {
        "author": author_client,
        "operator": operator_client,
        "tester": tester_client,
        "outsider": outsider_client,
    }
    shown = {name: links(client.get("/language-model/").content.decode()) for name, client in clients.items()}
    assert shown == {
        "author": ["/characters/"],
        "operator": [
            "/dashboard/",
            "/review/",
            "/people/",
            "/knowledge/",
            "/enrichment/",
            "/import/",
            "/audit/",
            "/health/",
        ],
        "tester": ["/playground/", "/people/"],
        "outsider": [],
    }
    for name, paths in shown.items():
        for path in paths:
            assert clients[name].get(path, follow=True).status_code == 200, path


def test_every_page_says_that_no_language_model_is_connected_until_one_is(
    author_client: Client, settings: Settings
) -> None:
    page = author_client.get("/account/").content.decode()
    assert 'class="unconnected"' in page
    assert "No language model is" in page
    assert 'href="/language-model/"' in page
    settings.CONFIG = settings.CONFIG.model_copy(update={"llm_base_url": "http://127.0.0.1:1/v1", "llm_model": "m"})
    assert 'class="unconnected"' not in author_client.get("/account/").content.decode()


def test_every_page_has_the_way_out_and_the_token_that_htmx_carries(outsider_client: Client) -> None:
    page = outsider_client.get("/").content.decode()
    assert "Ask an administrator" in page  # who has no role is told whom to ask
    assert "outsider" in page
    assert 'action="/logout/"' in page
    assert re.search(r"""hx-headers='{"X-CSRFToken": "\w{64}"}'""", page)
