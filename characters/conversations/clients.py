"""Conversations that programs hold through the API: find the person, the place of the newest message, and its
variants.

A program sends the whole history each time. Only the new message and our reply are stored, each with the digest of
everything before it, so the next request finds its place by the longest known part. If the user removed or edited an
earlier message, what follows moves along.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import accumulate
from typing import Any, Literal, NamedTuple
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from characters.conversations.models import Conversation, Message, Person, Turn, digest_of
from characters.conversations.services import as_name, check_message, titled
from characters.profiles.models import Character
from kgadmin.accounts.models import Client
from kgadmin.projection.tasks import sweep

NOBODY = "Somebody"
"""Name of the person whom a program doesn't identify."""
MAX_OUTSIDE_ID = 200
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


@transaction.atomic
def begin(sent: Sent) -> Turn:
    """Save the message in its place, and the turn that will answer it. Raises `Refused`."""
    check_message(sent.text)
    person = person_of(sent)
    place = _place(sent, person)
    digest = digests_of([*sent.history, Line("user", sent.text)])[-1]
    there = Message.objects.filter(conversation=place.conversation, parent=place.parent, role=Message.Role.USER)
    same = there.filter(digest=digest).last()
    other = there.last() if place.is_complete else None
    message = same or Message.objects.create(
        conversation=place.conversation, parent=place.parent, role=Message.Role.USER, text=sent.text, digest=digest
    )
    tried = Turn.objects.filter(message=same or other).last() if same or other else None
    return Turn.objects.create(message=message, key=uuid4().hex, variant_of=tried, request=sent.asked or {})


def person_of(sent: Sent) -> Person:
    """Return the program's person of that id, in its own namespace; a later name replaces the earlier."""
    name = as_name(sent.name or sent.person) or NOBODY
    person, made = Person.objects.get_or_create(
        namespace=sent.client.namespace, outside_id=sent.person, defaults={"name": name}
    )
    if not made and sent.name and person.name != name:
        person.rename(name)
    return person


def _place(sent: Sent, person: Person) -> _Place:
    rows = Conversation.objects.filter(
        client=sent.client, person=person, character=sent.character, sandbox=sent.sandbox
    )
    if sent.conversation:
        named = rows.filter(outside_id=sent.conversation).first() or _start(sent, person)
        if place := _known(sent, rows.filter(pk=named.pk)):
            return place
        return _Place(named, next(reversed(named.path()), None), is_complete=False)
    return _known(sent, rows) or _Place(_started_lately(sent, rows) or _start(sent, person))


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
    return _Place(parent.conversation, parent, is_complete=parent.digest == digests[-1])


def _moved_along(known: Message, rest: Sequence[tuple[Line, str]]) -> Message:
    """Attach the messages that the program still sends behind `known`, in its order; return the last one.

    Messages are compared by their words: a program may reformat replies.
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
        if alike:
            row = alike.popleft()
            row.parent, row.digest = last, digest
            moved.append(row)
            last = row
    Message.objects.bulk_update(moved, ["parent", "digest"], batch_size=500)
    sweep.delay_on_commit()
    return last


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


def digests_of(lines: Sequence[Line]) -> list[str]:
    """Return the digest of each beginning of the lines, the shortest first."""
    return list(accumulate(lines, lambda before, line: digest_of(before, line.role, line.text), initial=""))[1:]
