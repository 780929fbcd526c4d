"""The job that puts an export's conversations in: each message once, however often it runs.

A message is known again by its key within its conversation, so a run that was killed, and a second import of an export
that has grown, add what isn't there. Each batch is one commit, with the marks by which it is read and projected.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from characters.conversations import exports, services
from characters.conversations.export_formats import Exported, Role
from characters.conversations.models import Acquaintance, Conversation, ConversationImport, Message, Person
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job, JobStoppedError

BATCH = 500
REAL_PEOPLE = "import"
"""Namespace of the people whom imports bring."""
SECOND = timedelta(seconds=1)


class GoneError(Exception):
    """The import was cancelled, or its person forgotten, while it ran."""


@dataclass(frozen=True, slots=True)
class PlannedMessage:
    """A message as it will be saved; `key` is the same in every export that holds it."""

    key: str
    role: Role
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlannedConversation:
    """A conversation as it will be saved. `person` is the person's id in the export, empty where it names none."""

    outside_id: str
    person: str
    name: str
    messages: tuple[PlannedMessage, ...]

    @property
    def title(self) -> str:
        """Its first message's beginning."""
        first = next((each for each in self.messages if each.role == "user"), self.messages[0])
        return services.titled(first.text)


def plan(messages: Iterable[Exported], end: datetime) -> list[PlannedConversation]:
    """The conversations of an export, oldest first. Messages without a date get one, `end` at the latest."""
    groups: dict[str, list[Exported]] = {}
    for message in messages:
        groups.setdefault(message.conversation, []).append(message)
    found = [_conversation(outside_id, group, end) for outside_id, group in groups.items()]
    return sorted(found, key=lambda each: each.messages[0].at)


def _conversation(outside_id: str, group: Sequence[Exported], end: datetime) -> PlannedConversation:
    keys = _keys(outside_id, group)
    return PlannedConversation(
        outside_id=outside_id,
        person=next((each.person for each in group if each.person), ""),
        name=next((each.name for each in group if each.role == "user" and each.name), ""),
        messages=tuple(
            PlannedMessage(key, each.role, each.text, at)
            for key, each, at in zip(keys, group, _dates(group, end), strict=True)
        ),
    )


def _keys(outside_id: str, group: Sequence[Exported]) -> Iterator[str]:
    """By what a message says, and when; the same "yes" twice is told apart by how many came before it."""
    seen: Counter[str] = Counter()
    for each in group:
        content = "\0".join((outside_id, each.role, each.at.isoformat() if each.at else "", each.text))
        seen[content] += 1
        yield hashlib.sha256(f"{seen[content]}\0{content}".encode()).hexdigest()


def _dates(group: Sequence[Exported], end: datetime) -> Iterator[datetime]:
    """Each message's own date; else a second after the message before it."""
    place, first = next(((place, each.at) for place, each in enumerate(group) if each.at), (len(group), end))
    at = first - SECOND * (place + 1)
    for each in group:
        at = each.at or at + SECOND
        yield at


def run(job: Job) -> None:
    """Put in what isn't there yet of the import that is the job's subject."""
    found = ConversationImport.objects.filter(pk=job.subject.rpartition(":")[2], finished_at=None).first()
    if found is None or found.character is None:
        return
    try:
        _put_all(job, found, found.character)
    except GoneError:
        return
    except JobStoppedError:
        if Job.objects.filter(pk=job.pk, wish=Job.Wish.CANCEL).exists():
            close(found)
        raise
    close(found)


def planned(found: ConversationImport) -> list[PlannedConversation]:
    """What the uploaded file holds."""
    export = exports.read(bytes(found.content), found.name, found.created_at)
    return plan(export.messages, end=found.created_at)


def _put_all(job: Job, found: ConversationImport, character: Character) -> None:
    conversations = planned(found)
    total, done = sum(len(each.messages) for each in conversations), 0
    for conversation in conversations:
        last = None
        for start in range(0, len(conversation.messages), BATCH):
            job.progress(done=done, total=total, note=conversation.title)
            batch = conversation.messages[start : start + BATCH]
            last = _put_batch(found, conversation, batch, character, last)
            done += len(batch)
    job.progress(done=total, total=total, note="Done")


@transaction.atomic
def _put_batch(
    found: ConversationImport,
    conversation: PlannedConversation,
    batch: Sequence[PlannedMessage],
    character: Character,
    last: int | None,
) -> int | None:
    """One commit, if the import is still wanted. Raises `GoneError`."""
    row = ConversationImport.objects.filter(pk=found.pk, finished_at=None)
    # First of all: whoever cancels waits for this batch, and the next one sees it.
    if not row.update(known=F("known") + len(batch)):
        raise GoneError
    person = found.person or person_of_file(conversation)
    last, added = put(conversation, batch, character=character, person=person, owner=found.created_by, after=last)
    row.update(added=F("added") + added, known=F("known") - added)
    return last


def close(found: ConversationImport) -> None:
    """End the import; the file, which holds what people said, goes."""
    ConversationImport.objects.filter(pk=found.pk, finished_at=None).update(content=b"", finished_at=timezone.now())


def person_of_file(conversation: PlannedConversation) -> Person:
    """The real person whom the file names."""
    name = (conversation.name or conversation.person)[:100]
    return Person.objects.get_or_create(namespace=REAL_PEOPLE, outside_id=conversation.person, defaults={"name": name})[
        0
    ]


def put(
    conversation: PlannedConversation,
    batch: Sequence[PlannedMessage],
    *,
    character: Character,
    person: Person,
    owner: User,
    after: int | None = None,
) -> tuple[int | None, int]:
    """Save what is new of some messages that follow each other. The last one's id, and how many were new.

    `after` is the message before the first of them. Call it in a transaction.
    """
    row = _row(conversation, character, person, owner)
    keys = [each.key for each in batch]
    there = {message.outside_key: message for message in row.messages.filter(outside_key__in=keys).only(*_LINKS)}
    new = [_message(row, each) for each in batch if each.key not in there]
    if new:
        services.mark(conversation=row, messages=new)
        Message.objects.bulk_create(new)
        if batch[0].key not in there and after is None:
            after = _before(row, batch[0].at, new)
        moved = _link([{**there, **{each.outside_key: each for each in new}}[key] for key in keys], set(there), after)
        Message.objects.bulk_update([*new, *moved], ["parent"])
        _touch(row, max(message.at for message in new), moved=bool(moved))
        return _last(new, there, keys[-1]), len(new)
    return there[keys[-1]].pk, 0


_LINKS = ("outside_key", "parent_id", "conversation_id")


def _last(new: Iterable[Message], there: Mapping[str, Message], key: str) -> int:
    return there[key].pk if key in there else next(each.pk for each in new if each.outside_key == key)


def _link(chain: Sequence[Message], there: set[str], after: int | None) -> list[Message]:
    """Let each new message follow the one before it; those of the old ones that now follow a new one.

    An old message moves only if it followed what the new ones follow, so no circle can come of it.
    """
    moved: list[Message] = []
    previous, base = after, after
    for message in chain:
        if message.outside_key not in there:
            message.parent_id = previous
        else:
            if previous != base and message.parent_id == base:
                message.parent_id = previous
                moved.append(message)
            base = message.pk
        previous = message.pk
    return moved


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


def _message(row: Conversation, planned: PlannedMessage) -> Message:
    return Message(conversation=row, role=planned.role, text=planned.text, at=planned.at, outside_key=planned.key)


def _before(row: Conversation, at: datetime, new: Sequence[Message]) -> int | None:
    """What the first message of an export follows, in a conversation that may have begun before."""
    earlier = row.messages.exclude(pk__in=[each.pk for each in new]).filter(at__lte=at).order_by("-at", "-pk")
    return earlier.values_list("pk", flat=True).first()


def _touch(row: Conversation, last: datetime, *, moved: bool) -> None:
    """Keep the date, and say that what processes keep of the pair is old where an old message moved."""
    Conversation.objects.filter(pk=row.pk, updated_at__lt=last).update(updated_at=last)
    if moved:
        pair = Acquaintance.objects.filter(person_id=row.person_id, character_id=row.character_id)
        pair.update(messages_epoch=F("messages_epoch") + 1)
