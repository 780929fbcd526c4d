"""API with which programs write characters: drafts, publishing, revisions, trying a question."""

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Field, Query, Router, Schema, Status
from pydantic import JsonValue

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit, YamlText
from characters.authoring.editing import revisions
from characters.authoring.trial import try_question
from characters.profiles import comparison, documents
from characters.profiles import services as profiles
from characters.profiles.access import character_for, may_edit, revision_of
from characters.profiles.api import CharacterOut, RevisionOut
from characters.profiles.comparison import Changes
from characters.profiles.models import Character, Draft, Revision
from characters.profiles.services import MAX_NOTE
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.schemas import Body, PathId, Text, reads
from kgadmin.rest.schemas import Character as Slug
from kgadmin.rest.schemas import changes as changing

router = Router(tags=["drafts"])
authors = door("author")
readers = door("author", "operator", "tester")
CHARACTER = "/characters/{slug}"
KEY = r"^(live|draft|[0-9]{1,9})$"
"""Pattern of what names a sheet: "live", "draft" or a revision's number."""
Version = Annotated[int | None, Query(ge=0, le=2**31 - 1)]


class EditIn(Body):
    """A new value for a part of the sheet: "identity", "fact:f7", "default persona", "fact order" ... null removes a
    row. A persona's `default` is ignored.
    """

    part: Text = Field(max_length=200, examples=["fact:f7"])
    value: JsonValue = Field(examples=[{"id": "f7", "predicate": "LIKES", "object": "Fog", "questions": []}])


class EditsIn(Body):
    """All edits are saved, or none. `version` is the draft's version that you saw: 409 if it has changed since."""

    version: int | None = Field(None, ge=0, le=2**31 - 1, examples=[7])
    edits: list[EditIn] = Field(max_length=documents.MAX_FACTS)


class DraftOut(Schema):
    """What a character's authors are writing. No turn reads it."""

    version: int = Field(examples=[7])
    updated_at: datetime
    updated_by: str | None = Field(None, alias="updated_by.username", examples=["author"])
    published: bool = Field(alias="is_published", examples=[False], description="Whether the live sheet is the same.")
    sheet: dict[str, JsonValue] = Field(
        alias="document", examples=[{"name": "Elena", "identity": "You are {{char}}.", "facts": []}]
    )


class YamlOut(Schema):
    """The background of the draft at `version`, as YAML; `problems` are those of a text that can't be read yet."""

    version: int = Field(examples=[7])
    yaml: str = Field(examples=["name: Elena\nfacts: []\n"])
    problems: list[str] = Field(examples=[[]])


class YamlIn(Body):
    """A background as YAML, for the draft that was seen at `version`."""

    version: int = Field(ge=0, le=2**31 - 1, examples=[7])
    yaml: Text = Field(examples=["name: Elena\nfacts: []\n"])


class PublishIn(Body):
    """Publishes the draft as it was seen at `version`."""

    version: int = Field(ge=0, le=2**31 - 1, examples=[7])
    note: Text = Field("", max_length=MAX_NOTE, examples=["Her new boat"])


class PieceOut(Schema):
    """A stretch of two texts: in both, or in one of them."""

    kind: Literal["same", "added", "removed"] = Field(examples=["added"])
    text: str = Field(examples=["Fog"])


class FactChangeOut(Schema):
    """A fact before and after; null where it isn't there."""

    id: str = Field(examples=["f7"])
    before: dict[str, JsonValue] | None = Field(examples=[None])
    after: dict[str, JsonValue] | None = Field(examples=[{"id": "f7", "predicate": "LIKES", "object": "Fog"}])


class PartChangeOut(Schema):
    """Another part of the sheet, word by word."""

    part: str = Field(alias="name", examples=["identity"])
    pieces: list[PieceOut]


class ChangesOut(Schema):
    """What is different between two sheets."""

    facts: list[FactChangeOut] = Field(alias="fact_changes")
    parts: list[PartChangeOut] = Field(alias="elsewhere")


class TriedFactOut(Schema):
    """A fact that would come up, or nearly did; `why` says why it was dropped."""

    id: str = Field(examples=["f7"])
    sentence: str = Field(examples=["I like fog."])
    score: float = Field(examples=[0.87])
    relevance: str = Field(examples=["high"])
    lexical: float = Field(examples=[0.4])
    semantic: float = Field(examples=[0.8])
    concept: float = Field(examples=[1.0])
    why: str = Field(examples=[""])


class TriedOut(Schema):
    """What a question would bring into the prompt. `skipped` says why nothing would."""

    used: list[TriedFactOut]
    dropped: list[TriedFactOut]
    threshold: float = Field(examples=[0.34])
    gate: str = Field(examples=["it says “you”"])
    skipped: str = Field(examples=[""])


@router.post(f"{CHARACTER}/clone", auth=authors, response=changing(CharacterOut, 201), summary="Copy a character")
def clone(request: ApiRequest, slug: Slug) -> Status[Character]:
    """The copy is yours, and isn't published."""
    character = character_for(request.user, slug)
    made = profiles.clone(character, by=request.user, may_see_draft=may_edit(request.user, character))
    return Status(201, made)


@router.post(f"{CHARACTER}/archive", auth=authors, response=changing(CharacterOut), summary="Archive a character")
def archive(request: ApiRequest, slug: Slug) -> Character:
    """Nobody can talk to it; nothing is deleted."""
    profiles.archive(character_for(request.user, slug, to_share=True), by=request.user)
    return character_for(request.user, slug)


@router.post(f"{CHARACTER}/restore", auth=authors, response=changing(CharacterOut), summary="Unarchive a character")
def restore(request: ApiRequest, slug: Slug) -> Character:
    """Take the character out of the archive."""
    profiles.restore(character_for(request.user, slug, to_share=True), by=request.user)
    return character_for(request.user, slug)


@router.get(f"{CHARACTER}/draft", auth=authors, response=reads(DraftOut), summary="The draft")
def draft(request: ApiRequest, slug: Slug) -> Draft:
    """The draft as it stands."""
    return drafts.draft_of(_editable(request, slug))


@router.patch(f"{CHARACTER}/draft", auth=authors, response=changing(DraftOut), summary="Change the draft")
def change(request: ApiRequest, slug: Slug, body: EditsIn) -> Draft:
    """All edits are saved, or none; you are the writer for a minute. 409, with until when, while somebody else is."""
    edits = [Edit(each.part, each.value) for each in body.edits]
    return drafts.save(_editable(request, slug), edits, by=request.user, version=body.version)


@router.delete(f"{CHARACTER}/draft", auth=authors, response=changing(DraftOut), summary="Discard the draft")
def discard(request: ApiRequest, slug: Slug, version: Version = None) -> Draft:
    """Reset the draft to the live sheet. 409 if somebody else writes it, or it has changed since `version`."""
    return drafts.discard(_editable(request, slug), by=request.user, version=version)


@router.get(f"{CHARACTER}/draft/yaml", auth=authors, response=reads(YamlOut), summary="The draft as YAML")
def yaml(request: ApiRequest, slug: Slug) -> YamlText:
    """The draft's background, with its author's comments and order."""
    return drafts.yaml_of(drafts.draft_of(_editable(request, slug)))


@router.put(f"{CHARACTER}/draft/yaml", auth=authors, response=changing(YamlOut), summary="Write the YAML")
def write_yaml(request: ApiRequest, slug: Slug, body: YamlIn) -> YamlText:
    """422 with line and column if it can't be read; the text is kept. 409 as for any change of the draft."""
    draft = drafts.save_yaml(_editable(request, slug), body.yaml, by=request.user, version=body.version)
    return drafts.yaml_of(draft)


@router.post(f"{CHARACTER}/publish", auth=authors, response=changing(RevisionOut, 201), summary="Publish")
def publish(request: ApiRequest, slug: Slug, body: PublishIn) -> Status[Revision]:
    """Make it live. 409 if it changed since `version`, 422 if it isn't fit or the character is archived."""
    character = _editable(request, slug)
    return Status(201, drafts.publish_draft(character, version=body.version, by=request.user, note=body.note))


@router.post(
    f"{CHARACTER}/revisions/{{number}}/revert",
    auth=authors,
    response=changing(RevisionOut, 201),
    summary="Revert to a sheet",
)
def revert(request: ApiRequest, slug: Slug, number: PathId) -> Status[Revision]:
    """Publish it as a new revision. A draft with unpublished changes stays. 422 if archived, or the sheet is unfit."""
    character = _editable(request, slug)
    return Status(201, drafts.revert(character, revision_of(character, number), by=request.user))


@router.get(f"{CHARACTER}/changes", auth=readers, response=reads(ChangesOut), summary="Compare two sheets")
def compared(
    request: ApiRequest,
    slug: Slug,
    before: Annotated[str, Query(alias="from", pattern=KEY, examples=["3"])] = "live",
    after: Annotated[str, Query(alias="to", pattern=KEY, examples=["draft"])] = "live",
) -> Changes:
    """Each is a revision's number, `live`, or (for whoever may edit the character) `draft`."""
    character = character_for(request.user, slug)
    edits = may_edit(request.user, character)
    old, new = (revisions.side(character, key, may_see_draft=edits).sheet for key in (before, after))
    return comparison.changes(old, new)


@router.get(f"{CHARACTER}/try", auth=authors, response=reads(TriedOut), summary="Try a question")
def try_it(
    request: ApiRequest,
    slug: Slug,
    question: Annotated[Text, Query(min_length=1, max_length=500, examples=["How is your family?"])],
    of: Annotated[Literal["draft", "live"], Query(examples=["draft"])] = "draft",
) -> Any:
    """Which facts would come up. Nothing is written."""
    character = _editable(request, slug)
    sheet = revisions.side(character, of, may_see_draft=True).sheet
    return try_question(sheet, question, character=character)


def _editable(request: ApiRequest, slug: str) -> Character:
    return character_for(request.user, slug, to_edit=True)
