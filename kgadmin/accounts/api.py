"""The API of accounts and API keys: listing, switching off and revoking. Everything else is done on the pages."""

from datetime import datetime
from typing import Any

from ninja import Field, Router, Schema

from kgadmin.accounts import keys, services
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.accounts.models import ApiKey, User
from kgadmin.accounts.roles import ADMINISTRATOR
from kgadmin.accounts.services import account_for, all_accounts
from kgadmin.rest.schemas import Page, Paging, PathId, changes, page, reads

router = Router(tags=["accounts"])
keys_router = Router(tags=["keys"])
administrators = door(ADMINISTRATOR)


class AccountOut(Schema):
    """An account that signs in. An administrator has all roles."""

    id: int = Field(examples=[4])
    username: str = Field(examples=["mara"])
    roles: list[str] = Field(examples=[["author"]])
    is_admin: bool = Field(alias="is_superuser", examples=[False])
    state: str = Field(examples=["active"], description="active, invited (no password yet), disabled.")
    is_demo: bool = Field(examples=[False])
    last_login: datetime | None
    created_at: datetime = Field(alias="date_joined")

    @staticmethod
    def resolve_roles(row: User) -> list[str]:
        return sorted(row.roles)


@router.get("/accounts", auth=administrators, response=reads(Page[AccountOut]), summary="Accounts")
def accounts(request: ApiRequest, paging: Paging) -> Any:
    """All accounts; those switched off are last."""
    return page(all_accounts(), paging)


@router.post(
    "/accounts/{pk}/switch-off", auth=administrators, response=changes(AccountOut), summary="Disable an account"
)
def switch_off(request: ApiRequest, pk: PathId) -> User:
    """Its sessions and keys end at once. 409 for the last administrator. A key may do this, since it only removes
    rights.
    """
    services.switch(account_for(pk), on=False, by=request.user)
    return account_for(pk)


@router.get("/account", response=reads(AccountOut), summary="Your own account")
def own_account(request: ApiRequest) -> User:
    """Your account; with a key, its owner's."""
    return request.user


class ClientOut(Schema):
    """A program that uses keys. The people who talk through it belong to it."""

    id: int = Field(examples=[2])
    name: str = Field(examples=["A chat bot"])
    owner: str = Field(alias="owner.username", examples=["tester"], description="The account that its keys act as.")
    created_at: datetime


class KeyOut(Schema):
    """A key. Only its first characters are stored."""

    id: int = Field(examples=[9])
    client: ClientOut
    prefix: str = Field(examples=["kg-aB3xY9"])
    scopes: list[str] = Field(examples=[["chat"]])
    state: str = Field(examples=["in use"], description="in use, expired, revoked.")
    a_minute: int = Field(examples=[60], description="Requests per minute.")
    speaks_for: str = Field(examples=["request"], description="request, headers, person, nobody (no memory).")
    person: str = Field(examples=[""], description="Who speaks through a key of one person.")
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


@keys_router.get("/keys", response=reads(Page[KeyOut]), summary="API keys")
def api_keys(request: ApiRequest, paging: Paging) -> Any:
    """The keys of your programs, the newest first; for an administrator all."""
    return page(keys.keys_for(request.user), paging)


@keys_router.post("/keys/{pk}/revoke", response=changes(KeyOut), summary="Revoke an API key")
def revoke(request: ApiRequest, pk: PathId) -> ApiKey:
    """It is refused from now on; a revoked key stays as it is. A key may revoke keys, itself included."""
    keys.revoke(keys.key_for(request.user, pk), by=request.user)
    return keys.key_for(request.user, pk)
