from datetime import datetime
from typing import Any

from ninja import Field, File, Router, Schema, Status
from ninja.files import UploadedFile
from pydantic import JsonValue

from characters.conversations import imports
from characters.conversations.imports import StartIn, import_for
from characters.conversations.models import ConversationImport
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.jobs.api import JobOut
from kgadmin.jobs.models import Job
from kgadmin.rest.schemas import Page, Paging, PathId, changes, page, reads

router = Router(tags=["imports"])
operators = door("operator")


class ConversationImportOut(Schema):
    """An uploaded export. Until it is started it is a preview of the file."""

    id: int = Field(examples=[2])
    name: str = Field(examples=["chats.jsonl"])
    format: str = Field(examples=["lines"])
    preview: dict[str, JsonValue] = Field(examples=[{"conversations": 3, "user": 40, "assistant": 41, "people": []}])
    character: str | None = Field(None, alias="character.slug", examples=["elena"])
    person: int | None = Field(None, alias="person_id", examples=[12])
    refused: int = Field(alias="refused.count", examples=[0], description="Lines that can't be imported.")
    added: int = Field(examples=[81])
    known: int = Field(examples=[0], description="Messages that were already there.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    job: JobOut | None


class RefusedOut(Schema):
    """A refused line, and the reason."""

    line: int = Field(examples=[17])
    reason: str = Field(examples=["not JSON: the line is broken or cut off"])


@router.get("/imports", auth=operators, response=reads(Page[ConversationImportOut]), summary="Imports")
def listed(request: ApiRequest, paging: Paging) -> Any:
    """The newest first."""
    return page(ConversationImport.objects.defer("content").select_related("character", "person"), paging)


@router.post("/imports", auth=operators, response=changes(ConversationImportOut, 201), summary="Upload an export")
def upload(request: ApiRequest, file: File[UploadedFile]) -> Status[ConversationImport]:
    """A .jsonl file: one message per line, or a chat of SillyTavern. Nothing is imported before it is started."""
    return Status(201, imports.take(file, by=request.user))


@router.get("/imports/{pk}", auth=operators, response=reads(ConversationImportOut), summary="One import")
def detail(request: ApiRequest, pk: PathId) -> ConversationImport:
    """Its preview, and its progress."""
    return import_for(pk)


@router.get("/imports/{pk}/refused", auth=operators, response=reads(Page[RefusedOut]), summary="Refused lines")
def refused(request: ApiRequest, pk: PathId, paging: Paging) -> Any:
    """The refused lines, with the reasons."""
    return page(import_for(pk).refused.all(), paging)


@router.post("/imports/{pk}/start", auth=operators, response=changes(JobOut, 202), summary="Start an import")
def start(request: ApiRequest, pk: PathId, body: StartIn) -> Status[Job]:
    """Start the job; messages that were imported before are skipped. 409 if it was started before."""
    return Status(202, imports.start_as_asked(import_for(pk), body, by=request.user))


@router.delete("/imports/{pk}", auth=operators, response=changes(None, 204), summary="Discard an import")
def discard(request: ApiRequest, pk: PathId) -> Status[None]:
    """Delete a preview, or the record of an import that has ended; imported messages stay. 409 while it runs."""
    imports.discard(import_for(pk))
    return Status(204, None)
