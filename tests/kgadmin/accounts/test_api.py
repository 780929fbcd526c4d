"""Accounts through the API: seen, and switched off."""

import pytest
from django.test import Client

from kgadmin.accounts.models import User
from tests.rest import call, get

NEW = "another long password"


@pytest.fixture
def admin_client(admin: User) -> Client:
    client = Client()
    client.force_login(admin)
    return client


def test_an_account_is_switched_off(admin_client: Client, author: User, author_client: Client) -> None:
    assert get(admin_client, f"/accounts/{author.pk}")["state"] == "active"
    assert call(admin_client, "POST", f"/accounts/{author.pk}/switch-off").body["state"] == "switched off"
    assert call(author_client, "GET", "/account").status == 401


def test_the_last_administrator_stays_one(admin: User, admin_client: Client) -> None:
    refused = call(admin_client, "POST", f"/accounts/{admin.pk}/switch-off")
    assert (refused.status, "last administrator" in refused.detail) == (409, True)
