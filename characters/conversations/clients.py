"""Conversations that programs hold through the API: find the person, the place of the newest message, and its
variants.

A program sends the whole history each time. Only the new message and our reply are stored, each with the digest of
everything before it, so the next request finds its place by the longest known part. If the user removed or edited an
earlier message, what follows moves along. A program whose window is full drops the beginning of its history: then the
newest two messages of it find the place.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate
from typing import Any, Literal, NamedTuple
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from characters.conversations.models import RUNNING, Conversation, Message, Person, Turn, digest_of
from characters.conversations.services import as_name, check_message, titled
from characters.profiles.models import Character
from kgadmin.accounts.models import Client
from kgadmin.projection.tasks import sweep
from kgadmin.rest.actions import Refused

NOBODY = "Somebody"
"""Name of the person whom a program doesn't identify."""
MAX_OUTSIDE_ID = 200
LATELY = 5
"""Conversations in which a history without its beginning is searched, the newest first."""
SAME_BEGINNING_WITHIN = timedelta(hours=1)
"""Time within which the same first message is a retry of its conversation; later it starts a new one."""


class Line(NamedTuple):
    """A message of the history, as the program sent it."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Sent:
    """A program's request: who speaks to whom, the message, and the program's history."""

    client: Client
    character: Character
    text: str
    history: tuple[Line, ...] = ()
    person: str = ""
    """The program's own id of the speaker; empty: no memory is read or written."""
    name: str = ""
    conversation: str = ""
    sends_all: bool = False
    """Whether a named conversation comes with all of its history: none is its beginning, not its continuation."""
    prefill: str = ""
    """The reply to go on with, as the program has it."""
    remembered: bool = True
    asked: dict[str, Any] | None = None

    @property
    def sandbox(self) -> bool:
        """Return whether nothing of it is remembered."""
        return not self.remembered or not self.person


@dataclass(frozen=True, slots=True)
class _Place:
    conversation: Conversation
    parent: Message | None = None
    is_complete: bool = True
    digest: str = ""
    """Digest of what leads here, if it isn't that of the sent history."""
    moved: bool = False
    """Whether messages moved along, behind one that the program's user removed, or back to it."""


@transaction.atomic
def begin(sent: Sent) -> Turn:
    """Save the message in its place, and the turn that will answer it. Raises `Refused`."""
    check_message(sent.text)
    person = person_of(sent)
    if sent.prefill and (turn := _gone_on(_with_this_reply(sent, person), sent)):
        return turn
    place = _place(sent, person)
    digest = digest_of(place.digest or _digest(sent.history), "user", sent.text)
    there = Message.objects.filter(conversation=place.conversation, parent=place.parent, role=Message.Role.USER)
    same = there.filter(digest=digest).last()
    other = there.last() if place.is_complete else None
    message = same or Message.objects.create(
        conversation=place.conversation, parent=place.parent, role=Message.Role.USER, text=sent.text, digest=digest
    )
    tried = Turn.objects.filter(message=same or other).last() if same or other else None
    if sent.prefill and (turn := _gone_on(Turn.objects.filter(message=message), sent)):
        return turn
    request = {**(sent.asked or {}), "moved": place.moved} if place.moved else sent.asked or {}
    return Turn.objects.create(message=message, key=uuid4().hex, variant_of=tried, request=request)


def person_of(sent: Sent) -> Person:
    """Return the program's person of that id, in its own namespace; a later name replaces the earlier."""
    given = sent.name if sent.person else ""
    name = as_name(given or sent.person) or NOBODY
    person, made = Person.objects.get_or_create(
        namespace=sent.client.namespace, outside_id=sent.person, defaults={"name": name}
    )
    if not made and given and person.name != name:
        person.rename(name)
    return person


def _conversations(sent: Sent, person: Person) -> QuerySet[Conversation]:
    return Conversation.objects.filter(
        client=sent.client, person=person, character=sent.character, sandbox=sent.sandbox
    )


def _place(sent: Sent, person: Person) -> _Place:
    rows = _conversations(sent, person)
    if sent.conversation:
        named = rows.filter(outside_id=sent.conversation).first() or _start(sent, person)
        only = rows.filter(pk=named.pk)
        if place := _known(sent, only) or _by_its_end(sent, only):
            return place
        if sent.sends_all and not sent.history:
            return _Place(named)
        return _Place(named, named.newest, is_complete=False)
    return _known(sent, rows) or _by_its_end(sent, rows) or _Place(_started_lately(sent, rows) or _start(sent, person))


def _known(sent: Sent, conversations: QuerySet[Conversation]) -> _Place | None:
    """Return the last message of the longest stored beginning of the history, or None."""
    digests = digests_of(sent.history)
    rows = Message.objects.filter(conversation__in=conversations, digest__in=digests).select_related("conversation")
    newest = {row.digest: row for row in rows.order_by("pk")}
    longest = next((digest for digest in reversed(digests) if digest in newest), None)
    if longest is None:
        return None
    rest = list(zip(sent.history, digests, strict=True))[digests.index(longest) + 1 :]
    parent = _moved_along(newest[longest], rest)
    is_complete, moved = parent.digest == digests[-1], parent.pk != newest[longest].pk
    return _Place(parent.conversation, parent, is_complete=is_complete, moved=moved)


def _by_its_end(sent: Sent, conversations: QuerySet[Conversation]) -> _Place | None:
    """Return the place that the newest two lines of the history lead to, in one of the latest conversations."""
    newest = [(line.role, _words(line.text)) for line in sent.history[-2:]]
    if [role for role, _ in newest] != ["user", "assistant"]:
        return None
    for conversation in conversations.order_by("-updated_at", "-id")[:LATELY]:
        rows = {row.pk: row for row in conversation.messages.defer("vector")}
        for row in reversed(rows.values()):
            before = rows.get(row.parent_id or 0)
            if before and [(each.role, _words(each.text)) for each in (before, row)] == newest:
                return _Place(conversation, row, digest=row.digest)
    return None


def _with_this_reply(sent: Sent, person: Person) -> QuerySet[Turn]:
    """Return the turns on this message after this history, wherever the conversation stands now."""
    digest = digests_of([*sent.history, Line("user", sent.text)])[-1]
    turns = Turn.objects.filter(message__conversation__in=_conversations(sent, person), message__digest=digest)
    return turns.filter(message__conversation__outside_id=sent.conversation) if sent.conversation else turns


def _gone_on(turns: QuerySet[Turn], sent: Sent) -> Turn | None:
    """Return the turn whose reply has the words of the program's, started again to go on; None if there is none.

    Raises `Refused` while the turn still runs.
    """
    words = _words(sent.prefill)  # programs put a blank of their own before what goes on
    replied = turns.filter(reply__isnull=False).select_related("reply").order_by("-pk")
    turn = next((turn for turn in replied if turn.reply and _words(turn.reply.text) == words), None)
    if turn is None:
        return None
    client = (sent.asked or {}).get("client", {})
    request = {**(sent.asked or {}), "client": client | {"prefill_is_own": not turn.has_foreign_prefill}}
    again = {"state": Turn.State.ASSEMBLING, "error": "", "stop_requested": False}
    again |= dict.fromkeys(["created_at", "heartbeat_at"], timezone.now())
    if not Turn.objects.exclude(state__in=RUNNING).filter(pk=turn.pk).update(request=request, **again):
        raise Refused("This reply is still being written. Wait for its end, then go on with it.", status=409)
    turn.stages.all().delete()
    turn.refresh_from_db()
    return turn


def _moved_along(known: Message, rest: Sequence[tuple[Line, str]]) -> Message:
    """Attach the messages that the program still sends behind `known`, in its order; return the last one.

    Messages are compared by their words: a program may reformat replies, and has more or less of one that broke off.
    """
    if not rest:
        return known
    rows = {row.pk: row for row in known.conversation.messages.defer("vector")}
    before = {row.pk for row in known.path(rows)}
    by_words: dict[tuple[str, str], deque[Message]] = {}
    for row in rows.values():
        if row.pk not in before:
            by_words.setdefault((row.role, _words(row.text)), deque()).append(row)
    last, moved = known, []
    for line, digest in rest:
        alike = by_words.get((line.role, _words(line.text)), deque())
        while alike and alike[0].pk <= last.pk:
            alike.popleft()
        next_row = alike.popleft() if alike else _broken_off(rows.values(), last, line)
        if next_row:
            next_row.parent, next_row.digest = last, digest
            moved.append(next_row)
            last = next_row
    Message.objects.bulk_update(moved, ["parent", "digest"], batch_size=500)
    sweep.delay_on_commit()
    return last


def _broken_off(rows: Iterable[Message], before: Message, line: Line) -> Message | None:
    """Return the reply to `before` that is the beginning of this line, or that begins with it."""
    words = _words(line.text)
    replies = (row for row in rows if row.parent_id == before.pk and row.role == line.role and before.role == "user")
    alike = ((row, _words(row.text)) for row in replies)
    return next((row for row, text in alike if words.startswith(text) or text.startswith(words)), None)


def _words(text: str) -> str:
    """Return only letters and digits; the text itself if it has neither."""
    return "".join(filter(str.isalnum, text.casefold())) or text.strip()


def _started_lately(sent: Sent, conversations: QuerySet[Conversation]) -> Conversation | None:
    """Return the conversation that just began with the same message, if nothing followed in it."""
    digest = digests_of([*sent.history, Line("user", sent.text)])[-1]
    since = timezone.now() - SAME_BEGINNING_WITHIN
    began = Message.objects.filter(conversation__in=conversations, parent=None, digest=digest, at__gte=since)
    message = began.exclude(children__children__isnull=False).select_related("conversation").last()
    return message.conversation if message else None


def _start(sent: Sent, person: Person) -> Conversation:
    return Conversation.objects.create(
        character=sent.character,
        person=person,
        owner=sent.client.owner,
        client=sent.client,
        outside_id=sent.conversation,
        title=titled(sent.text),
        sandbox=sent.sandbox,
    )


def _digest(lines: Sequence[Line]) -> str:
    return next(reversed(digests_of(lines)), "")


def digests_of(lines: Sequence[Line]) -> list[str]:
    """Return the digest of each beginning of the lines, the shortest first."""
    return list(accumulate(lines, lambda before, line: digest_of(before, line.role, line.text), initial=""))[1:]
