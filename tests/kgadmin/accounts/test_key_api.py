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
def admin_client(admin: User) -> Browser:
    browser = Browser()
    browser.force_login(admin)
    return browser


def test_a_key_is_made_and_told_once(tester_client: Browser, bot: Client) -> None:
    body = {"client": bot.pk, "scopes": ["chat", "read"], "remembers": False}
    answer = tester_client.post("/api/keys", body, content_type="application/json")
    assert (answer.status_code, answer.json()["address"]) == (201, "http://testserver/v1")
    assert "no-store" in answer.headers["Cache-Control"]
    text = answer.json()["text"]
    key = use(text, "read")
    assert (key.client, key.scopes, key.remembers, key.a_minute) == (bot, ["chat", "read"], False, 60)
    assert key.expires_at is not None
    assert timedelta(days=89) < key.expires_at - timezone.now() <= timedelta(days=90)
    listed = get(tester_client, "/keys")
    assert [each["prefix"] for each in listed["items"]] == [text[:9]]
    assert text not in str(listed)


def test_nobody_but_administrators_makes_keys_for_others(
    admin_client: Browser, operator_client: Browser, tester: User, bot: Client
) -> None:
    for body, place in (({"name": "x", "owner": tester.pk}, "owner"), ({"client": bot.pk}, "client")):
        answer = call(operator_client, "POST", "/keys", {**body, "scopes": ["chat"]})
        assert (answer.status, answer.body["errors"][0]["loc"]) == (422, ["body", place])
    assert (ApiKey.objects.count(), Client.objects.count()) == (0, 1)
    theirs = {"name": "Theirs", "owner": tester.pk, "scopes": ["chat"]}
    assert call(admin_client, "POST", "/keys", theirs).body["key"]["client"]["owner"] == "tester"


def test_a_key_ends_at_once_when_it_is_revoked_by_its_owner_or_itself(tester_client: Browser, bot: Client) -> None:
    made, text = create_key(bot, scopes=["write"], by=None)
    assert call(with_key(text), "POST", f"/keys/{made.pk}/revoke").body["state"] == "revoked"
    assert call(with_key(text), "POST", f"/keys/{made.pk}/revoke").status == 401
    made, text = create_key(bot, scopes=["read"], by=None)
    for _ in range(2):
        ended = call(tester_client, "POST", f"/keys/{made.pk}/revoke")
        assert (ended.status, ended.body["state"]) == (200, "revoked")
    assert call(with_key(text), "GET", "/keys").status == 401


def test_others_keys_are_in_no_list_but_an_administrators(
    operator_client: Browser, admin_client: Browser, bot: Client
) -> None:
    key, _ = create_key(bot, scopes=["chat"], by=None)
    assert get(operator_client, "/keys")["total"] == get(operator_client, "/clients")["total"] == 0
    assert get(admin_client, "/keys")["total"] == get(admin_client, "/clients")["total"] == 1
    assert get(admin_client, f"/keys/{key.pk}")["client"]["owner"] == "tester"
