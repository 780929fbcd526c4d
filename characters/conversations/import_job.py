"""The job that imports an export's conversations: each message once, however often it runs.

A message is known again by its key within its conversation, so a run that was killed, and a second import of an export
that has grown, add what isn't there. Each batch is one commit, with which it waits to be examined and read.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from characters.conversations import exports, services
from characters.conversations.models import IMPORTED, Acquaintance, Conversation, ConversationImport, Message, Person
from characters.conversations.plan import PlannedConversation, PlannedMessage, plan
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job, JobStoppedError

BATCH = 500


class GoneError(Exception):
    """The import was cancelled, or its person forgotten, while it ran."""


def run(job: Job) -> None:
    """Import the messages that aren't stored yet, of the import that is the job's subject."""
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


def planned(import_: ConversationImport) -> list[PlannedConversation]:
    """The conversations of the uploaded file."""
    export = exports.read(bytes(import_.content), import_.name, import_.created_at)
    return plan(export.messages, end=import_.created_at)


def _put_all(job: Job, import_: ConversationImport, character: Character) -> None:
    conversations = planned(import_)
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
    """One commit, if the import is still wanted. Raises `GoneError`."""
    row = ConversationImport.objects.filter(pk=import_.pk, finished_at=None)
    # First of all: whoever cancels waits for this batch, and the next one sees it.
    if not row.update(known=F("known") + len(batch)):
        raise GoneError
    person = import_.person or real_person(conversation.name or conversation.person, conversation.person)
    last, added = put(conversation, batch, character=character, person=person, owner=import_.created_by, after=after)
    row.update(added=F("added") + added, known=F("known") - added)
    return last


def close(import_: ConversationImport) -> None:
    """End the import and delete its file, which holds what people said."""
    ConversationImport.objects.filter(pk=import_.pk, finished_at=None).update(content=b"", finished_at=timezone.now())


def real_person(name: str, outside_id: str = "") -> Person:
    """The real person of that id in their export, else of that name; made if there is none."""
    return Person.objects.get_or_create(
        namespace=IMPORTED, outside_id=outside_id or name, defaults={"name": services.as_name(name)}
    )[0]


class Link(NamedTuple):
    """The end of a chain of messages: the last one, and the last one of those that were there before."""

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
    """Save what is new of some messages that follow each other. Where they end, and how many were new.

    `after` is where the messages before them ended. Call it in a transaction.
    """
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
        before = None if batch[0].key in there else _before(row, batch[0].at)
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
    """Let each new message follow the one before it; the old ones that now follow a new one.

    An old message moves only if it followed what the new ones follow, so no circle can come of it.
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


def _before(row: Conversation, at: datetime) -> int | None:
    """What the first message of an export follows, in a conversation that may have begun before."""
    earlier = row.messages.filter(at__lte=at).order_by("-at", "-pk")
    return earlier.values_list("pk", flat=True).first()


def _move(row: Conversation, moved: Sequence[Message]) -> None:
    """Save what old messages follow now. What stores and processes keep of them is old."""
    if not moved:
        return
    Message.objects.bulk_update(moved, ["parent"])
    pair = Acquaintance.objects.filter(person_id=row.person_id, character_id=row.character_id)
    pair.update(messages_epoch=F("messages_epoch") + 1)


def _touch(row: Conversation, last: datetime) -> None:
    Conversation.objects.filter(pk=row.pk, updated_at__lt=last).update(updated_at=last)
