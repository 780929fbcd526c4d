"""Who may edit or read a character, for programs."""

from typing import Annotated, Literal

from ninja import Field, Path, Router, Schema, Status
from pydantic import AfterValidator

from characters.profiles import access
from characters.profiles.access import AS, Sharing, character_for, sharing
from characters.profiles.api import readers
from characters.profiles.models import Member
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.problems import changes, reads
from kgadmin.rest.schemas import Body, Text, storable
from kgadmin.rest.schemas import Character as Slug

router = Router(tags=["characters"])
authors = door("author")

Username = Annotated[str, AfterValidator(storable), Path(max_length=150, examples=["tester"])]


class MemberOut(Schema):
    """An account that may edit the character (editor), or read it (viewer)."""

    username: str = Field(alias="user.username", examples=["tester"])
    role: str = Field(examples=["viewer"])


class SharingOut(Schema):
    """Who may what with a character. `accounts` and `authors` are those that you could name, if you may share it."""

    owner: str | None = Field(alias="owner.username", examples=["author"])
    members: list[MemberOut]
    may_edit: bool = Field(examples=[True], description="Whether you can edit it.")
    may_share: bool = Field(examples=[True], description="Whether you can change who may edit.")
    accounts: list[str] = Field(examples=[["bea", "tester"]])
    authors: list[str] = Field(examples=[["bea"]])


class RoleIn(Body):
    """Editors change the character and read it, viewers read it."""

    role: Literal["editor", "viewer"]


class OwnerIn(Body):
    """An author."""

    username: Text = Field(max_length=150, examples=["bea"])


@router.get("/characters/{slug}/sharing", auth=readers, response=reads(SharingOut), summary="Access to a character")
def who_may(request: ApiRequest, slug: Slug) -> Sharing:
    """The owner, editors and viewers. Administrators can do everything; testers talk to every published character."""
    return sharing(request.user, character_for(request.user, slug))


@router.put("/characters/{slug}/members/{username}", auth=authors, response=changes(MemberOut), summary="Grant access")
def share(request: ApiRequest, slug: Slug, username: Username, body: RoleIn) -> Member:
    """As an editor or a viewer, whatever it was before. The character's owner does this, or a key of theirs."""
    character = character_for(request.user, slug, to_share=True)
    user = access.account_named(username)
    return access.share(character=character, user=user, may_edit=AS[body.role], by=request.user)


@router.delete(
    "/characters/{slug}/members/{username}", auth=authors, response=changes(None, 204), summary="Revoke access"
)
def unshare(request: ApiRequest, slug: Slug, username: Username) -> Status[None]:
    """Take an editor or viewer off the list. 404 for an account that isn't on it."""
    character = character_for(request.user, slug, to_share=True)
    access.unshare(character=character, username=username, by=request.user)
    return Status(204, None)


@router.put("/characters/{slug}/owner", auth=authors, response=changes(SharingOut), summary="Transfer a character")
def hand_over(request: ApiRequest, slug: Slug, body: OwnerIn) -> Sharing:
    """To another author; who owned it stays an editor, and can't take it back."""
    character = character_for(request.user, slug, to_share=True)
    access.hand_over(character=character, to=access.account_named(body.username), by=request.user)
    return sharing(request.user, character_for(request.user, slug))
