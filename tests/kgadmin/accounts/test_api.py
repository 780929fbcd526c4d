"""Accounts through the API: seen, and switched off."""

from django.test import Client

from kgadmin.accounts.models import User
from tests.rest import call, get


def test_an_account_is_switched_off(admin_client: Client, author: User, author_client: Client) -> None:
    assert get(admin_client, f"/accounts/{author.pk}")["state"] == "active"
    assert call(admin_client, "POST", f"/accounts/{author.pk}/switch-off").body["state"] == "switched off"
    assert call(author_client, "GET", "/account").status == 401
