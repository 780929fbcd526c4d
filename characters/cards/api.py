"""API of import and export."""

from dataclasses import replace
from typing import Annotated, Literal

from django.db import transaction
from django.http import HttpResponse
from ninja import Field, File, Form, Path, Query, Router, Schema, Status
from ninja.files import UploadedFile

from characters.cards import exports, imports
from characters.cards.exports import ANY_CONTENT, FORMATS
from characters.cards.imports import content_of
from characters.cards.plan import Plan
from characters.profiles.access import character_for
from characters.profiles.api import readers
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.schemas import Character as Slug
from kgadmin.rest.schemas import Slug as SlugText
from kgadmin.rest.schemas import changes, reads

router = Router(tags=["characters"])
authors = door("author")

FormName = Annotated[
    Literal[
        "folder", "card-v1.json", "card-v2.json", "card-v3.json", "card.png", "card.charx", "lorebook.json", "original"
    ],
    Path(examples=["card-v2.json"]),
]
_FILE = {"schema": {"type": "string", "format": "binary"}}
_CARD = {"schema": {"type": "object"}}
_CONTENT = {
    kind: _CARD if kind == "application/json" else _FILE
    for kind in sorted({ANY_CONTENT, *(each.content_type for each in FORMATS.values())})
}


class RowOut(Schema):
    """What one part of a file becomes."""

    part: str = Field(examples=["Greeting"])
    becomes: str = Field(examples=["the first message of a new conversation"])
    text: str = Field(examples=["Mind the third step."])


class CardImportOut(Schema):
    """What a file became, or would become. `character` is the slug of the character it went to; null in a preview."""

    character: str | None = Field(examples=["ann-holm"])
    name: str = Field(alias="sheet.name", examples=["Ann Holm"])
    rows: list[RowOut]
    notes: list[str] = Field(examples=[[]], description="What has no effect, or needs attention.")


class ImportIn(Schema):
    """Where a lorebook goes."""

    character: SlugText | None = Field(
        None, examples=["elena"], description="Required for a lorebook; not allowed otherwise."
    )


@router.post("/characters/import", auth=authors, response=changes(CardImportOut, 201), summary="Import a character")
def import_character(
    request: ApiRequest,
    file: File[UploadedFile],
    asked: Form[ImportIn],
    preview: Annotated[bool, Query(description="Only preview the import.")] = False,
) -> Status[Plan]:
    """A card (JSON, PNG, CHARX), a lorebook, or a zipped folder. It becomes a draft; nothing is overwritten."""
    character = character_for(request.user, asked.character, to_edit=True) if asked.character else None
    content, name = content_of(file), file.name or ""
    plan = imports.plan_of_file(content, name, character)
    if preview:
        return Status(201, plan)
    with transaction.atomic():
        row = imports.upload(name=name, content=content, by=request.user)
        taken = imports.take(row, by=request.user, character=character)
    return Status(201, replace(plan, character=taken.slug))


@router.get(
    "/characters/{slug}/export/{form}",
    auth=readers,
    response=reads(None),
    openapi_extra={"responses": {200: {"content": _CONTENT}}},
    summary="Export a character",
)
def export(request: ApiRequest, slug: Slug, form: FormName) -> HttpResponse:
    """The live sheet as a file; the draft, if nothing was published. The original is for the character's editors."""
    return exports.file_for(request.user, slug, form).response()
