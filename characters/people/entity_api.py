"""The API of entities: the things and people that facts and messages name."""

from datetime import datetime
from typing import Annotated, Any

from django.http import Http404
from ninja import Field, Query, Router, Schema, Status

from characters.conversations.access import person_for
from characters.memory import entities as services
from characters.memory.models import Entity
from characters.people import pages
from characters.people.api import readers
from characters.people.fact_api import FactOut
from characters.people.facts import Moves, fact_views, moves
from characters.people.forms import NameIn
from characters.people.pages import entity_of, mentioning, named
from kgadmin.accounts.doors import ApiRequest
from kgadmin.rest.schemas import MAX_ID, Body, Id, Page, Paging, PathId, Text, changes, page, reads

router = Router(tags=["people"])


class AliasOut(Schema):
    """Another name of an entity."""

    id: int = Field(examples=[2])
    text: str = Field(examples=["my cat"])


class EntityOut(Schema):
    """A thing or somebody that a person spoke of."""

    id: int = Field(examples=[30])
    name: str = Field(examples=["Luna"])
    kind: str = Field(examples=["animal"])
    aliases: list[AliasOut]
    facts: int = Field(alias="fact_count", examples=[2], description="Facts that are current.")
    mentions: int = Field(alias="mention_count", examples=[6])


class EntityFilter(Schema):
    """All are optional."""

    q: Text = Field("", max_length=200, examples=["lun"], description="Part of the name.")


class MergeIn(Body):
    """The entity to merge into."""

    into: Id = Field(examples=[30])


class MentionOut(Schema):
    """A message that names an entity."""

    message: int = Field(alias="pk", examples=[101])
    conversation: int = Field(alias="conversation_id", examples=[7])
    character: str = Field(alias="conversation.character.slug", examples=["elena"])
    role: str = Field(examples=["user"], description="Who said it: user or assistant.")
    text: str = Field(examples=["I have a cat called Luna"])
    at: datetime


class MovesOut(Schema):
    """The effect of a merge. A fact known about both becomes one; facts between the two are removed."""

    names: list[str] = Field(examples=[["Lulu", "the old cat"]])
    mentions: int = Field(examples=[4])
    facts: list[str] = Field(examples=[["Mark has a pet called Lulu"]])


@router.get("/people/{pk}/entities", auth=readers, response=reads(Page[EntityOut]), summary="A person's entities")
def entities(request: ApiRequest, pk: PathId, paging: Paging, asked: Query[EntityFilter]) -> Any:
    """All entities of their facts and messages, the most mentioned first."""
    return page(named(person_for(request.user, pk), asked.q), paging)


@router.get("/people/{pk}/entities/{entity_pk}", auth=readers, response=reads(EntityOut), summary="One entity")
def entity(request: ApiRequest, pk: PathId, entity_pk: PathId) -> Entity:
    """With its names."""
    return entity_of(person_for(request.user, pk), entity_pk)


@router.get(
    "/people/{pk}/entities/{entity_pk}/facts", auth=readers, response=reads(list[FactOut]), summary="An entity's facts"
)
def entity_facts(request: ApiRequest, pk: PathId, entity_pk: PathId) -> Any:
    """Facts that name it, of every character; current ones first."""
    person = person_for(request.user, pk)
    return fact_views(person, pages.facts_naming(entity_of(person, entity_pk)))


@router.patch(
    "/people/{pk}/entities/{entity_pk}", auth=readers, response=changes(EntityOut), summary="Rename an entity"
)
def rename(request: ApiRequest, pk: PathId, entity_pk: PathId, body: NameIn) -> Entity:
    """The old name becomes an alias."""
    person = person_for(request.user, pk, to_write=True)
    services.rename(entity=entity_of(person, entity_pk), name=body.name, by=request.user)
    return entity_of(person, entity_pk)


@router.post(
    "/people/{pk}/entities/{entity_pk}/aliases", auth=readers, response=changes(EntityOut, 201), summary="Add an alias"
)
def add_alias(request: ApiRequest, pk: PathId, entity_pk: PathId, body: NameIn) -> Status[Entity]:
    """Another name by which messages find it."""
    person = person_for(request.user, pk, to_write=True)
    services.add_alias(entity=entity_of(person, entity_pk), text=body.name, by=request.user)
    return Status(201, entity_of(person, entity_pk))


@router.delete(
    "/people/{pk}/entities/{entity_pk}/aliases/{alias_pk}",
    auth=readers,
    response=changes(None, 204),
    summary="Remove an alias",
)
def remove_alias(request: ApiRequest, pk: PathId, entity_pk: PathId, alias_pk: PathId) -> Status[None]:
    """Remove an alias."""
    entity = entity_of(person_for(request.user, pk, to_write=True), entity_pk)
    alias = entity.aliases.filter(pk=alias_pk).first()
    if alias is None:
        raise Http404(f"{entity.name} has no such alias. See the entity's list of aliases.")
    services.remove_alias(alias=alias, by=request.user)
    return Status(204, None)


@router.get(
    "/people/{pk}/entities/{entity_pk}/merge", auth=readers, response=reads(MovesOut), summary="What a merge would move"
)
def merging(
    request: ApiRequest,
    pk: PathId,
    entity_pk: PathId,
    into: Annotated[int, Query(ge=1, le=MAX_ID, examples=[30], description="The entity to merge into.")],
) -> Moves:
    """The effect of merging two entities."""
    person = person_for(request.user, pk, to_write=True)
    return moves(person, entity_of(person, entity_pk), entity_of(person, into))


@router.post(
    "/people/{pk}/entities/{entity_pk}/merge", auth=readers, response=changes(EntityOut), summary="Merge two entities"
)
def merge(request: ApiRequest, pk: PathId, entity_pk: PathId, body: MergeIn) -> Entity:
    """Facts, mentions and names of this one go to `into`, which is the answer."""
    person = person_for(request.user, pk, to_write=True)
    other, into = entity_of(person, entity_pk), entity_of(person, body.into)
    services.merge(into=into, other=other, by=request.user)
    return entity_of(person, into.pk)


@router.get(
    "/people/{pk}/entities/{entity_pk}/mentions",
    auth=readers,
    response=reads(Page[MentionOut]),
    summary="Where an entity is mentioned",
)
def mentions(request: ApiRequest, pk: PathId, entity_pk: PathId, paging: Paging) -> Any:
    """The messages that name it, the newest first."""
    return page(mentioning(entity_of(person_for(request.user, pk), entity_pk)), paging)
