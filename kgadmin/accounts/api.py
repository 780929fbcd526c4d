"""Accounts for programs: who signs in, switching off, and one's own account. All else is done on the pages."""

from datetime import datetime
from typing import Any

from ninja import Field, Router, Schema

from kgadmin.accounts import managing
from kgadmin.accounts.doors import ADMINISTRATOR, ApiRequest, door
from kgadmin.accounts.managing import account_for, all_accounts
from kgadmin.accounts.models import User
from kgadmin.rest.fields import PathId
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads

router = Router(tags=["accounts"])
administrators = door(ADMINISTRATOR)


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


@router.get("/accounts", auth=administrators, response=reads(Page[AccountOut]), summary="Accounts")
def accounts(request: ApiRequest, paging: Paging) -> Any:
    """Everybody who signs in; those who are switched off stand last."""
    return page(all_accounts(), paging)


@router.get("/accounts/{pk}", auth=administrators, response=reads(AccountOut), summary="One account")
def account(request: ApiRequest, pk: PathId) -> User:
    """Its roles and state."""
    return account_for(pk)


@router.post(
    "/accounts/{pk}/switch-off", auth=administrators, response=changes(AccountOut), summary="Switch an account off"
)
def switch_off(request: ApiRequest, pk: PathId) -> User:
    """Who is in is out at once, and its keys stop. 409 for the last administrator. A key may do this: it only takes."""
    managing.switch_off(account_for(pk), by=request.user)
    return account_for(pk)


@router.get("/account", response=reads(AccountOut), summary="Your own account")
def own(request: ApiRequest) -> User:
    """Who you are here; with a key, its owner."""
    return request.user
