"""The job that imports an export's conversations: each message once, however often it runs.

A message is recognised by its key, so a killed run, and an export that has grown, add only what is missing. Each batch
is one commit, which also queues it to be examined and read.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from characters.conversations import exports, services
from characters.conversations.exports import Exported, Role
from characters.conversations.models import IMPORTED, Conversation, ConversationImport, Message, Person
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job, JobStoppedError

BATCH = 500
SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class PlannedMessage:
    """A message to save; `key` is the same in every export that has it."""

    key: str
    role: Role
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlannedConversation:
    """A conversation to save. `person` is the person's id in the export, empty if it names none."""

    outside_id: str
    person: str
    name: str
    messages: tuple[PlannedMessage, ...]

    @property
    def title(self) -> str:
        """Return the beginning of the person's first message."""
        first = next((each for each in self.messages if each.role == "user"), self.messages[0])
        return services.titled(first.text)


def plan(messages: Iterable[Exported], end: datetime) -> list[PlannedConversation]:
    """Return the conversations of an export, oldest first. Messages without a date get one, at most `end`."""
    groups: dict[str, list[Exported]] = {}
    for message in messages:
        groups.setdefault(message.conversation, []).append(message)
    conversations = [_conversation(outside_id, group, end) for outside_id, group in groups.items()]
    return sorted(conversations, key=lambda each: each.messages[0].at)


def _conversation(outside_id: str, group: Sequence[Exported], end: datetime) -> PlannedConversation:
    keys = _keys(outside_id, group)
    return PlannedConversation(
        outside_id=outside_id,
        person=next((each.person for each in group if each.person), ""),
        name=next((each.name for each in group if each.role == "user" and each.name), ""),
        messages=tuple(
            PlannedMessage(key, message.role, message.text, at)
            for key, message, at in zip(keys, group, _dates(group, end), strict=True)
        ),
    )


def _keys(outside_id: str, group: Sequence[Exported]) -> Iterator[str]:
    """Return keys made of text and date; repeats of the same "yes" are numbered."""
    counts: Counter[str] = Counter()
    for message in group:
        content = "\0".join((outside_id, message.role, message.at.isoformat() if message.at else "", message.text))
        counts[content] += 1
        yield hashlib.sha256(f"{counts[content]}\0{content}".encode()).hexdigest()


def _dates(group: Sequence[Exported], end: datetime) -> Iterator[datetime]:
    """Return each message's own date, else one second after the previous message."""
    place, first = next(((place, each.at) for place, each in enumerate(group) if each.at), (len(group), end))
    at = first - SECOND * (place + 1)
    for message in group:
        at = message.at or at + SECOND
        yield at


class GoneError(Exception):
    """The import was cancelled, or its person forgotten, while it ran."""


def run(job: Job) -> None:
    """Import the messages that aren't stored yet, for the import that is the job's subject."""
    import_ = ConversationImport.objects.filter(pk=job.subject.rpartition(":")[2], finished_at=None).first()
    if import_ is None or import_.character is None:
        return
    try:
        _put_all(job, import_, import_.character)
    except GoneError:
        return
    except JobStoppedError:
        if Job.objects.filter(pk=job.pk, wish=Job.Wish.CANCEL).exists():
            close(import_)
        raise
    close(import_)


def _put_all(job: Job, import_: ConversationImport, character: Character) -> None:
    export = exports.read(bytes(import_.content), import_.name, import_.created_at)
    conversations = plan(export.messages, end=import_.created_at)
    total, done = sum(len(each.messages) for each in conversations), 0
    for conversation in conversations:
        last = None
        for start in range(0, len(conversation.messages), BATCH):
            job.progress(done=done, total=total, note=conversation.title)
            batch = conversation.messages[start : start + BATCH]
            last = _put_batch(import_, conversation, batch, character, last)
            done += len(batch)
    job.progress(done=total, total=total, note="Done")


@transaction.atomic
def _put_batch(
    import_: ConversationImport,
    conversation: PlannedConversation,
    batch: Sequence[PlannedMessage],
    character: Character,
    after: "Link | None",
) -> "Link":
    """Save one batch in one commit, if the import is still wanted. Raises `GoneError`."""
    row = ConversationImport.objects.filter(pk=import_.pk, finished_at=None)
    # First of all: whoever cancels waits for this batch, and the next one sees it.
    if not row.update(known=F("known") + len(batch)):
        raise GoneError
    person = import_.person or real_person(conversation.name or conversation.person, conversation.person)
    last, added = put(conversation, batch, character=character, person=person, owner=import_.created_by, after=after)
    row.update(added=F("added") + added, known=F("known") - added)
    return last


def close(import_: ConversationImport) -> None:
    """End the import and delete its file, which holds people's messages."""
    ConversationImport.objects.filter(pk=import_.pk, finished_at=None).update(content=b"", finished_at=timezone.now())


def real_person(name: str, outside_id: str = "") -> Person:
    """Return the real person of that id in their export, else of that name; made if there is none."""
    return Person.objects.get_or_create(
        namespace=IMPORTED, outside_id=outside_id or name, defaults={"name": services.as_name(name)}
    )[0]


class Link(NamedTuple):
    """The end of a chain of messages: the last one, and the last one that was stored before."""

    last: int | None
    known: int | None


def put(
    conversation: PlannedConversation,
    batch: Sequence[PlannedMessage],
    *,
    character: Character,
    person: Person,
    owner: User,
    after: Link | None = None,
) -> tuple[Link, int]:
    """Save the new messages of a chain that follows `after`, in a transaction; return its end and how many are new."""
    row = _row(conversation, character, person, owner)
    there = {
        message.outside_key: message for message in row.messages.filter(outside_key__in=[each.key for each in batch])
    }
    chain = [
        there.get(message.key)
        or Message(conversation=row, role=message.role, text=message.text, at=message.at, outside_key=message.key)
        for message in batch
    ]
    new = [message for message in chain if message.pk is None]
    if after is None:
        earlier = row.messages.filter(at__lte=batch[0].at).order_by("-at", "-pk").values_list("pk", flat=True)
        before = None if batch[0].key in there else earlier.first()
        after = Link(before, before)
    services.enqueue_for_memory(conversation=row, messages=new)
    Message.objects.bulk_create(new)
    end, moved = _link(chain, {message.pk for message in there.values()}, after)
    Message.objects.bulk_update(new, ["parent"])
    _move(row, moved)
    if new:
        _touch(row, max(message.at for message in new))
    return end, len(new)


def _link(chain: Sequence[Message], there: set[int], after: Link) -> tuple[Link, list[Message]]:
    """Let each new message follow the one before it, and stored ones follow new ones.
    A stored one moves only if it followed what the new ones follow, so no cycle can arise.
    """
    moved: list[Message] = []
    last, known = after
    for message in chain:
        if message.pk not in there:
            message.parent_id = last
        else:
            if last != known and message.parent_id == known:
                message.parent_id = last
                moved.append(message)
            known = message.pk
        last = message.pk
    return Link(last, known), moved


def _row(conversation: PlannedConversation, character: Character, person: Person, owner: User) -> Conversation:
    row, _ = Conversation.objects.get_or_create(
        character=character,
        person=person,
        outside_id=conversation.outside_id,
        defaults={
            "owner": owner,
            "title": conversation.title,
            "created_at": conversation.messages[0].at,
            "updated_at": conversation.messages[-1].at,
        },
    )
    return Conversation.objects.select_for_update().select_related("person", "character").get(pk=row.pk)


def _move(row: Conversation, moved: Sequence[Message]) -> None:
    """Save the new parents of stored messages; caches and stores of them are stale."""
    if not moved:
        return
    Message.objects.bulk_update(moved, ["parent"])


def _touch(row: Conversation, last: datetime) -> None:
    Conversation.objects.filter(pk=row.pk, updated_at__lt=last).update(updated_at=last)
