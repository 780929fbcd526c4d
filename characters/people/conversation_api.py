"""What people said, for programs: reading it, and forgetting it."""

from datetime import datetime
from typing import Any

from ninja import Field, Router, Schema, Status

from characters.conversations.access import person_for
from characters.memory import forgetting
from characters.people import pages
from characters.people.api import readers
from characters.people.pages import conversation_of
from kgadmin.accounts.doors import ApiRequest
from kgadmin.rest.problems import changes, reads
from kgadmin.rest.schemas import Page, Paging, PathId, page

router = Router(tags=["people"])


class SaidOut(Schema):
    """What one side said."""

    id: int = Field(examples=[101])
    answers: int | None = Field(None, alias="parent_id", examples=[100], description="The message before it.")
    role: str = Field(examples=["user"])
    text: str = Field(examples=["I have a cat called Luna."])
    at: datetime
    remembered: bool = Field(alias="is_in_history", examples=[True])


class HeldOut(Schema):
    """What one person and one character said to each other. A sandbox is remembered by nobody."""

    id: int = Field(examples=[7])
    character: str = Field(alias="character.slug", examples=["elena"])
    title: str = Field(examples=["I have a cat called Luna."])
    sandbox: bool = Field(examples=[False])
    imported: bool = Field(alias="is_imported", examples=[False])
    outside_id: str = Field(examples=[""])
    messages: int = Field(alias="message_count", examples=[8])
    created_at: datetime
    updated_at: datetime


@router.get(
    "/people/{pk}/conversations", auth=readers, response=reads(Page[HeldOut]), summary="A person's conversations"
)
def conversations(request: ApiRequest, pk: PathId, paging: Paging) -> Any:
    """Remembered, imported or in a sandbox; the newest first."""
    return page(pages.conversations_of(person_for(request.user, pk)), paging)


@router.get(
    "/people/{pk}/conversations/{conversation_pk}/messages",
    auth=readers,
    response=reads(Page[SaidOut]),
    summary="What was said",
)
def messages(request: ApiRequest, pk: PathId, conversation_pk: PathId, paging: Paging) -> Any:
    """All messages of one conversation, every branch of it, in their order."""
    found = conversation_of(person_for(request.user, pk), conversation_pk)
    return page(found.messages.defer("vector").order_by("pk"), paging)


@router.delete(
    "/people/{pk}/conversations/{conversation_pk}",
    auth=readers,
    response=changes(None, 204),
    summary="Forget a conversation",
)
def forget(request: ApiRequest, pk: PathId, conversation_pk: PathId) -> Status[None]:
    """With the facts that were said nowhere else."""
    found = conversation_of(person_for(request.user, pk, to_write=True), conversation_pk)
    forgetting.forget_conversation(found, by=request.user)
    return Status(204, None)
