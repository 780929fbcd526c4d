"""Facts about people, for programs."""

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Query, Router, Schema, Status

from characters.conversations.access import person_for
from characters.memory import facts as services
from characters.memory.models import UserFact
from characters.people.api import KnownTo, known_to, readers
from characters.people.facts import ALL_QUOTES, FactView, Quote, closed_facts, current_keys, fact_views, views_of
from characters.people.forms import CorrectionForm, FactForm
from characters.people.pages import fact_of
from kgadmin.accounts.doors import ApiRequest
from kgadmin.rest.fields import Body, Id, PathId, Text, checked
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads

router = Router(tags=["people"])


class QuoteOut(Schema):
    """Where a fact was said: `marked` is the part of the message that says it."""

    message: int = Field(examples=[101])
    conversation: int = Field(examples=[7])
    at: datetime
    before: str = Field(examples=["Hi! "])
    marked: str = Field(examples=["I have a cat called Luna"])
    after: str = Field(examples=[", and she is old."])


class FactOut(Schema):
    """What a character knows of a person. `subject` is the entity that it is about, null where it is the person."""

    id: int = Field(examples=[5])
    character: str = Field(examples=["elena"])
    family: str = Field(examples=["family"])
    predicate: str = Field(examples=["HAS_PET"])
    text: str = Field(examples=["Luna"])
    sentence: str = Field(examples=["Mark has a cat called Luna"])
    subject: int | None = Field(None, examples=[31])
    object: int = Field(examples=[30], description="An entity.")
    state: str = Field(examples=["current"])
    confidence: float = Field(examples=[0.9])
    origin: str = Field(examples=["pattern"])
    mentions: int = Field(examples=[2])
    first_seen: datetime
    last_seen: datetime
    closed_at: datetime | None = None
    quotes: list[QuoteOut] = Field(description="In lists the newest one.")


class FactIn(Body):
    """A fact that nobody said: about the person, or about an entity of theirs."""

    predicate: Text = Field(max_length=60, examples=["LIVES_IN"])
    text: Text = Field(max_length=300, examples=["Lisbon"])
    subject: Id | None = Field(None, examples=[30])


class CorrectionIn(Body):
    """What the fact should say."""

    predicate: Text | None = Field(None, max_length=60, examples=["LIVES_IN"])
    text: Text = Field(max_length=300, examples=["Porto"])


def quoted(quote: Quote) -> dict[str, Any]:
    """For a `QuoteOut`."""
    parts = {"before": quote.before, "marked": quote.marked, "after": quote.after}
    return parts | {
        "message": quote.message.pk,
        "conversation": quote.message.conversation_id,
        "at": quote.message.at,
    }


def shown(view: FactView) -> dict[str, Any]:
    """A fact for a `FactOut`."""
    fact = view.fact
    names = "predicate text state confidence origin mentions first_seen last_seen closed_at".split()
    return {name: getattr(fact, name) for name in names} | {
        "id": fact.pk,
        "character": fact.character.slug,
        "family": view.family,
        "sentence": view.sentence,
        "subject": fact.subject_id,
        "object": fact.object_id,
        "quotes": [quoted(quote) for quote in view.quotes],
    }


def _whole(fact: UserFact) -> dict[str, Any]:
    (view,) = fact_views(fact.person, UserFact.objects.filter(pk=fact.pk), quotes=ALL_QUOTES)
    return shown(view)


@router.get("/people/{pk}/facts", auth=readers, response=reads(Page[FactOut]), summary="Facts about a person")
def facts(
    request: ApiRequest,
    pk: PathId,
    paging: Paging,
    character: KnownTo = None,
    state: Query[Literal["current", "closed"]] = "current",
) -> Any:
    """What one character knows: what holds today by family, or what held once, the last that ended first."""
    found = person_for(request.user, pk)
    known = known_to(found, character)
    keys = (
        current_keys(found, known)
        if state == "current"
        else list(closed_facts(found, known).values_list("pk", flat=True))
    )
    part = page(keys, paging)
    return part | {"items": [shown(view) for view in views_of(found, part["items"])]}


@router.post("/people/{pk}/facts", auth=readers, response=changes(FactOut, 201), summary="Add a fact")
def add(request: ApiRequest, pk: PathId, body: FactIn, character: KnownTo = None) -> Status[dict[str, Any]]:
    """Let a character know something that nobody said. Of a single-valued predicate it ends the one before."""
    found = person_for(request.user, pk, to_write=True)
    known = known_to(found, character)
    values = checked(FactForm(body.dict(), person=found, entities=found.entities.all()))
    subject = found.entities.filter(pk=values.pop("subject")).first()
    return Status(201, _whole(services.add(person=found, character=known, subject=subject, by=request.user, **values)))


@router.get("/people/{pk}/facts/{fact_pk}", auth=readers, response=reads(FactOut), summary="One fact")
def fact(request: ApiRequest, pk: PathId, fact_pk: PathId) -> dict[str, Any]:
    """With every message that says it."""
    return _whole(fact_of(person_for(request.user, pk), fact_pk))


@router.put("/people/{pk}/facts/{fact_pk}", auth=readers, response=changes(FactOut), summary="Correct a fact")
def correct(request: ApiRequest, pk: PathId, fact_pk: PathId, body: CorrectionIn) -> dict[str, Any]:
    """What is right instead. The messages that say it stay."""
    row = fact_of(person_for(request.user, pk, to_write=True), fact_pk)
    asked = {"predicate": body.predicate or row.predicate, "text": body.text}
    values = checked(CorrectionForm(asked, fact=row))
    services.correct(fact=row, by=request.user, **values)
    return _whole(row)


@router.delete("/people/{pk}/facts/{fact_pk}", auth=readers, response=changes(None, 204), summary="Forget a fact")
def forget(request: ApiRequest, pk: PathId, fact_pk: PathId) -> Status[None]:
    """For good; what was said stays said."""
    services.forget(fact=fact_of(person_for(request.user, pk, to_write=True), fact_pk), by=request.user)
    return Status(204, None)
