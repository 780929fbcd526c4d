"""API keys through the API: listed and revoked."""

import pytest
from django.test import Client as Browser

from kgadmin.accounts.keys import client_named, create_key
from kgadmin.accounts.models import Client, User
from tests.rest import call, get, with_key


@pytest.fixture
def bot(tester: User) -> Client:
    return client_named("A bot", by=tester)


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
