"""Import and export of characters, for programs."""

from typing import Annotated, Any, Literal

from django.db import transaction
from django.http import Http404, HttpResponse
from ninja import Field, File, Form, Path, Query, Router, Schema, Status
from ninja.files import UploadedFile

from characters.cards import exporting, taking, uploads
from characters.cards.books import Lorebook
from characters.cards.exporting import download, exported_for
from characters.cards.planning import Plan
from characters.cards.uploads import content_of
from characters.profiles.access import character_for, may_edit
from characters.profiles.api import readers
from characters.profiles.models import Character
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.accounts.models import User
from kgadmin.rest.problems import changes, reads
from kgadmin.rest.schemas import Character as Slug
from kgadmin.rest.schemas import Slug as SlugText

router = Router(tags=["characters"])
authors = door("author")

FormName = Annotated[
    Literal[
        "folder",
        "card-v1.json",
        "card-v2.json",
        "card-v3.json",
        "card.png",
        "card.charx",
        "lorebook.json",
        "original",
    ],
    Path(examples=["card-v2.json"]),
]
_FILE = {"schema": {"type": "string", "format": "binary"}}
_CARD = {"schema": {"type": "object"}}
_CONTENT = {kind: _CARD if kind == "application/json" else _FILE for kind in sorted(exporting.content_types())}


class RowOut(Schema):
    """What one part of a file becomes."""

    part: str = Field(examples=["Greeting"])
    becomes: str = Field(examples=["the first message of a new conversation"])
    text: str = Field(examples=["Mind the third step."])


class ImportOut(Schema):
    """What became of a file, or would. `character` is the slug of the character that it went to; null in a preview."""

    character: str | None = Field(None, examples=["ann-holm"])
    name: str = Field(examples=["Ann Holm"])
    rows: list[RowOut]
    notes: list[str] = Field(examples=[[]], description="What is kept and doesn't act, or must be seen to.")


class ImportIn(Schema):
    """Where a lorebook goes."""

    character: SlugText | None = Field(None, examples=["elena"], description="Needed for a lorebook, and only there.")


@router.post("/characters/import", auth=authors, response=changes(ImportOut, 201), summary="Import a character")
def import_character(
    request: ApiRequest,
    file: File[UploadedFile],
    asked: Form[ImportIn],
    preview: Annotated[bool, Query(description="Say what would become of it, and import nothing.")] = False,
) -> Status[dict[str, Any]]:
    """A card (JSON, PNG, CHARX), a lorebook, or a zipped folder. It becomes a draft; nothing is overwritten.

    422 with a sentence for a file that isn't taken.
    """
    character = character_for(request.user, asked.character, to_edit=True) if asked.character else None
    with transaction.atomic():
        content = content_of(file)
        if preview:
            return Status(201, _preview(content, file.name or "", character, request.user))
        row = taking.upload(name=file.name or "", content=content, by=request.user)
        plan = taking.plan_of(row, character)
        taken = taking.take(row, by=request.user, character=character)
    return Status(201, _told(plan, taken.name) | {"character": taken.slug})


def _preview(content: bytes, name: str, character: Character | None, by: User) -> dict[str, Any]:
    found = uploads.opened(content, name)
    if isinstance(found, Lorebook):
        plan = taking.plan_of_lorebook(found, character)
        before = taking.taken_before(content, by=by, character=character)
        return _told(plan, character.name if character else "") | {"notes": [*before, *plan.notes]}
    plan = uploads.planned(found)
    return _told(plan, taking.renamed(plan.sheet).name)


def _told(plan: Plan, name: str) -> dict[str, Any]:
    return {"name": name, "rows": plan.rows, "notes": plan.notes}


@router.get(
    "/characters/{slug}/export/{form}",
    auth=readers,
    response=reads(None),
    openapi_extra={"responses": {200: {"content": _CONTENT}}},
    summary="Export a character",
)
def export(request: ApiRequest, slug: Slug, form: FormName) -> HttpResponse:
    """As a file: the live sheet, or the draft of a character that was never published.

    The original file is for whoever may edit the character: it may hold what was taken out before publishing.
    """
    character = exported_for(request.user, slug)
    file = exporting.file_named(character, form, may_edit=may_edit(request.user, character))
    if file is None:
        raise Http404("There is no original for you: she came from no file, or others write her.")
    return download(file)
