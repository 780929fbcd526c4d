"""The API of facts about people."""

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Query, Router, Schema, Status

from characters.conversations.access import person_for
from characters.memory import facts as services
from characters.people.api import KnownTo, readers
from characters.people.facts import FactView, closed_facts, current_keys, fact_view, views_of
from characters.people.facts import add as add_fact
from characters.people.facts import correct as correct_fact
from characters.people.forms import CorrectionIn, FactIn
from characters.people.pages import fact_of, known_to
from kgadmin.accounts.doors import ApiRequest
from kgadmin.rest.schemas import Page, Paging, PathId, changes, page, reads

router = Router(tags=["people"])


class QuoteOut(Schema):
    """Where a fact was stated: `marked` is the part of the message that states it."""

    message: int = Field(alias="message.pk", examples=[101])
    conversation: int = Field(alias="message.conversation_id", examples=[7])
    at: datetime = Field(alias="message.at")
    before: str = Field(examples=["Hi! "])
    marked: str = Field(examples=["I have a cat called Luna"])
    after: str = Field(examples=[", and she is old."])


class FactOut(Schema):
    """A fact that a character knows about a person. `subject` is the entity it is about, null for the person."""

    id: int = Field(alias="fact.pk", examples=[5])
    character: str = Field(alias="fact.character.slug", examples=["elena"])
    family: str = Field(examples=["family"])
    predicate: str = Field(alias="fact.predicate", examples=["HAS_PET"])
    text: str = Field(alias="fact.text", examples=["Luna"])
    sentence: str = Field(examples=["Mark has a cat called Luna"])
    subject: int | None = Field(None, alias="fact.subject_id", examples=[31])
    object: int = Field(alias="fact.object_id", examples=[30], description="The entity it is about.")
    state: str = Field(alias="fact.state", examples=["current"])
    confidence: float = Field(alias="fact.confidence", examples=[0.9])
    origin: str = Field(alias="fact.origin", examples=["pattern"])
    mentions: int = Field(alias="fact.mentions", examples=[2])
    first_seen: datetime = Field(alias="fact.first_seen")
    last_seen: datetime = Field(alias="fact.last_seen")
    closed_at: datetime | None = Field(None, alias="fact.closed_at")
    quotes: list[QuoteOut] = Field(description="In lists only the newest.")


@router.get("/people/{pk}/facts", auth=readers, response=reads(Page[FactOut]), summary="Facts about a person")
def facts(
    request: ApiRequest,
    pk: PathId,
    paging: Paging,
    character: KnownTo = None,
    state: Query[Literal["current", "closed"]] = "current",
) -> Any:
    """The facts that one character knows: current ones by family, or those that ended, the last one first."""
    person = person_for(request.user, pk)
    known = known_to(person, character)
    closed = closed_facts(person, known).values_list("pk", flat=True)
    part = page(current_keys(person, known) if state == "current" else list(closed), paging)
    return part | {"items": views_of(person, part["items"])}


@router.post("/people/{pk}/facts", auth=readers, response=changes(FactOut, 201), summary="Add a fact")
def add(request: ApiRequest, pk: PathId, body: FactIn, character: KnownTo = None) -> Status[FactView]:
    """Add a fact that no message states. It ends the current fact of a single-valued predicate."""
    person = person_for(request.user, pk, to_write=True)
    return Status(201, fact_view(add_fact(person, known_to(person, character), body, by=request.user)))


@router.get("/people/{pk}/facts/{fact_pk}", auth=readers, response=reads(FactOut), summary="One fact")
def fact(request: ApiRequest, pk: PathId, fact_pk: PathId) -> FactView:
    """With every message that states it."""
    return fact_view(fact_of(person_for(request.user, pk), fact_pk))


@router.put("/people/{pk}/facts/{fact_pk}", auth=readers, response=changes(FactOut), summary="Correct a fact")
def correct(request: ApiRequest, pk: PathId, fact_pk: PathId, body: CorrectionIn) -> FactView:
    """Correct what it says, or whom it is about. The messages that state it stay."""
    row = fact_of(person_for(request.user, pk, to_write=True), fact_pk)
    return fact_view(correct_fact(row, body, by=request.user))


@router.post("/people/{pk}/facts/{fact_pk}/undo", auth=readers, response=changes(FactOut), summary="Undo a correction")
def undo(request: ApiRequest, pk: PathId, fact_pk: PathId) -> FactView:
    """Make it what it was before it was last corrected. 409 if it never was."""
    row = fact_of(person_for(request.user, pk, to_write=True), fact_pk)
    return fact_view(services.undo(fact=row, by=request.user))


@router.delete("/people/{pk}/facts/{fact_pk}", auth=readers, response=changes(None, 204), summary="Forget a fact")
def forget(request: ApiRequest, pk: PathId, fact_pk: PathId) -> Status[None]:
    """Delete it for good; the messages that state it stay."""
    services.forget(fact=fact_of(person_for(request.user, pk, to_write=True), fact_pk), by=request.user)
    return Status(204, None)
