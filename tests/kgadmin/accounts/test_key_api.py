"""API keys through the API: listed, made by somebody who is signed in, revoked."""

from datetime import timedelta

import pytest
from django.test import Client as Browser
from django.utils import timezone

from kgadmin.accounts.keys import client_named, create_key, use
from kgadmin.accounts.models import ApiKey, Client, User
from tests.rest import call, get, with_key


@pytest.fixture
def bot(tester: User) -> Client:
    return client_named("A bot", by=tester)


@pytest.fixture
def key(bot: Client) -> ApiKey:
    return create_key(bot, scopes=["chat"])[0]


@pytest.fixture
def admin_client(admin: User) -> Browser:
    browser = Browser()
    browser.force_login(admin)
    return browser


def test_a_key_is_made_and_told_once(tester_client: Browser, bot: Client) -> None:
    made = call(tester_client, "POST", "/keys", {"client": bot.pk, "scopes": ["chat", "read"], "remembers": False})
    assert (made.status, made.body["address"]) == (201, "http://testserver/v1")
    key = use(made.body["text"], "read")
    assert (key.client, key.scopes, key.remembers, key.a_minute) == (bot, ["chat", "read"], False, 60)
    assert key.expires_at is not None
    assert timedelta(days=89) < key.expires_at - timezone.now() <= timedelta(days=90)
    listed = get(tester_client, "/keys")
    assert [each["prefix"] for each in listed["items"]] == [made.body["text"][:9]]
    assert made.body["text"] not in str(listed)


def test_no_proxy_keeps_the_answer_with_a_key(tester_client: Browser) -> None:
    body = {"name": "A bot", "scopes": ["chat"]}
    answer = tester_client.post("/api/keys", body, content_type="application/json")
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_new_program_is_made_along(tester_client: Browser, tester: User) -> None:
    body = {"name": "Mine", "scopes": ["chat"], "expires_in_days": None}
    made = call(tester_client, "POST", "/keys", body).body["key"]
    assert (made["client"]["name"], made["client"]["owner"], made["expires_at"]) == ("Mine", "tester", None)
    assert [each["name"] for each in get(tester_client, "/clients")["items"]] == ["Mine"]


def test_an_administrator_makes_keys_for_others(admin_client: Browser, tester: User) -> None:
    body = {"name": "Theirs", "owner": tester.pk, "scopes": ["chat"]}
    assert call(admin_client, "POST", "/keys", body).body["key"]["client"]["owner"] == "tester"


def test_nobody_else_makes_keys_for_others(operator_client: Browser, tester: User, bot: Client) -> None:
    for body, place in (({"name": "x", "owner": tester.pk}, "owner"), ({"client": bot.pk}, "client")):
        answer = call(operator_client, "POST", "/keys", {**body, "scopes": ["chat"]})
        assert (answer.status, answer.body["errors"][0]["loc"]) == (422, ["body", place])
    assert not ApiKey.objects.exists()
    assert Client.objects.count() == 1


@pytest.mark.parametrize("body", [
    {"scopes": ["chat"]},
    {"name": "A bot", "scopes": ["chat"]},
    {"name": "New", "scopes": []},
    {"name": "New", "scopes": ["everything"]},
    {"name": "New", "scopes": ["chat"], "a_minute": 0},
    {"name": "New", "scopes": ["chat"], "a_minute": 10_001},
    {"name": "New", "scopes": ["chat"], "expires_in_days": 36_500},
    {"name": "N\0w", "scopes": ["chat"]},
    {"name": "New", "scopes": ["chat"], "digest": "x"},
    {"client": 2**63, "scopes": ["chat"]},
])  # fmt: skip
def test_a_key_that_does_not_fit_is_not_made(tester_client: Browser, bot: Client, body: dict[str, object]) -> None:
    assert call(tester_client, "POST", "/keys", body).status == 422
    assert (ApiKey.objects.count(), Client.objects.count()) == (0, 1)


def test_a_key_is_revoked_at_once(tester_client: Browser, bot: Client) -> None:
    made, text = create_key(bot, scopes=["read"])
    for _ in range(2):
        ended = call(tester_client, "POST", f"/keys/{made.pk}/revoke")
        assert (ended.status, ended.body["state"]) == (200, "revoked")
    assert call(with_key(text), "GET", "/keys").status == 401


def test_a_key_ends_itself(bot: Client) -> None:
    made, text = create_key(bot, scopes=["write"])
    assert call(with_key(text), "POST", f"/keys/{made.pk}/revoke").body["state"] == "revoked"
    assert call(with_key(text), "POST", f"/keys/{made.pk}/revoke").status == 401


def test_others_keys_are_not_there(operator_client: Browser, admin_client: Browser, key: ApiKey) -> None:
    assert get(operator_client, "/keys")["total"] == get(operator_client, "/clients")["total"] == 0
    assert call(operator_client, "GET", f"/keys/{key.pk}").status == 404
    assert call(operator_client, "POST", f"/keys/{key.pk}/revoke").status == 404
    key.refresh_from_db()
    assert key.revoked_at is None
    assert get(admin_client, f"/keys/{key.pk}")["client"]["owner"] == "tester"


def test_nobody_comes_in_without_a_key_or_a_session(key: ApiKey) -> None:
    for method, path in (("GET", "/keys"), ("POST", "/keys"), ("GET", f"/keys/{key.pk}"), ("GET", "/clients")):
        assert call(Browser(), method, path).status == 401


def test_a_wrong_method(tester_client: Browser, key: ApiKey) -> None:
    assert call(tester_client, "DELETE", f"/keys/{key.pk}").status == 405
