"""What people's facts and messages name, for programs; and exploring what is remembered about it."""

from typing import Annotated, Any

from django.http import Http404
from ninja import Field, Query, Router, Schema, Status
from ninja.errors import HttpError

from characters.conversations.access import person_for
from characters.memory import entities as services
from characters.memory.entities import EntityError
from characters.memory.models import Alias, Entity
from characters.people import exploring, finding, pages
from characters.people.api import KnownTo, known_to, readers
from characters.people.entity_views import entity_of, named
from characters.people.exploring import Exploration
from characters.people.fact_api import FactOut, shown
from characters.people.fact_views import fact_views
from characters.people.forms import NameForm
from kgadmin.accounts.doors import ApiRequest
from kgadmin.rest.fields import Body, Id, PathId, Text, checked
from kgadmin.rest.paging import Page, Paging, page
from kgadmin.rest.problems import changes, reads, refusing

router = Router(tags=["people"])


class AliasOut(Schema):
    """Another name of an entity."""

    id: int = Field(examples=[2])
    text: str = Field(examples=["my cat"])


class EntityOut(Schema):
    """Something or somebody that a person spoke of."""

    id: int = Field(examples=[30])
    name: str = Field(examples=["Luna"])
    kind: str = Field(examples=["animal"])
    aliases: list[AliasOut]
    facts: int = Field(alias="fact_count", examples=[2], description="Those that hold today.")
    mentions: int = Field(alias="mention_count", examples=[6])

    @staticmethod
    def resolve_aliases(row: Entity) -> list[Alias]:
        return list(row.aliases.all())


class EntityFilter(Schema):
    """Everything may be left out."""

    q: Text = Field("", max_length=200, examples=["lun"], description="A part of the name.")


class NameIn(Body):
    """A name of an entity, its first or another one."""

    name: Text = Field(max_length=200, examples=["Luna"])


class MergeIn(Body):
    """The entity that both become."""

    into: Id = Field(examples=[30])


class NodeOut(Schema):
    """The person, or an entity of theirs."""

    id: str = Field(examples=["entity:30"])
    name: str = Field(examples=["Luna"])


class EdgeOut(Schema):
    """A fact, or that two things came up together."""

    id: str = Field(examples=["user_fact:5"])
    subject: str = Field(examples=["person:12"])
    object: str = Field(examples=["entity:30"])
    predicate: str = Field(examples=["has pet"])
    sentence: str = Field(examples=["Mark has a cat called Luna"])
    note: str = Field(examples=["came up 2 times, last on 3 May 2026"])


class ExploredOut(Schema):
    """What a character remembers around an entity."""

    character: str = Field(examples=["elena"])
    about: NodeOut
    nodes: list[NodeOut]
    edges: list[EdgeOut]


@router.get("/people/{pk}/entities", auth=readers, response=reads(Page[EntityOut]), summary="A person's entities")
def entities(request: ApiRequest, pk: PathId, paging: Paging, asked: Query[EntityFilter]) -> Any:
    """Everything that their facts and messages name, what comes up most first."""
    return page(named(person_for(request.user, pk), asked.q), paging)


@router.get("/people/{pk}/entities/{entity_pk}", auth=readers, response=reads(EntityOut), summary="One entity")
def entity(request: ApiRequest, pk: PathId, entity_pk: PathId) -> Entity:
    """With its names."""
    return entity_of(person_for(request.user, pk), entity_pk)


@router.get(
    "/people/{pk}/entities/{entity_pk}/facts", auth=readers, response=reads(list[FactOut]), summary="An entity's facts"
)
def entity_facts(request: ApiRequest, pk: PathId, entity_pk: PathId) -> Any:
    """Those that name it, to whichever character; today's first."""
    found = person_for(request.user, pk)
    return [shown(view) for view in fact_views(found, pages.facts_naming(entity_of(found, entity_pk)))]


@router.patch(
    "/people/{pk}/entities/{entity_pk}", auth=readers, response=changes(EntityOut), summary="Rename an entity"
)
def rename(request: ApiRequest, pk: PathId, entity_pk: PathId, body: NameIn) -> Entity:
    """The old name becomes an alias."""
    found = person_for(request.user, pk, to_write=True)
    name = checked(NameForm(body.dict()))["name"]
    with refusing(EntityError):
        services.rename(entity=entity_of(found, entity_pk), name=name, by=request.user)
    return entity_of(found, entity_pk)


@router.post(
    "/people/{pk}/entities/{entity_pk}/aliases", auth=readers, response=changes(EntityOut, 201), summary="Add an alias"
)
def add_alias(request: ApiRequest, pk: PathId, entity_pk: PathId, body: NameIn) -> Status[Entity]:
    """A further name by which messages find it."""
    found = person_for(request.user, pk, to_write=True)
    name = checked(NameForm(body.dict()))["name"]
    with refusing(EntityError):
        services.add_alias(entity=entity_of(found, entity_pk), text=name, by=request.user)
    return Status(201, entity_of(found, entity_pk))


@router.delete(
    "/people/{pk}/entities/{entity_pk}/aliases/{alias_pk}",
    auth=readers,
    response=changes(None, 204),
    summary="Remove an alias",
)
def remove_alias(request: ApiRequest, pk: PathId, entity_pk: PathId, alias_pk: PathId) -> Status[None]:
    """Take a further name away."""
    found = entity_of(person_for(request.user, pk, to_write=True), entity_pk)
    alias = found.aliases.filter(pk=alias_pk).first()
    if alias is None:
        raise Http404(f"{found.name} has no such alias. The entity lists those that it has.")
    services.remove_alias(alias=alias, by=request.user)
    return Status(204, None)


@router.post(
    "/people/{pk}/entities/{entity_pk}/merge", auth=readers, response=changes(EntityOut), summary="Merge two entities"
)
def merge(request: ApiRequest, pk: PathId, entity_pk: PathId, body: MergeIn) -> Entity:
    """Both are one: facts, mentions and names of this one go to `into`, which is the answer."""
    found = person_for(request.user, pk, to_write=True)
    other, into = entity_of(found, entity_pk), entity_of(found, body.into)
    with refusing(EntityError):
        services.merge(into=into, other=other, by=request.user)
    return entity_of(found, into.pk)


@router.get("/people/{pk}/explore", auth=readers, response=reads(ExploredOut), summary="Explore what is remembered")
def explore(
    request: ApiRequest,
    pk: PathId,
    about: Annotated[Text, Query(min_length=1, max_length=200, examples=["Luna"], description="A name, or an id.")],
    character: KnownTo = None,
    hops: Annotated[int, Query(ge=1, le=exploring.MAX_HOPS)] = 1,
) -> dict[str, Any]:
    """A walk through the graph from an entity. 404 if the character knows nothing of that name, 409 for several."""
    found = person_for(request.user, pk)
    known = known_to(found, character)
    fitting = finding.asked_about(about, finding.known_entities(found, known))
    if not fitting:
        raise Http404(f"{known.name} knows nothing called “{about}” of {found.name}. The list of entities has all.")
    if len(fitting) > 1:
        names = ", ".join(f"{each.name} ({each.pk})" for each in fitting)
        raise HttpError(409, f"“{about}” may be one of several. Ask by id: {names}.")
    return _explored(exploring.explore(exploring.Asked(found, known, fitting[0], hops)))


def _explored(found: Exploration) -> dict[str, Any]:
    about = found.asked.about
    return {
        "character": found.asked.character.slug,
        "about": {"id": about.graph_id, "name": about.name},
        "nodes": [{"id": id_, "name": found.names[id_]} for id_ in found.nodes],
        "edges": [
            {
                "id": edge.id,
                "subject": edge.subject,
                "object": edge.object,
                "predicate": edge.predicate,
                "sentence": edge.sentence,
                "note": note,
            }
            for edge, note in found.rows
        ],
    }
