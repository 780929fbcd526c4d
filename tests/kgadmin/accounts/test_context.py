"""The frame of every page."""

import re

from django.test import Client
from pytest_django.fixtures import Settings

OPERATORS_PAGES = ("dashboard", "review", "people", "knowledge", "enrichment", "import", "audit", "health")


def links(page: str) -> list[str]:
    menus = page.partition('class="menus"')[2].partition('class="account"')[0]
    return re.findall(r'<a\s+href="([^"]+)"', menus)


def test_the_navigation_has_the_pages_of_ones_roles_only_and_each_works(
    author_client: Client, operator_client: Client, tester_client: Client, outsider_client: Client
) -> None:
    browsers = (author_client, operator_client, tester_client, outsider_client)
    clients = dict(zip(("author", "operator", "tester", "outsider"), browsers, strict=True))
    shown = {name: links(client.get("/language-model/").content.decode()) for name, client in clients.items()}
    assert shown == {
        "author": ["/characters/"],
        "operator": [f"/{name}/" for name in OPERATORS_PAGES],
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
