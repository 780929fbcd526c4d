"""Accounts through the API: what administrators do, one's own account, and that no key gives anybody a way in."""

from urllib.parse import urlsplit

import pytest
from django.test import Client

from kgadmin.accounts.keys import client_named, create_key
from kgadmin.accounts.models import User
from tests.fixtures.people import PASSWORD
from tests.rest import call, get, with_key

NEW = "another long password"


@pytest.fixture
def admin_client(admin: User) -> Client:
    client = Client()
    client.force_login(admin)
    return client


@pytest.fixture
def admin_key(admin: User) -> Client:
    """A script of the administrator's, with every scope."""
    return with_key(create_key(client_named("A script", by=admin), scopes=["chat", "read", "write"], by=None)[1])


def set_password(link: str, password: str) -> int:
    path = urlsplit(link).path
    return int(Client().post(path, {"new_password1": password, "new_password2": password}).status_code)


def test_an_invitation_is_a_link_that_sets_the_password_once_and_that_no_proxy_keeps(admin_client: Client) -> None:
    body: dict[str, object] = {"username": "mara", "roles": ["author"]}
    answer = admin_client.post("/api/accounts", body, content_type="application/json")
    assert (answer.status_code, "no-store" in answer.headers["Cache-Control"]) == (201, True)
    made, link = answer.json()["account"], answer.json()["link"]
    assert (made["state"], made["roles"]) == ("invited", ["author"])
    assert set_password(link, NEW) == 302
    assert set_password(link, "a third password") == 410
    assert get(admin_client, f"/accounts/{made['id']}")["state"] == "active"


def test_roles_are_given_and_taken(admin_client: Client, author: User) -> None:
    given = call(admin_client, "PUT", f"/accounts/{author.pk}/roles", {"roles": ["tester", "operator"]})
    assert (given.status, given.body["roles"], given.body["is_admin"]) == (200, ["operator", "tester"], False)
    assert call(admin_client, "PUT", f"/accounts/{author.pk}/roles", {"roles": [], "is_admin": True}).body["is_admin"]


def test_an_account_is_switched_off_and_on(admin_client: Client, author: User, author_client: Client) -> None:
    off = call(admin_client, "POST", f"/accounts/{author.pk}/switch-off")
    assert off.body["state"] == "switched off"
    assert call(author_client, "GET", "/account").status == 401
    refused = call(admin_client, "POST", f"/accounts/{author.pk}/link")
    assert (refused.status, "Switch it on first" in refused.detail) == (409, True)
    assert call(admin_client, "POST", f"/accounts/{author.pk}/switch-on").body["state"] == "active"
    assert set_password(call(admin_client, "POST", f"/accounts/{author.pk}/link").body["link"], NEW) == 302


def test_no_key_whatever_its_scopes_gives_anybody_a_way_in(admin_key: Client, admin: User, outsider: User) -> None:
    admin_key.login(username="admin", password=PASSWORD)  # nor does a cookie beside it help
    ways: list[tuple[str, str, object]] = [
        ("POST", "/accounts", {"username": "eve", "roles": [], "is_admin": True}),
        ("PUT", f"/accounts/{outsider.pk}/roles", {"roles": [], "is_admin": True}),
        ("POST", f"/accounts/{outsider.pk}/link", None),
        ("POST", f"/accounts/{outsider.pk}/switch-on", None),
        ("PUT", "/account/password", {"old_password": PASSWORD, "new_password": NEW}),
        ("POST", "/keys", {"name": "Another", "scopes": ["write"]}),
    ]
    for method, path, body in ways:
        answer = call(admin_key, method, path, body)
        assert (answer.status, "by somebody who is signed in" in answer.detail) == (403, True), path
    outsider.refresh_from_db()
    admin.refresh_from_db()
    assert (User.objects.count(), outsider.is_superuser, outsider.links_made) == (2, False, 0)
    assert admin.check_password(PASSWORD)
    assert admin.clients.get().keys.count() == 1


def test_one_changes_ones_password_and_stays_signed_in(tester: User, tester_client: Client) -> None:
    elsewhere = Client()
    elsewhere.force_login(tester)
    body = {"old_password": PASSWORD, "new_password": NEW}
    assert call(tester_client, "PUT", "/account/password", body).status == 204
    tester.refresh_from_db()
    assert tester.check_password(NEW)
    assert get(tester_client, "/account")["username"] == "tester"
    assert call(elsewhere, "GET", "/account").status == 401


def test_nobody_guesses_a_password_from_a_browser_that_was_left_open(tester: User, tester_client: Client) -> None:
    for guess in range(5):
        body = {"old_password": f"guess {guess}", "new_password": NEW}
        assert call(tester_client, "PUT", "/account/password", body).status == 422
    right = {"old_password": PASSWORD, "new_password": NEW}
    answer = call(tester_client, "PUT", "/account/password", right)
    assert (answer.status, "Try again in" in answer.detail) == (429, True)
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    page = tester_client.post("/account/password/", form)
    assert (page.status_code, "Too many attempts" in page.content.decode()) == (429, True)
    tester.refresh_from_db()
    assert tester.check_password(PASSWORD)
