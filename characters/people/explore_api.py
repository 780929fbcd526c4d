"""Exploring what a character remembers about something, for programs."""

from collections.abc import Sequence
from typing import Annotated, Any

from django.http import Http404
from ninja import Field, Query, Router, Schema
from ninja.errors import HttpError

from characters.conversations.access import person_for
from characters.conversations.models import Person
from characters.memory.models import Entity
from characters.people import exploring, finding
from characters.people.api import KnownTo, known_to, readers
from characters.people.drawing import Edge
from characters.people.exploring import Asked, Behind, Exploration
from characters.people.fact_api import QuoteOut, quoted
from characters.profiles.models import Character
from kgadmin.accounts.doors import ApiRequest
from kgadmin.rest.fields import PathId, Text
from kgadmin.rest.problems import reads

router = Router(tags=["people"])
MOST_NAMED = 10


class NodeOut(Schema):
    """The person, or an entity of theirs."""

    id: str = Field(examples=["entity:30"])
    name: str = Field(examples=["Luna"])
    open: bool = Field(examples=[True], description="Whether all that hangs on it is here.")


class EdgeOut(Schema):
    """A fact, or that two things came up together."""

    id: str = Field(examples=["user_fact:5"])
    subject: str = Field(examples=["person:12"])
    object: str = Field(examples=["entity:30"])
    predicate: str = Field(examples=["has pet"])
    sentence: str = Field(examples=["Mark has a cat called Luna"])
    note: str = Field(examples=["came up 2 times, last on 3 May 2026"])


class BehindOut(Schema):
    """The messages behind an edge, the newest first; `more` of them aren't told."""

    sentence: str = Field(examples=["Mark has a cat called Luna"])
    quotes: list[QuoteOut]
    more: int = Field(examples=[0])
    by_hand: bool = Field(examples=[False], description="Written by somebody, so that there may be no message.")


class ExploredOut(Schema):
    """What a character remembers around an entity."""

    character: str = Field(examples=["elena"])
    about: NodeOut
    nodes: list[NodeOut]
    edges: list[EdgeOut]
    is_full: bool = Field(examples=[False], description=f"Whether there is more than {exploring.MAX_NODES} nodes.")
    behind: BehindOut | None = Field(None, description="Of the edge that was asked for.")


NodeId = Annotated[str, Field(pattern=r"^(entity|person):[0-9]{1,18}$")]


class ExploreFilter(Schema):
    """How far the walk goes, and what is looked at."""

    hops: int = Field(1, ge=1, le=exploring.MAX_HOPS)
    open: list[NodeId] = Field(
        [], max_length=exploring.MAX_OPEN, description="Nodes to open, too: entities, or the person.",
        examples=[["person:12"]],
    )  # fmt: skip
    edge: Text = Field("", max_length=60, examples=["user_fact:5"], description="The edge whose messages are wanted.")


@router.get("/people/{pk}/explore", auth=readers, response=reads(ExploredOut), summary="Explore what is remembered")
def explore(
    request: ApiRequest,
    pk: PathId,
    about: Annotated[Text, Query(min_length=1, max_length=200, examples=["Luna"], description="A name, or an id.")],
    asked: Query[ExploreFilter],
    character: KnownTo = None,
) -> dict[str, Any]:
    """A walk through the graph from an entity. 404 if the character knows nothing of that name, 409 for several."""
    found = person_for(request.user, pk)
    known = known_to(found, character)
    query = {"hops": str(asked.hops), "open": ",".join(asked.open), "edge": asked.edge}
    return _explored(exploring.explore(Asked.of(query, found, known, _the_one(about, found, known))))


def _the_one(about: str, person: Person, character: Character) -> Entity:
    known = finding.known_entities(person, character)
    fitting = finding.asked_about(about, known)
    if len(fitting) > 1:
        raise HttpError(409, f"“{about}” may be one of several. Ask by id: {_listed(fitting)}.")
    if not fitting:
        near = _listed(finding.suggested(about, known)[:MOST_NAMED])
        sentence = f"{character.name} knows nothing called “{about}” of {person.name}."
        raise Http404(f"{sentence} {f'Perhaps: {near}.' if near else 'The list of entities has all.'}")
    return fitting[0]


def _listed(entities: Sequence[Entity]) -> str:
    return ", ".join(f"{each.name} ({each.pk})" for each in entities)


def _explored(found: Exploration) -> dict[str, Any]:
    about = found.asked.about
    return {
        "character": found.asked.character.slug,
        "about": {"id": about.graph_id, "name": about.name, "open": True},
        "nodes": [{"id": id_, "name": found.names[id_], "open": id_ in found.found.open} for id_ in found.nodes],
        "edges": [_edge(edge, note) for edge, note in found.rows],
        "is_full": found.found.is_full,
        "behind": _behind(found.behind) if found.behind else None,
    }


def _edge(edge: Edge, note: str) -> dict[str, Any]:
    names = ("id", "subject", "object", "predicate", "sentence")
    return {name: getattr(edge, name) for name in names} | {"note": note}


def _behind(found: Behind) -> dict[str, Any]:
    quotes = [quoted(quote) for quote in found.quotes]
    return {"sentence": found.sentence, "quotes": quotes, "more": found.more, "by_hand": found.by_hand}
