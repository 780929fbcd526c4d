"""The API of exploring what a character remembers about something."""

from collections.abc import Sequence
from typing import Annotated

from django.http import Http404
from ninja import Field, Query, Router, Schema

from characters.conversations.access import person_for
from characters.conversations.models import Person
from characters.memory.models import Entity
from characters.people import exploration
from characters.people.api import KnownTo, readers
from characters.people.exploration import Exploration, Walk
from characters.people.fact_api import QuoteOut
from characters.people.pages import known_to
from characters.profiles.models import Character
from kgadmin.accounts.doors import ApiRequest
from kgadmin.rest.actions import Refused
from kgadmin.rest.schemas import PathId, Text, reads

router = Router(tags=["people"])
MOST_NAMED = 10


class NodeOut(Schema):
    """The person, or one of their entities."""

    id: str = Field(examples=["entity:30"])
    name: str = Field(examples=["Luna"])
    open: bool = Field(examples=[True], description="Whether all its neighbours are here.")


class EdgeOut(Schema):
    """A fact, or two things that were mentioned together."""

    id: str = Field(alias="edge.id", examples=["user_fact:5"])
    subject: str = Field(alias="edge.subject", examples=["person:12"])
    object: str = Field(alias="edge.object", examples=["entity:30"])
    predicate: str = Field(alias="edge.predicate", examples=["has pet"])
    sentence: str = Field(alias="edge.sentence", examples=["Mark has a cat called Luna"])
    note: str = Field(examples=["came up 2 times, last on 3 May 2026"])


class BehindOut(Schema):
    """The messages behind an edge, the newest first; `more` of them aren't listed."""

    sentence: str = Field(examples=["Mark has a cat called Luna"])
    quotes: list[QuoteOut]
    more: int = Field(examples=[0])
    by_hand: bool = Field(examples=[False], description="Added by an operator, so that there may be no message.")


class ExploredOut(Schema):
    """What a character remembers around an entity."""

    character: str = Field(alias="walk.character.slug", examples=["elena"])
    about: NodeOut = Field(alias="middle")
    nodes: list[NodeOut] = Field(alias="reached")
    edges: list[EdgeOut] = Field(alias="rows")
    is_full: bool = Field(
        alias="explored.is_full",
        examples=[False],
        description=f"Whether there are more than {exploration.MAX_NODES}.",
    )
    behind: BehindOut | None = Field(None, description="Messages behind the requested edge.")


NodeId = Annotated[str, Field(pattern=r"^(entity|person):[0-9]{1,18}$")]


class ExploreFilter(Schema):
    """How far the walk goes, and which edge it explains; all are optional."""

    hops: int = Field(1, ge=1, le=exploration.MAX_HOPS)
    open: list[NodeId] = Field(
        [], max_length=exploration.MAX_OPEN, description="Further nodes to open: entities, or the person.",
        examples=[["person:12"]],
    )  # fmt: skip
    edge: Text = Field("", max_length=60, examples=["user_fact:5"], description="The edge whose messages to show.")


@router.get("/people/{pk}/explore", auth=readers, response=reads(ExploredOut), summary="Explore what is remembered")
def explore(
    request: ApiRequest,
    pk: PathId,
    about: Annotated[Text, Query(min_length=1, max_length=200, examples=["Luna"], description="A name, or an id.")],
    asked: Query[ExploreFilter],
    character: KnownTo = None,
) -> Exploration:
    """A walk through the graph from an entity. 404 if the character knows no such entity, 409 for several."""
    person = person_for(request.user, pk)
    known = known_to(person, character)
    query = {"hops": str(asked.hops), "open": ",".join(asked.open), "edge": asked.edge}
    return exploration.explore(Walk.of(query, person, known, _the_one(about, person, known)))


def _the_one(about: str, person: Person, character: Character) -> Entity:
    known = exploration.known_entities(person, character)
    fitting = exploration.entities_for(about, known)
    if len(fitting) > 1:
        raise Refused(f"“{about}” may be several entities. Ask by id: {_listed(fitting)}.", status=409)
    if not fitting:
        near = _listed(exploration.suggested(about, known)[:MOST_NAMED])
        sentence = f"{character.name} knows no “{about}” of {person.name}."
        raise Http404(f"{sentence} {f'Similar: {near}.' if near else 'See the list of entities.'}")
    return fitting[0]


def _listed(entities: Sequence[Entity]) -> str:
    return ", ".join(f"{each.name} ({each.pk})" for each in entities)
