"""The API of characters: their sheets and revisions, who may edit or read them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Field, Path, Router, Schema, Status
from pydantic import AfterValidator, JsonValue

from characters.profiles import access, documents, folder, services
from characters.profiles.access import AS, Sharing, character_for, characters_for, revision_of, sharing
from characters.profiles.models import Character, Member, Predicate, Revision
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.schemas import Body, Page, Paging, PathId, Text, changes, page, reads, storable
from kgadmin.rest.schemas import Character as Slug

router = Router(tags=["characters"])
readers = door("author", "operator", "tester")
authors = door("author")


class CharacterOut(Schema):
    """A character. `revision` is the number of the live one, null if it was never published."""

    id: int = Field(examples=[3])
    slug: str = Field(examples=["elena"])
    name: str = Field(examples=["Elena Rodriguez"])
    tagline: str = Field(examples=["I am a marine biologist"])
    owner: str | None = Field(None, alias="owner.username", examples=["author"])
    revision: int | None = Field(None, alias="live_revision.number", examples=[4])
    archived: bool = Field(False, examples=[False], description="Whether it is archived: nobody can talk to it.")
    created_at: datetime

    @staticmethod
    def resolve_archived(row: Character) -> bool:
        return row.archived_at is not None


class NewIn(Body):
    """A new character. `template` is one of those on the page of new characters."""

    name: Text = Field(min_length=1, max_length=documents.MAX_NAME, examples=["Bo Lind"])
    template: Literal["blank", "friend", "guide", "hero"] = Field("blank", examples=["blank"])


class SheetFactOut(Schema):
    """A fact about the character, and its sentence in a prompt."""

    id: str = Field(alias="fact.id", examples=["f7"])
    predicate: str = Field(alias="fact.predicate", examples=["HAS_FATHER"])
    object: str = Field(alias="fact.object", examples=["Commercial fisherman turned restaurant owner"])
    family: str = Field(examples=["family"])
    sentence: str = Field(examples=["My father: commercial fisherman turned restaurant owner"])


class RevisionOut(Schema):
    """A sheet that never changes."""

    number: int = Field(examples=[4])
    note: str = Field(examples=["The new boat"])
    created_by: str | None = Field(None, alias="created_by.username", examples=["author"])
    created_at: datetime
    live: bool = Field(alias="is_live", examples=[True])


class SheetOut(Schema):
    """A character's sheet: identity, facts, personas, anchors, concepts, settings."""

    character: CharacterOut
    revision: RevisionOut
    identity: str = Field(examples=["You are Elena, a marine biologist."])
    facts: list[SheetFactOut]
    personas: list[dict[str, JsonValue]] = Field(examples=[[{"slug": "teacher", "name": "Teacher", "default": True}]])
    anchors: list[str] = Field(examples=[["the sea"]])
    concepts: list[dict[str, JsonValue]] = Field(examples=[[{"name": "career", "predicates": ["PUBLISHED_PAPER"]}]])
    nickname: str = Field(examples=["Ellie"], description="Replaces {{char}}, if not empty.")
    system_prompt: str = Field(examples=["Answer as {{char}}."])
    post_history_instructions: str = Field(examples=["Stay in character."])
    example_messages: str = Field(examples=["<START>\n{{user}}: Hi\n{{char}}: Hello."])
    greetings: list[str] = Field(examples=[["Hello, who are you?"]])
    lore: list[dict[str, JsonValue]] = Field(examples=[[{"id": "l1", "keys": ["fog"], "content": "It comes at four."}]])
    settings: dict[str, JsonValue] = Field(
        examples=[{"pronouns": "she", "stages_off": [], "questions": ["Who taught you to dive?"]}]
    )


class FolderOut(Schema):
    """A sheet in its folder form: the texts of both files, as `manage.py publish_character` reads them."""

    identity: str = Field(description="character.md", examples=["You are Elena, a marine biologist.\n"])
    background: str = Field(description="background.yaml", examples=["name: Elena\nfacts: []\n"])


Username = Annotated[str, AfterValidator(storable), Path(max_length=150, examples=["tester"])]


class MemberOut(Schema):
    """An account that may edit the character (editor), or read it (viewer)."""

    username: str = Field(alias="user.username", examples=["tester"])
    role: str = Field(examples=["viewer"])


class SharingOut(Schema):
    """Who may do what with a character. `accounts` and `authors` are those you could name if you may share it."""

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


@router.get("/characters", auth=readers, response=reads(Page[CharacterOut]), summary="Characters")
def characters(request: ApiRequest, paging: Paging) -> Any:
    """All that you may see."""
    return page(characters_for(request.user), paging)


@router.post("/characters", auth=authors, response=changes(CharacterOut, 201), summary="Create a character")
def begin(request: ApiRequest, body: NewIn) -> Status[Character]:
    """Blank or from a template. Nobody can talk to it before its draft is published."""
    return Status(201, services.begin(name=body.name, sheet=services.TEMPLATES[body.template][1], by=request.user))


@router.get("/characters/{slug}", auth=readers, response=reads(SheetOut), summary="One character")
def character(request: ApiRequest, slug: Slug) -> dict[str, Any]:
    """With the live sheet. 404 for a character that was never published."""
    return _sheet(revision_of(character_for(request.user, slug)))


@router.get(
    "/characters/{slug}/revisions", auth=readers, response=reads(Page[RevisionOut]), summary="A character's revisions"
)
def revisions(request: ApiRequest, slug: Slug, paging: Paging) -> Any:
    """The newest first."""
    rows = character_for(request.user, slug).revisions.defer("vectors", "document").select_related("created_by")
    return page(rows, paging)


@router.get(
    "/characters/{slug}/revisions/{number}", auth=readers, response=reads(SheetOut), summary="Sheet of a revision"
)
def revision(request: ApiRequest, slug: Slug, number: PathId) -> dict[str, Any]:
    """One revision, live or older."""
    return _sheet(revision_of(character_for(request.user, slug), number))


@router.get("/characters/{slug}/folder", auth=readers, response=reads(FolderOut), summary="A sheet as a folder")
def folder_form(request: ApiRequest, slug: Slug) -> dict[str, str]:
    """The live sheet as `character.md` and `background.yaml`."""
    texts = folder.texts_of(revision_of(character_for(request.user, slug)).sheet)
    return {"identity": texts[folder.IDENTITY_FILE], "background": texts[folder.BACKGROUND_FILE]}


@router.get("/characters/{slug}/sharing", auth=readers, response=reads(SharingOut), summary="Access to a character")
def who_may(request: ApiRequest, slug: Slug) -> Sharing:
    """The owner, editors and viewers. Administrators can do everything; testers talk to every published character."""
    return sharing(request.user, character_for(request.user, slug))


@router.put("/characters/{slug}/members/{username}", auth=authors, response=changes(MemberOut), summary="Grant access")
def share(request: ApiRequest, slug: Slug, username: Username, body: RoleIn) -> Member:
    """As an editor or a viewer, replacing the role it had. Only the character's owner may, or a key of theirs."""
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
    """To another author; the previous owner stays an editor, and can't take it back."""
    character = character_for(request.user, slug, to_share=True)
    access.hand_over(character=character, to=access.account_named(body.username), by=request.user)
    return sharing(request.user, character_for(request.user, slug))


def _sheet(revision: Revision) -> dict[str, Any]:
    facts = documents.fact_rows(revision.sheet, Predicate.objects.registry())
    return documents.dump(revision.sheet) | {"character": revision.character, "revision": revision, "facts": facts}
