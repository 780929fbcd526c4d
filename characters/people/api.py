"""The API of people and their conversations. Their facts and entities are in `fact_api`, `entity_api`."""

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Field, Query, Router, Schema, Status

from characters.conversations import services
from characters.conversations.access import person_for
from characters.conversations.models import Acquaintance, Person
from characters.memory import erasure as memory
from characters.people import pages, portable
from characters.people.forms import PersonIn, TrustIn, predicate_choices
from characters.people.pages import conversation_of, known_to
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.jobs import services as jobs
from kgadmin.jobs.api import JobOut
from kgadmin.jobs.models import Job
from kgadmin.rest.schemas import Page, Paging, PathId, Slug, Text, changes, page, reads

router = Router(tags=["people"])
readers = door("operator", "tester")

KnownTo = Annotated[
    Slug | None,
    Query(description="The character; by default the one that met them last.", examples=["elena"]),
]


class AcquaintanceOut(Schema):
    """An acquaintance of a character and a person."""

    character: str = Field(alias="character.slug", examples=["elena"])
    trust: float = Field(examples=[0.5], description="How far the character believes the person, 0 to 1.")
    first_met: datetime
    last_met: datetime


class PersonOut(Schema):
    """Somebody a character talks to; no login account."""

    id: int = Field(examples=[12])
    name: str = Field(examples=["Mark"])
    kind: str = Field(examples=["Test person"])
    namespace: str = Field(examples=["tester:2"])
    outside_id: str = Field(examples=["1"])
    created_at: datetime
    facts: int = Field(0, alias="fact_count", examples=[9])
    messages: int = Field(0, alias="message_count", examples=[40], description="Remembered messages.")
    acquaintances: list[AcquaintanceOut]


class PersonFilter(Schema):
    """All are optional."""

    q: Text = Field("", max_length=100, examples=["Mar"], description="Part of the name.")
    kind: Literal["test", "real", "imported"] | None = Field(None, description="Testers see only test people.")


class ReadingOut(Schema):
    """How many of a person's messages are read."""

    unread: int = Field(examples=[0])
    goes_on: bool = Field(examples=[False])
    job: JobOut | None


class ExportOut(Schema):
    """Everything stored about a person."""

    version: int = Field(alias="schema", examples=[1])
    exported_at: datetime
    person: dict[str, Any] = Field(examples=[{"id": "person:12", "name": "Mark"}])
    acquaintances: list[dict[str, Any]]
    entities: list[dict[str, Any]]
    facts: list[dict[str, Any]]
    conversations: list[dict[str, Any]]
    relations: list[dict[str, Any]]


class ForgottenOut(Schema):
    """`waits`: graph or vectors still hold something, which a worker deletes."""

    id: int = Field(alias="was", examples=[12])
    waits: bool = Field(examples=[False])


class PredicateOut(Schema):
    """A registered predicate, worded for this person."""

    family: str = Field(examples=["Family"])
    predicate: str = Field(examples=["HAS_PET"])
    sentence: str = Field(examples=["Mark has a pet called …"])


class GoesOut(Schema):
    """How much of each kind is deleted with a person."""

    conversations: int = Field(examples=[3])
    messages: int = Field(examples=[40])
    facts: int = Field(examples=[12])
    entities: int = Field(examples=[9])
    relations: int = Field(alias="relations between messages", examples=[5], description="Between messages.")


class MessageOut(Schema):
    """A message of either side."""

    id: int = Field(examples=[101])
    answers: int | None = Field(None, alias="parent_id", examples=[100], description="The message before it.")
    role: str = Field(examples=["user"])
    text: str = Field(examples=["I have a cat called Luna."])
    at: datetime
    remembered: bool = Field(alias="is_in_history", examples=[True])


class PersonConversationOut(Schema):
    """A conversation of one person with one character. A sandbox isn't remembered."""

    id: int = Field(examples=[7])
    character: str = Field(alias="character.slug", examples=["elena"])
    title: str = Field(examples=["I have a cat called Luna."])
    sandbox: bool = Field(examples=[False])
    imported: bool = Field(alias="is_imported", examples=[False])
    outside_id: str = Field(examples=[""])
    messages: int = Field(alias="message_count", examples=[8])
    created_at: datetime
    updated_at: datetime


@router.get("/people", auth=readers, response=reads(Page[PersonOut]), summary="People")
def people(request: ApiRequest, paging: Paging, asked: Query[PersonFilter]) -> Any:
    """The people whom you may see, those met last first."""
    people = pages.PeopleList(request.user, find=asked.q, kind=asked.kind or "")
    return page(people.in_order, paging)


@router.post("/people", auth=door("tester"), response=changes(PersonOut, 201), summary="Create a test person")
def new(request: ApiRequest, body: PersonIn) -> Status[Person]:
    """Messages sent as them are remembered."""
    return Status(201, services.new_test_person(name=body.name, by=request.user))


@router.get("/people/{pk}", auth=readers, response=reads(PersonOut), summary="One person")
def person(request: ApiRequest, pk: PathId) -> Person:
    """The person, and which characters know them."""
    pk = person_for(request.user, pk).pk
    person: Person = pages.PeopleList(request.user, find="", kind="").in_order.get(pk=pk)
    return person


@router.put("/people/{pk}/trust", auth=door("operator"), response=changes(AcquaintanceOut), summary="Set trust")
def set_trust(request: ApiRequest, pk: PathId, body: TrustIn) -> Acquaintance:
    """From the next turn on."""
    person = person_for(request.user, pk, to_write=True)
    character = known_to(person, body.character)
    services.set_trust(person=person, character=character, trust=body.trust, by=request.user)
    return person.acquaintances.select_related("character").get(character=character)


@router.get("/people/{pk}/reading", auth=readers, response=reads(ReadingOut), summary="Progress of fact extraction")
def reading(request: ApiRequest, pk: PathId) -> pages.Reading:
    """How many messages are still to be read for facts, and the job that reads them."""
    return pages.Reading.of(person_for(request.user, pk))


@router.post("/people/{pk}/reading", auth=readers, response=changes(JobOut, 202), summary="Extract facts from messages")
def read_again(request: ApiRequest, pk: PathId) -> Status[Job]:
    """Start reading the waiting messages, for example after an error."""
    person = person_for(request.user, pk, to_write=True)
    return Status(202, jobs.start(kind="remember", subject=person.graph_id, by=request.user))


@router.get(
    "/people/{pk}/export", auth=readers, by_alias=True, response=reads(ExportOut), summary="Everything about a person"
)
def export(request: ApiRequest, pk: PathId) -> dict[str, Any]:
    """Everything stored about them, as one document."""
    return portable.document(person_for(request.user, pk))


@router.delete("/people/{pk}", auth=readers, response=changes(ForgottenOut), summary="Forget a person")
def forget(
    request: ApiRequest,
    pk: PathId,
    name: Annotated[Text, Query(max_length=100, examples=["Mark"], description="Their name, as a confirmation.")],
) -> dict[str, Any]:
    """Deletes everything known about them, and their messages. 409 if the name isn't theirs."""
    person = person_for(request.user, pk, to_write=True)
    pages.check_name(person, name)
    memory.forget_person(person, by=request.user)
    return pages.left_to_forget(pk)


@router.get("/people/forgotten/{was}", auth=readers, response=reads(ForgottenOut), summary="Progress of forgetting")
def forgotten(request: ApiRequest, was: PathId) -> dict[str, Any]:
    """Whether graph and vectors still hold something. 404 while there is a person of this id."""
    return pages.left_to_forget(was)


@router.get(
    "/people/{pk}/predicates", auth=readers, response=reads(list[PredicateOut]), summary="Predicates for people"
)
def predicates(request: ApiRequest, pk: PathId) -> list[dict[str, str]]:
    """The predicates for a fact by hand."""
    families = predicate_choices(person_for(request.user, pk).name)
    return [
        {"family": family, "predicate": name, "sentence": sentence}
        for family, choices in families
        for name, sentence in choices
    ]


@router.get("/people/{pk}/forgetting", auth=readers, response=reads(GoesOut), summary="What forgetting would delete")
def preview_forget(request: ApiRequest, pk: PathId) -> dict[str, int]:
    """How much would be deleted with the person."""
    return pages.what_goes(person_for(request.user, pk))


@router.get(
    "/people/{pk}/conversations",
    auth=readers,
    response=reads(Page[PersonConversationOut]),
    summary="A person's conversations",
)
def conversations(request: ApiRequest, pk: PathId, paging: Paging) -> Any:
    """Remembered, imported or in a sandbox; the newest first."""
    return page(pages.conversations_of(person_for(request.user, pk)), paging)


@router.get(
    "/people/{pk}/conversations/{conversation_pk}/messages",
    auth=readers,
    response=reads(Page[MessageOut]),
    summary="What was said",
)
def messages(request: ApiRequest, pk: PathId, conversation_pk: PathId, paging: Paging) -> Any:
    """All messages of one conversation, all branches, in their order."""
    conversation = conversation_of(person_for(request.user, pk), conversation_pk)
    return page(conversation.messages.defer("vector").order_by("pk"), paging)


@router.delete(
    "/people/{pk}/conversations/{conversation_pk}",
    auth=readers,
    response=changes(None, 204),
    summary="Forget a conversation",
)
def forget_conversation(request: ApiRequest, pk: PathId, conversation_pk: PathId) -> Status[None]:
    """With the facts stated nowhere else."""
    conversation = conversation_of(person_for(request.user, pk, to_write=True), conversation_pk)
    memory.forget_conversation(conversation, by=request.user)
    return Status(204, None)
