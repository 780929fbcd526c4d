"""The API of which characters may use a knowledge base."""

from ninja import Field, Router, Schema

from characters.profiles import bases
from characters.profiles.bases import Scope
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.knowledge.access import base_for
from kgadmin.rest.schemas import Base, Body, Slug, changes, reads

router = Router(tags=["knowledge"])


class ScopeOut(Schema):
    """Which characters may use a base: all, or these."""

    for_everyone: bool = Field(examples=[False])
    characters: list[str] = Field(alias="slugs", examples=[["elena"]], description="Of those that you may see.")


class ScopeIn(Body):
    """All characters, or at least one."""

    for_everyone: bool = Field(False, examples=[False])
    characters: list[Slug] = Field([], examples=[["elena"]])


@router.get(
    "/knowledge-bases/{slug}/characters",
    auth=door("operator", "author", "tester"),
    response=reads(ScopeOut),
    summary="Who may use a base",
)
def scope(request: ApiRequest, slug: Base) -> Scope:
    """The characters whose turns search it."""
    return bases.scope_of(base_for(request.user, slug), request.user)


@router.put(
    "/knowledge-bases/{slug}/characters",
    auth=door("operator"),
    response=changes(ScopeOut),
    summary="Set who may use a base",
)
def set_scope(request: ApiRequest, slug: Base, body: ScopeIn) -> Scope:
    """The base of an imported lorebook belongs to its character: this is refused."""
    base = base_for(request.user, slug, to_write=True)
    bases.set_scope(base, for_everyone=body.for_everyone, slugs=body.characters, by=request.user)
    return bases.scope_of(base, request.user)
