"""The frame of every page."""

import re

from django.test import Client
from pytest_django.fixtures import Settings

from kgadmin.accounts.models import User


def links(page: str) -> list[str]:
    menus = page.partition('class="menus"')[2].partition('class="account"')[0]
    return re.findall(r'<a href="([^"]+)"', menus)


def test_the_navigation_has_the_pages_of_ones_roles_only(
    author_client: Client, operator_client: Client, tester_client: Client, outsider_client: Client
) -> None:
    seen = {
        name: links(client.get("/language-model/").content.decode())
        for name, client in [
            ("author", author_client),
            ("operator", operator_client),
            ("tester", tester_client),
            ("outsider", outsider_client),
        ]
    }
    assert seen == {
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


def test_a_page_of_two_of_ones_roles_stands_there_once(admin: User, client: Client) -> None:
    client.force_login(admin)
    found = links(client.get("/language-model/").content.decode())
    assert found.count("/people/") == 1
    assert len(found) == len(set(found))


def test_every_entry_of_the_navigation_is_a_page_that_works(
    author_client: Client, operator_client: Client, tester_client: Client
) -> None:
    for client in (author_client, operator_client, tester_client):
        for path in links(client.get("/language-model/").content.decode()):
            assert client.get(path, follow=True).status_code == 200, path


def test_the_page_one_is_on_is_marked(operator_client: Client) -> None:
    page = operator_client.get("/health/").content.decode()
    assert re.search(r'href="/health/"\s+aria-current="page"', page)
    assert page.count('aria-current="page"') == 1


def test_every_page_says_that_no_language_model_is_connected(author_client: Client) -> None:
    page = author_client.get("/health/").content.decode()
    assert "No language model is" in page
    assert 'href="/language-model/"' in page


def test_the_line_is_gone_when_one_is_connected(author_client: Client, settings: Settings) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"llm_base_url": "http://127.0.0.1:1/v1", "llm_model": "m"})
    assert 'class="unconnected"' not in author_client.get("/language-model/").content.decode()


def test_a_signed_in_user_can_log_out_from_every_page(outsider_client: Client) -> None:
    page = outsider_client.get("/").content.decode()
    assert "outsider" in page
    assert 'action="/logout/"' in page


def test_htmx_carries_the_token_of_the_page(outsider_client: Client) -> None:
    page = outsider_client.get("/").content.decode()
    assert re.search(r"""hx-headers='{"X-CSRFToken": "\w{64}"}'""", page)


def test_pages_run_no_inline_script(outsider_client: Client) -> None:
    answer = outsider_client.get("/health/")
    assert not re.search(r"<script(?![^>]* src=)", answer.content.decode())
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
