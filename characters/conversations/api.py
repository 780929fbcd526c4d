"""Importing conversations, for programs."""

from datetime import datetime
from typing import Any, Literal

from ninja import Field, File, Router, Schema, Status
from ninja.errors import HttpError
from ninja.files import UploadedFile
from pydantic import JsonValue

from characters.conversations import exports, imports
from characters.conversations.forms import StartForm
from characters.conversations.imports import import_for
from characters.conversations.models import ConversationImport
from characters.profiles.models import Character
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.jobs.api import JobOut
from kgadmin.jobs.models import Job
from kgadmin.rest.fields import Body, Id, PathId, Slug, Text, checked
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads

router = Router(tags=["imports"])
operators = door("operator")


class ImportOut(Schema):
    """An uploaded export. Until it is started it is a preview of what the file holds."""

    id: int = Field(examples=[2])
    name: str = Field(examples=["chats.jsonl"])
    format: str = Field(examples=["lines"])
    preview: dict[str, JsonValue] = Field(examples=[{"conversations": 3, "user": 40, "assistant": 41, "people": []}])
    character: str | None = Field(None, examples=["elena"])
    person: int | None = Field(None, alias="person_id", examples=[12])
    refused: int = Field(examples=[0], description="Lines that can't be taken.")
    added: int = Field(examples=[81])
    known: int = Field(examples=[0], description="Messages that were there before.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    job: JobOut | None

    @staticmethod
    def resolve_character(row: ConversationImport) -> str | None:
        return row.character.slug if row.character else None

    @staticmethod
    def resolve_refused(row: ConversationImport) -> int:
        return row.refused.count()


class RefusedOut(Schema):
    """A line that can't be taken, and why."""

    line: int = Field(examples=[17])
    reason: str = Field(examples=["not JSON: the line is broken or cut off"])


class StartIn(Body):
    """Whose conversations these are, and with whom: a person's id, somebody `new`, or those whom the `file` names."""

    character: Slug = Field(examples=["elena"])
    who: Id | Literal["new", "file"] = Field(examples=["new"])
    name: Text = Field("", max_length=100, examples=["Mark"], description="Of somebody new only.")


@router.get("/imports", auth=operators, response=reads(Page[ImportOut]), summary="Imports")
def listed(request: ApiRequest, paging: Paging) -> Any:
    """The newest first."""
    return page(ConversationImport.objects.defer("content").select_related("character", "person"), paging)


@router.post("/imports", auth=operators, response=changes(ImportOut, 201), summary="Upload an export")
def upload(request: ApiRequest, file: File[UploadedFile]) -> Status[ConversationImport]:
    """A .jsonl file: one message per line, OpenAI's one conversation per line, or a chat of SillyTavern.

    Nothing is imported before it is started.
    """
    if (file.size or 0) > exports.MAX_BYTES:
        raise HttpError(413, exports.too_large(file.size or 0))
    return Status(201, imports.upload(name=file.name or "import.jsonl", content=file.read(), by=request.user))


@router.get("/imports/{pk}", auth=operators, response=reads(ImportOut), summary="One import")
def one(request: ApiRequest, pk: PathId) -> ConversationImport:
    """What it holds, and how far it is."""
    return import_for(pk)


@router.get("/imports/{pk}/refused", auth=operators, response=reads(Page[RefusedOut]), summary="Refused lines")
def refused(request: ApiRequest, pk: PathId, paging: Paging) -> Any:
    """The lines that can't be taken, and why."""
    return page(import_for(pk).refused.all(), paging)


@router.post("/imports/{pk}/start", auth=operators, response=changes(JobOut, 202), summary="Start an import")
def start(request: ApiRequest, pk: PathId, body: StartIn) -> Status[Job]:
    """Let a worker put it in. What is there already is left out. 409 if it was started before."""
    found = import_for(pk)
    if not found.is_draft:
        raise HttpError(409, "This import was started before. Upload the file again to import it anew.")
    character = Character.objects.filter(slug=body.character).first()
    asked = {"character": character.pk if character else 0, "who": str(body.who), "name": body.name}
    form = StartForm(asked, found=found, user=request.user)
    checked(form)
    job = imports.start(found=found, character=form.cleaned_data["character"], person=form.person(), by=request.user)
    return Status(202, job)


@router.post("/imports/{pk}/again", auth=operators, response=changes(JobOut, 202), summary="Go on with an import")
def again(request: ApiRequest, pk: PathId) -> Status[Job]:
    """After it failed. 409 if it hasn't."""
    found = import_for(pk)
    job = found.job
    if job is None or job.state != Job.State.FAILED:
        raise HttpError(409, "This import hasn't failed, so there is nothing to try again.")
    return Status(202, imports.try_again(found=found, by=request.user))


@router.delete("/imports/{pk}", auth=operators, response=changes(None, 204), summary="Throw an import away")
def discard(request: ApiRequest, pk: PathId) -> Status[None]:
    """A preview, or the record of an import that has ended; what it brought stays. 409 while it is at work."""
    found = import_for(pk)
    if found.job and found.job.is_open:
        raise HttpError(409, "It is still at work. Cancel its job first.")
    found.delete()
    return Status(204, None)
