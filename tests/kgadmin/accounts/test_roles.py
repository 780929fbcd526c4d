"""Who may do what."""

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from kgadmin.accounts.models import ROLES, User
from kgadmin.accounts.roles import has_role, role_required, roles_of


@role_required("operator", "author")
def view(request: HttpRequest, number: int) -> HttpResponse:
    return HttpResponse(f"seen {number}")


@role_required("operator")
async def async_view(request: HttpRequest, number: int) -> HttpResponse:
    return HttpResponse(f"seen {number}")


def request_of(user: User) -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = user
    return request


def test_a_view_lets_through_who_has_one_of_its_roles_and_refuses_others_with_a_sentence(
    operator: User, author: User, tester: User
) -> None:
    assert view(request_of(operator), 1).content == b"seen 1"
    assert view(request_of(author), number=2).content == b"seen 2"
    with pytest.raises(PermissionDenied, match="for the role operator or author"):
        view(request_of(tester), 1)


def test_an_async_view_is_guarded_too(operator: User, tester: User) -> None:
    assert async_to_sync(async_view)(request_of(operator), 3).content == b"seen 3"
    with pytest.raises(PermissionDenied, match="for the role operator"):
        async_to_sync(async_view)(request_of(tester), 3)


def test_an_administrator_has_every_role_and_nobody_and_a_switched_off_account_none(
    admin: User, operator: User
) -> None:
    assert roles_of(admin) == set(ROLES)
    assert view(request_of(admin), 1).status_code == 200
    operator.is_active = False
    assert roles_of(operator) == set()
    assert not has_role(AnonymousUser(), "tester")
