"""API keys for programs: the list, making one, revoking one."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpResponse
from django.utils.cache import add_never_cache_headers
from ninja import Field, Router, Schema, Status

from kgadmin.accounts import keys
from kgadmin.accounts.doors import ApiRequest, door, door_in_person
from kgadmin.accounts.forms import MOST_A_MINUTE, KeyForm
from kgadmin.accounts.models import ApiKey, Client
from kgadmin.rest.fields import Body, Id, PathId, Text, checked
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads

router = Router(tags=["keys"])

Scope = Literal["chat", "read", "write"]


class ClientOut(Schema):
    """A program that comes in with keys. The people who talk through it belong to it."""

    id: int = Field(examples=[2])
    name: str = Field(examples=["A chat bot"])
    owner: str = Field(examples=["tester"], description="The account as which its keys act.")
    created_at: datetime

    @staticmethod
    def resolve_owner(row: Client) -> str:
        return row.owner.get_username()


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


class KeyIn(Body):
    """A new key, of a program that is there (`client`) or of a new one (`name`, and an administrator's `owner`)."""

    client: Id | None = Field(None, examples=[2])
    name: Text = Field("", max_length=80, examples=["A chat bot"])
    owner: Id | None = Field(None, examples=[4], description="The account as which a new program acts; else yours.")
    scopes: list[Scope] = Field(min_length=1, max_length=3, examples=[["chat"]])
    expires_in_days: Literal[30, 90, 365] | None = Field(90, description="null: never.")
    a_minute: int = Field(60, ge=1, le=MOST_A_MINUTE)
    remembers: bool = True


class MadeKeyOut(Schema):
    """A key with its text, which is told only now, and where OpenAI's clients use it."""

    key: KeyOut
    text: str = Field(examples=["kg-…"])
    address: str = Field(examples=["https://kg.example.org/v1"])


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


@router.post("/keys", auth=door_in_person(), response=changes(MadeKeyOut, 201), summary="Make an API key")
def make(request: ApiRequest, response: HttpResponse, body: KeyIn) -> Status[dict[str, Any]]:
    """It acts with the roles of its program's owner, within its scopes."""
    expires = str(body.expires_in_days or "")
    form = KeyForm(body.dict(exclude={"expires_in_days"}) | {"expires": expires}, user=request.user)
    checked(form)
    key, text = form.make()
    add_never_cache_headers(response)
    return Status(201, {"key": key, "text": text, "address": request.build_absolute_uri("/v1")})


@router.post("/keys/{pk}/revoke", auth=door(), response=changes(KeyOut), summary="Revoke an API key")
def revoke(request: ApiRequest, pk: PathId) -> ApiKey:
    """It is refused from now on; nothing happens to one that was revoked before. A key may end keys, itself, too."""
    keys.revoke(keys.key_for(request.user, pk), by=request.user)
    return keys.key_for(request.user, pk)
