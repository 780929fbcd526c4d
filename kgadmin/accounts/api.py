"""Accounts for programs: who signs in, inviting, roles, switching off, links; and one's own account."""

from datetime import datetime
from typing import Any, Literal

from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpResponse
from django.utils.cache import add_never_cache_headers
from ninja import Field, Router, Schema, Status

from kgadmin.accounts import links, managing
from kgadmin.accounts.doors import ADMINISTRATOR, ApiRequest, door, door_in_person
from kgadmin.accounts.forms import InviteForm, RolesForm
from kgadmin.accounts.links import SwitchedOffError
from kgadmin.accounts.managing import LastAdministratorError, account_for, all_accounts, sets_password
from kgadmin.accounts.models import User
from kgadmin.rest.fields import Body, PathId, Text, checked
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads, refusing

router = Router(tags=["accounts"])
administrators = door(ADMINISTRATOR)
in_person = door_in_person(ADMINISTRATOR)

Role = Literal["author", "operator", "tester"]


class AccountOut(Schema):
    """Somebody who signs in. An administrator has all roles."""

    id: int = Field(examples=[4])
    username: str = Field(examples=["mara"])
    roles: list[str] = Field(examples=[["author"]])
    is_admin: bool = Field(alias="is_superuser", examples=[False])
    state: str = Field(examples=["active"], description="active, invited (without a password yet), switched off.")
    is_demo: bool = Field(examples=[False])
    last_login: datetime | None
    created_at: datetime = Field(alias="date_joined")

    @staticmethod
    def resolve_roles(row: User) -> list[str]:
        return sorted(row.roles)


class RolesIn(Body):
    """All roles that the account is to have; those that aren't named are taken away."""

    roles: list[Role] = Field(max_length=3, examples=[["author"]])
    is_admin: bool = False


class InviteIn(RolesIn):
    """A new account."""

    username: Text = Field(max_length=150, examples=["mara"])


class LinkOut(Schema):
    """A link that sets the account's password: it counts once, for three days, until a newer one is made."""

    account: AccountOut
    link: str = Field(examples=["https://kg.example.org/link/4-abc-def/"])


class PasswordIn(Body):
    """The password that is, and the one that shall be."""

    old_password: Text = Field(max_length=4096, examples=["the old words"])
    new_password: Text = Field(max_length=4096, examples=["the new words of mine"])


@router.get("/accounts", auth=administrators, response=reads(Page[AccountOut]), summary="Accounts")
def accounts(request: ApiRequest, paging: Paging) -> Any:
    """Everybody who signs in; those who are switched off stand last."""
    return page(all_accounts(), paging)


@router.get("/accounts/{pk}", auth=administrators, response=reads(AccountOut), summary="One account")
def account(request: ApiRequest, pk: PathId) -> User:
    """Its roles and state."""
    return account_for(pk)


@router.post("/accounts", auth=in_person, response=changes(LinkOut, 201), summary="Invite somebody")
def invite(request: ApiRequest, response: HttpResponse, body: InviteIn) -> Status[dict[str, Any]]:
    """An account without a password, and the link to hand over, which sets one. The link is told only now."""
    user = managing.invite(**checked(InviteForm(body.dict())), by=request.user)
    return _told(request, response, user)


@router.post("/accounts/{pk}/link", auth=in_person, response=changes(LinkOut, 201), summary="Make a new link")
def new_link(request: ApiRequest, response: HttpResponse, pk: PathId) -> Status[dict[str, Any]]:
    """For somebody who forgot their password. 409 for an account that is switched off."""
    with refusing(SwitchedOffError, status=409):
        return _told(request, response, account_for(pk))


def _told(request: ApiRequest, response: HttpResponse, user: User) -> Status[dict[str, Any]]:
    add_never_cache_headers(response)
    return Status(201, {"account": user, "link": links.new_link(user, request, by=request.user)})


@router.put("/accounts/{pk}/roles", auth=in_person, response=changes(AccountOut), summary="Give roles")
def give_roles(request: ApiRequest, pk: PathId, body: RolesIn) -> User:
    """They count from the next request on. 409 where nobody would be left who gives roles."""
    with refusing(LastAdministratorError, status=409):
        managing.give_roles(account_for(pk), **checked(RolesForm(body.dict())), by=request.user)
    return account_for(pk)


@router.post("/accounts/{pk}/switch-on", auth=in_person, response=changes(AccountOut), summary="Switch an account on")
def switch_on(request: ApiRequest, pk: PathId) -> User:
    """It may sign in again, and its keys count again."""
    managing.switch_on(account_for(pk), by=request.user)
    return account_for(pk)


@router.post(
    "/accounts/{pk}/switch-off", auth=administrators, response=changes(AccountOut), summary="Switch an account off"
)
def switch_off(request: ApiRequest, pk: PathId) -> User:
    """Who is in is out at once, and its keys stop. 409 for the last administrator. A key may do this: it only takes."""
    with refusing(LastAdministratorError, status=409):
        managing.switch_off(account_for(pk), by=request.user)
    return account_for(pk)


@router.get("/account", response=reads(AccountOut), summary="Your own account")
def own(request: ApiRequest) -> User:
    """Who you are here; with a key, its owner."""
    return request.user


@router.put("/account/password", auth=door_in_person(), response=changes(None, 204), summary="Change your password")
def change_password(request: ApiRequest, body: PasswordIn) -> Status[None]:
    """Other browsers are signed out. Attempts are counted with those to sign in: 429 for too many."""
    new = {"new_password1": body.new_password, "new_password2": body.new_password}
    form = PasswordChangeForm(request.user, {"old_password": body.old_password, **new})
    if not sets_password(request, request.user, form):
        checked(form, new_password1="new_password", new_password2="new_password")
    return Status(204, None)
