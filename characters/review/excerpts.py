"""Each time that something was said, in its conversation, and who led whom there: a part of a proposal's evidence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from characters.conversations.models import Message, Turn
from characters.review.models import Claim, Proposal, Verdict
from characters.review.words import LED

CLAIMS_SHOWN = 8
AROUND = 400
"""Characters of a message on each side of what is marked; so many of one without a mark."""
MESSAGE, TURN = "message", "turn"


@dataclass(frozen=True, slots=True)
class Led:
    """Why the statement may not be hers: in which words of whom."""

    kind: str
    said: str
    message: int | None
    """That message, where it is one that was recorded."""
    text: str = ""
    conversation: int | None = None
    person: int | None = None

    @property
    def name(self) -> str:
        return LED.get(self.kind, self.kind.capitalize())


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message with what is marked in it."""

    message: Message
    by: str
    before: str
    marked: str = ""
    after: str = ""
    led: tuple[Led, ...] = ()

    @property
    def is_hers(self) -> bool:
        return self.message.role == Message.Role.ASSISTANT


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One time that it was said, with the messages around it."""

    claim: Claim
    spoken: tuple[Spoken, ...]
    turn: int | None
    """The turn whose trace this user may look at."""


def excerpts_of(
    claims: Sequence[Claim], reasons: Sequence[Led], *, may_trace: bool
) -> tuple[tuple[Excerpt, ...], set[int]]:
    """What was said, and the ids of all messages in it."""
    after: dict[int | None, Message] = {}
    for message in Message.objects.filter(parent__in=[claim.message_id for claim in claims]).defer("vector"):
        after.setdefault(message.parent_id, message)
    shown: set[int] = set()
    excerpts = []
    for claim in claims:
        messages = _around(claim.message, after.get(claim.message_id))
        shown |= {message.pk for message in messages}
        spoken = tuple(_spoken(message, claim, reasons) for message in messages)
        excerpts.append(Excerpt(claim, spoken, claim.turn_id if may_trace else None))
    return tuple(excerpts), shown


def _around(message: Message, after: Message | None) -> list[Message]:
    """Two before it, itself, one after it."""
    before = message.parent
    found = [before.parent if before else None, before, message, after]
    return [each for each in found if each is not None]


def _spoken(message: Message, claim: Claim, reasons: Sequence[Led]) -> Spoken:
    text, is_it = message.text, message.pk == claim.message_id
    by = claim.character.name if message.role == Message.Role.ASSISTANT else claim.person.name
    led = tuple(reason for reason in reasons if reason.message == message.pk)
    if not is_it:
        return Spoken(message, by, _cut(text), led=led)
    before, after = text[: claim.start], text[claim.end :]
    before = before if len(before) <= AROUND else f"…{before[-AROUND:]}"
    return Spoken(message, by, before, claim.sentence, _cut(after), led)


def _cut(text: str) -> str:
    return text if len(text) <= AROUND else f"{text[:AROUND]}…"


@dataclass(frozen=True, slots=True)
class _Place:
    """What a verdict names "message:12" or "turn:5/history:0"; of no kind where it is no row."""

    kind: str
    pk: int
    part: str

    @classmethod
    def of(cls, name: str) -> "_Place":
        kind, _, rest = name.partition(":")
        number, _, part = rest.partition("/")
        is_row = kind in {MESSAGE, TURN} and number.isdecimal()
        return cls(kind, int(number), part) if is_row else cls("", 0, "")


def led_in(verdicts: Iterable[Verdict]) -> list[Led]:
    """The reasons of the taint verdict, each with where its message is found."""
    found = next((each.evidence.get("reasons") for each in verdicts if each.check_name == Verdict.Check.TAINT), None)
    told = [(each["kind"], each["said"], _Place.of(each.get("message", ""))) for each in found or ()]
    there = Message.objects.filter(pk__in=[place.pk for _, _, place in told if place.kind == MESSAGE])
    messages = {row[0]: row for row in there.values_list("pk", "conversation", "conversation__person", "text")}
    sent = _sent([place.pk for _, _, place in told if place.kind == TURN])
    return [_reason(Led(kind, said, None), place, messages, sent) for kind, said, place in told]


def _reason(led: Led, place: _Place, messages: Mapping[int, Any], sent: Mapping[int, Any]) -> Led:
    if place.kind == MESSAGE and place.pk in messages:
        pk, conversation, person, text = messages[place.pk]
        return replace(led, message=pk, text=_cut(text), conversation=conversation, person=person)
    if place.kind == TURN and place.pk in sent:
        return replace(led, text=_cut(_of_client(sent[place.pk], place.part)))
    return led


def _sent(pks: list[int]) -> dict[int, Any]:
    """What client programs sent along with these turns."""
    rows = Turn.objects.filter(pk__in=pks).values_list("pk", "request") if pks else ()
    return {pk: request.get("client", {}) for pk, request in rows}


def _of_client(client: Mapping[str, Any], part: str) -> str:
    name, _, place = part.partition(":")
    history = client.get("history") or ()
    if name == "history" and place.isdecimal() and int(place) < len(history):
        return str(history[int(place)][1])
    return str(client.get("system") or "") if name == "system" else ""


def claims_of(proposal: Proposal) -> list[Claim]:
    """The newest times that it was said."""
    rows = proposal.claims.select_related("message__parent__parent", "conversation", "person", "character", "turn")
    vectors = ("message__vector", "message__parent__vector", "message__parent__parent__vector")
    heavy = ("request", "carried", "prompt", "text")
    lean = rows.defer(*vectors, *(f"turn__{each}" for each in heavy))
    return list(lean.order_by("-said_at", "-pk")[:CLAIMS_SHOWN])
