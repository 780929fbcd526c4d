"""API keys for programs: the list, and revoking one. Making one takes somebody on the page."""

from datetime import datetime
from typing import Any

from ninja import Field, Router, Schema

from kgadmin.accounts import keys
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.accounts.models import ApiKey
from kgadmin.rest.fields import PathId
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads

router = Router(tags=["keys"])


class ClientOut(Schema):
    """A program that comes in with keys. The people who talk through it belong to it."""

    id: int = Field(examples=[2])
    name: str = Field(examples=["A chat bot"])
    owner: str = Field(alias="owner.username", examples=["tester"], description="The account as which its keys act.")
    created_at: datetime


class KeyOut(Schema):
    """A key. Only its first characters are known here."""

    id: int = Field(examples=[9])
    client: ClientOut
    prefix: str = Field(examples=["kg-aB3xY9"])
    scopes: list[str] = Field(examples=[["chat"]])
    state: str = Field(examples=["in use"], description="in use, expired, revoked.")
    a_minute: int = Field(examples=[60], description="Requests that are answered in a minute.")
    remembers: bool = Field(examples=[True], description="Whether its conversations are remembered.")
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


@router.get("/clients", response=reads(Page[ClientOut]), summary="Programs")
def clients(request: ApiRequest, paging: Paging) -> Any:
    """Your own; an administrator's are all."""
    return page(keys.clients_for(request.user).select_related("owner"), paging)


@router.get("/keys", response=reads(Page[KeyOut]), summary="API keys")
def api_keys(request: ApiRequest, paging: Paging) -> Any:
    """Those of your programs, the newest first; an administrator's are all."""
    return page(keys.keys_for(request.user), paging)


@router.get("/keys/{pk}", response=reads(KeyOut), summary="One API key")
def api_key(request: ApiRequest, pk: PathId) -> ApiKey:
    """What it may do, and when it was used last."""
    return keys.key_for(request.user, pk)


@router.post("/keys/{pk}/revoke", auth=door(), response=changes(KeyOut), summary="Revoke an API key")
def revoke(request: ApiRequest, pk: PathId) -> ApiKey:
    """It is refused from now on; nothing happens to one that was revoked before. A key may end keys, itself, too."""
    keys.revoke(keys.key_for(request.user, pk), by=request.user)
    return keys.key_for(request.user, pk)
