"""The API of talking as a tester: conversations, turns with their traces, and as whom."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any

from ninja import Field, Header, Query, Router, Schema, Status

from characters.conversations import access, services
from characters.conversations.models import Conversation, Person, Turn
from characters.people.api import MessageOut
from characters.profiles.access import talkable
from characters.talk.say import in_thread
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.accounts.models import User
from kgadmin.rest.actions import Refused
from kgadmin.rest.schemas import Body, Id, Page, Paging, PathId, Slug, Text, changes, page, reads
from playground.chat.pages import NOTHING, Learned, learned_in, started
from playground.chat.start import person_to_play, real_people

router = Router(tags=["conversations"])
testers = door("tester")

POLL_SECONDS = 0.1

Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        pattern=r"^[!-~]*$",
        examples=["5f0c7c0e"],
        description="The same key again gives the same turn, and the message is saved once.",
    ),
]
Wait = Annotated[bool, Query(description="Answer when the reply is complete; otherwise immediately, for polling.")]


class ConversationOut(Schema):
    """A conversation of one person with one character. A sandbox isn't remembered."""

    id: int = Field(examples=[7])
    character: str = Field(alias="character.slug", examples=["elena"])
    person: int = Field(alias="person_id", examples=[12])
    person_name: str = Field(alias="person.name", examples=["Mark"])
    title: str = Field(examples=["I have a cat called Luna."])
    sandbox: bool = Field(examples=[False])
    owner: int = Field(alias="owner_id", examples=[2])
    created_at: datetime
    updated_at: datetime


class AnswerOut(Schema):
    """A turn: `state` is assembling, replying, done, stopped, failed or interrupted. `/turns/{id}` has its trace."""

    id: int = Field(examples=[55])
    conversation: int = Field(alias="message.conversation_id", examples=[7])
    message: str = Field(alias="message.text", examples=["I have a cat called Luna."])
    reply: str = Field(alias="text", examples=["A cat! Is she as curious as her name?"])
    state: str = Field(alias="status", examples=["done"])
    error: str = Field(examples=[""])
    created_at: datetime


class StageOut(Schema):
    """One stage: `status` is ok, skipped (with a `reason`) or failed (with an `error`)."""

    name: str = Field(examples=["background"])
    status: str = Field(examples=["ok"])
    elapsed_ms: float = Field(examples=[3.1])
    error: str = Field(examples=[""])
    reason: str = Field(examples=[""])
    evidence: dict[str, Any] = Field(examples=[{"used": [{"sentence": "My father fished."}], "dropped": []}])


class SectionOut(Schema):
    """A section of the prompt; `tokens` is an estimate."""

    name: str
    text: str
    tokens: int
    budget: int


class PromptOut(Schema):
    """The messages sent to the model."""

    text: str
    tokens: int
    sections: list[SectionOut]


class TurnOut(AnswerOut):
    """A turn with its trace. `total_ms` is the turn's own work, without the reply."""

    character: str = Field(alias="conversation.character.slug", examples=["elena"])
    person: str = Field(alias="conversation.person.name", examples=["Mark"])
    total_ms: float | None = Field(alias="assembled_ms", examples=[31.5])
    stages: list[StageOut]
    prompt: PromptOut

    @staticmethod
    def resolve_prompt(row: Turn) -> dict[str, Any]:
        return {"tokens": 0, "sections": [], **row.prompt, "text": row.prompt_text}


class LearnedOut(Schema):
    """Facts that a message stated first, and those it ended. `waits`: it is still being read."""

    new: list[str] = Field(examples=[["Mark has a cat called Luna"]])
    ended: list[str] = Field(examples=[[]])
    waits: bool = Field(examples=[False])
    problem: str = Field(examples=[""])


class ConversationFilter(Schema):
    """All are optional."""

    character: Slug | None = Field(None, examples=["elena"])
    person: Id | None = None
    everybody: bool = Field(False, description="Also those of other testers and of programs.")


class MessageIn(Body):
    """A message."""

    message: Text = Field(examples=["I have a cat called Luna."])


class BeginIn(MessageIn):
    """The character, the person, and the first message."""

    character: Slug = Field(examples=["elena"])
    greeting: int | None = Field(
        0, ge=0, examples=[0], description="Which of the character's greetings it starts with; null for none."
    )
    person: Id | None = Field(
        None, examples=[12], description="Defaults to your own test person. As someone else's, it is a sandbox."
    )


@router.get("/conversations", auth=testers, response=reads(Page[ConversationOut]), summary="Conversations")
def conversations(request: ApiRequest, paging: Paging, asked: Query[ConversationFilter]) -> Any:
    """Your own, the newest first."""
    rows = access.conversations_for(request.user)
    rows = rows if asked.everybody else rows.filter(owner=request.user, client=None, outside_id="")
    exact = {"character__slug": asked.character, "person": asked.person}
    return page(rows.filter(**{name: value for name, value in exact.items() if value}), paging)


@router.post("/conversations", auth=testers, response=changes(AnswerOut, 201), summary="Start a conversation")
async def begin(request: ApiRequest, body: BeginIn, wait: Wait = True, idempotency_key: Key = "") -> Status[Turn]:
    """With its first message, which the character answers."""

    def save() -> tuple[Turn, bool]:
        user = request.user
        return services.begin(
            character=talkable(user, body.character),
            by=user,
            person=person_to_play(body.person) if body.person else services.person_of_tester(user),
            text=body.message,
            key=_turn_key(user, idempotency_key, body.message),
            greeting=body.greeting,
        )

    return Status(201, await _answered(save, wait=wait))


@router.get("/conversations/{pk}", auth=testers, response=reads(ConversationOut), summary="One conversation")
def conversation(request: ApiRequest, pk: PathId) -> Conversation:
    """The person and the character of a conversation."""
    return access.conversation_for(request.user, pk)


@router.get("/conversations/{pk}/messages", auth=testers, response=reads(Page[MessageOut]), summary="What was said")
def messages(request: ApiRequest, pk: PathId, paging: Paging) -> Any:
    """The newest branch, the first message first."""
    return page(access.conversation_for(request.user, pk).path(), paging)


@router.get(
    "/conversations/{pk}/turns", auth=testers, response=reads(Page[AnswerOut]), summary="A conversation's turns"
)
def turns(request: ApiRequest, pk: PathId, paging: Paging) -> Any:
    """In their order, retries included."""
    row = access.conversation_for(request.user, pk)
    rows = Turn.objects.filter(message__conversation=row).select_related("message").defer("carried", "request")
    return page(rows.order_by("pk"), paging)


@router.post("/conversations/{pk}/turns", auth=testers, response=changes(AnswerOut, 201), summary="Send a message")
async def say(
    request: ApiRequest, pk: PathId, body: MessageIn, wait: Wait = True, idempotency_key: Key = ""
) -> Status[Turn]:
    """Send a message in your own conversation. The turn goes on if you stop waiting."""

    def save() -> tuple[Turn, bool]:
        row = access.conversation_for(request.user, pk, to_write=True)
        key = _turn_key(request.user, idempotency_key, body.message)
        return services.start_turn(conversation=row, text=body.message, key=key)

    return Status(201, await _answered(save, wait=wait))


@router.get("/turns/{turn_id}", auth=testers, response=reads(TurnOut), summary="A turn with its trace", tags=["turns"])
def turn(request: ApiRequest, turn_id: PathId) -> Turn:
    """The message, the reply, every stage with its evidence, and the prompt."""
    return access.turn_for(request.user, turn_id)


@router.post("/turns/{pk}/stop", auth=testers, response=changes(AnswerOut), summary="Stop a reply", tags=["turns"])
def stop(request: ApiRequest, pk: PathId) -> Turn:
    """Stops at the next heartbeat; what has arrived is kept."""
    turn = access.turn_for(request.user, pk, to_write=True)
    turn.ask_to_stop()
    return turn


@router.post("/turns/{pk}/again", auth=testers, response=changes(AnswerOut, 201), summary="Try again", tags=["turns"])
async def again(request: ApiRequest, pk: PathId, wait: Wait = True) -> Status[Turn]:
    """Answer the same message once more: a turn of its own, one per turn."""

    def save() -> tuple[Turn, bool]:
        return services.try_again(access.turn_for(request.user, pk, to_write=True))

    return Status(201, await _answered(save, wait=wait))


@router.get(
    "/turns/{pk}/learned", auth=testers, response=reads(LearnedOut), summary="What a turn learned", tags=["turns"]
)
def learned(request: ApiRequest, pk: PathId) -> Learned:
    """What the turn's message taught the character about the person."""
    turn = access.turn_for(request.user, pk)
    return learned_in(turn.conversation, [turn.message]).get(turn.message_id, NOTHING)


async def _answered(save: Callable[[], tuple[Turn, bool]], *, wait: bool) -> Turn:
    """Return the turn, with its reply ended if the caller waits for it. An existing turn may be another process's."""
    turn = await in_thread(_fresh, (await started(save, wait=wait)).pk)
    while wait and turn.is_running:
        await asyncio.sleep(POLL_SECONDS)
        turn = await in_thread(_fresh, turn.pk)
    return turn


def _fresh(pk: int) -> Turn:
    return Turn.objects.select_related("message").defer("carried", "request", "prompt").get(pk=pk)


def _turn_key(user: User, key: str, message: str) -> str:
    """Return a turn's key for a user's idempotency key. Raises `Refused` if it is another message's."""
    if not key:
        return ""
    digest = sha256(f"{user.pk} {key}".encode()).hexdigest()
    if Turn.objects.filter(key=digest).exclude(message__text=message).exists():
        raise Refused("This Idempotency-Key was already used for another message. Use a new one.", status=409)
    return digest


class PlayedOut(Schema):
    """A person as whom one can talk."""

    id: int = Field(examples=[12])
    name: str = Field(examples=["Mark"])


class WhomOut(Schema):
    """Test people, whose messages are remembered, and real ones, as whom one talks in a sandbox."""

    test_people: list[PlayedOut]
    real_people: list[PlayedOut] = Field(description="People met most recently.")


class WhomFilter(Schema):
    """All are optional."""

    q: Text = Field("", max_length=100, examples=["Mar"], description="Part of a real person's name.")


@router.get("/talking-as", auth=testers, response=reads(WhomOut), summary="People you can talk as")
def talking_as(request: ApiRequest, asked: Query[WhomFilter]) -> dict[str, Any]:
    """Their ids are values of a new conversation's `person`."""
    return {"test_people": Person.objects.playable_by(request.user), "real_people": real_people(asked.q.strip())}
