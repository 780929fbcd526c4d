"""Upload an export, preview it, and start, stop and delete its import."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Field

from characters.conversations import exports, import_job
from characters.conversations.exports import Exported
from characters.conversations.models import IMPORTED, ConversationImport, Person, RefusedLine
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused
from kgadmin.rest.schemas import Body, Id, Line, Slug

PREVIEW_LIFETIME = timedelta(days=1)
"""Lifetime of a preview that nobody started: it holds people's messages."""
NEW, OF_FILE = "new", "file"
PEOPLE_LISTED = 500


class StartIn(Body):
    """Whose conversations these are, and with whom: a person's id, somebody `new`, or the people named in the
    `file`.
    """

    character: Slug = Field(examples=["elena"])
    who: Id | Literal["new", "file"] = Field(examples=["new"])
    name: Line = Field("", max_length=100, examples=["Mark"], description="Only for a new person.")


def people_for(user: User) -> QuerySet[Person]:
    """Return the people for whom this user imports conversations: imported ones, and test people that they may play."""
    return Person.objects.filter(namespace=IMPORTED) | Person.objects.playable_by(user)


def is_all_named(import_: ConversationImport) -> bool:
    """Return whether the file names the person of each of its conversations."""
    return bool(import_.preview["people"] and import_.preview["all_named"])


def people_choices(import_: ConversationImport, user: User) -> list[tuple[str, str]]:
    """Return the options for the person: (value, label)."""
    named = len(import_.preview["people"])
    of_file = f"The people named in the file ({named})" if named > 1 else "The person named in the file"
    return [
        *([(OF_FILE, of_file)] if is_all_named(import_) else []),
        (NEW, "A new person"),
        *(
            (str(person.pk), f"{person.name}{', test person' if person.is_test else ''}")
            for person in people_for(user)[:PEOPLE_LISTED]
        ),
    ]


def take(file: "UploadedFile[bytes] | None", *, by: User) -> ConversationImport:
    """Store an uploaded export as a preview. Raises `Refused`."""
    if file is None:
        raise Refused("Choose a file first.")
    if (file.size or 0) > exports.MAX_BYTES:
        sentence = f"The file has {(file.size or 0) / 1e6:.1f} MB; at most {exports.MAX_BYTES / 1e6:g} are allowed."
        raise Refused(f"{sentence} {exports.SPLIT}", status=413)
    return upload(name=file.name or "import.jsonl", content=file.read(), by=by)


def upload(*, name: str, content: bytes, by: User) -> ConversationImport:
    """Store an export as a preview. Raises `Refused`."""
    export = exports.read(content, name, timezone.now())
    with transaction.atomic():
        ConversationImport.objects.filter(started_at=None, created_at__lt=timezone.now() - PREVIEW_LIFETIME).delete()
        import_ = ConversationImport.objects.create(
            name=name[:200], format=export.format, content=content, preview=summary(export.messages), created_by=by
        )
        RefusedLine.objects.bulk_create(
            (RefusedLine(of=import_, line=each.line, reason=each.reason[:300]) for each in export.refused),
            batch_size=500,
        )
    return import_


def summary(messages: Sequence[Exported]) -> dict[str, Any]:
    """Return a summary of an export: counts, dates, the people and the characters it names."""
    dates = sorted(each.at for each in messages if each.at)
    people = Counter(each.person for each in messages if each.role == "user" and each.person)
    names = {each.person: each.name for each in messages if each.role == "user" and each.name}
    conversations = {each.conversation: "" for each in messages}
    conversations |= {each.conversation: each.person for each in messages if each.person}
    return {
        "conversations": len(conversations),
        "user": sum(each.role == "user" for each in messages),
        "assistant": sum(each.role == "assistant" for each in messages),
        "first": dates[0].isoformat() if dates else "",
        "last": dates[-1].isoformat() if dates else "",
        "undated": len(messages) - len(dates),
        "people": [{"id": id, "name": names.get(id, id), "messages": count} for id, count in people.most_common()],
        "all_named": all(conversations.values()),
        "users": _speakers(messages, "user"),
        "characters": _speakers(messages, "assistant"),
    }


def _speakers(messages: Sequence[Exported], role: str) -> list[str]:
    names = Counter(each.name for each in messages if each.role == role and each.name)
    return [name for name, _ in names.most_common(10)]


def importable_characters() -> QuerySet[Character]:
    """Return live characters, for which conversations can be imported."""
    return Character.objects.filter(live_revision__isnull=False, archived_at=None)


def guesses(import_: ConversationImport) -> dict[str, str]:
    """Return what the form preselects: the character and the people named in the file, and a new person's name."""
    character = _guessed_character(import_)
    people = [each["name"] for each in import_.preview["people"]]
    name = str(next(iter([*people, *import_.preview["users"]]), ""))
    known = Person.objects.filter(namespace=IMPORTED, outside_id=name).first()
    who = OF_FILE if is_all_named(import_) else str(known.pk) if known else NEW
    return {"character": character.slug if character else "", "who": who, "name": name}


def _guessed_character(import_: ConversationImport) -> Character | None:
    rows = list(importable_characters())
    for name in map(str.casefold, import_.preview["characters"]):
        same = [row for row in rows if name in {row.slug, row.name.casefold(), row.name.casefold().split()[0]}]
        if len(same) == 1:
            return same[0]
    return rows[0] if len(rows) == 1 else None


def start_as_asked(import_: ConversationImport, asked: StartIn, *, by: User) -> Job:
    """Start the job for the requested character and person. Raises `Refused`."""
    if not import_.is_draft:
        raise Refused("This import was already started. To import the file again, upload it again.", status=409)
    character = importable_characters().filter(slug=asked.character).first()
    if character is None:
        raise Refused("There is no such live character. Choose one from the list.")
    return start(import_=import_, character=character, person=_person(import_, asked, by), by=by)


def _person(import_: ConversationImport, asked: StartIn, by: User) -> Person | None:
    if asked.who == OF_FILE and is_all_named(import_):
        return None
    if asked.who == NEW:
        if not asked.name:
            raise Refused("Enter a name, or choose someone from the list.")
        if Person.objects.filter(namespace=IMPORTED, outside_id=asked.name).exists():
            raise Refused(f"{asked.name} is already there. Choose them from the list, or enter another name.")
        return import_job.real_person(asked.name)
    person = people_for(by).filter(pk=asked.who).first() if isinstance(asked.who, int) else None
    if person is None:
        raise Refused("Conversations can't be imported for this person. Choose somebody from the list.")
    return person


def start(*, import_: ConversationImport, character: Character, person: Person | None, by: User) -> Job:
    """Start the job. Without a person the conversations go to the people named in the file."""
    with transaction.atomic():
        unstarted = ConversationImport.objects.filter(pk=import_.pk, started_at=None)
        if unstarted.update(character=character, person=person, started_at=timezone.now()):
            into = {"person": person.graph_id} if person else {}  # without the file's name: it may be a person's
            act = Act("started", import_.subject, character.graph_id, after=into)
            record(act, actor=by, people=[person.pk] if person else [])
        import_.refresh_from_db()
        return jobs.start(kind=ConversationImport.JOB_KIND, subject=import_.subject, by=by)


def discard(import_: ConversationImport) -> None:
    """Delete a preview, or the record of an import that has ended; imported messages stay. Raises `Refused`."""
    if import_.job and import_.job.is_open:
        raise Refused("The import is still running. Cancel its job first.", status=409)
    import_.delete()


def abandon(person: Person) -> None:
    """Delete every import that may hold messages of this person, before they are forgotten in the same transaction."""
    for import_ in ConversationImport.objects.defer("content"):
        if not _is_about(import_, person):
            continue
        if job := import_.job:
            job.cancel()
        import_.delete()


def _is_about(import_: ConversationImport, person: Person) -> bool:
    if import_.person_id:
        return import_.person_id == person.pk
    is_named = person.outside_id in {each["id"] for each in import_.preview["people"]}
    if import_.is_draft:
        return is_named or person.name in import_.preview["users"]
    return is_named and person.namespace == IMPORTED


def import_for(pk: int) -> ConversationImport:
    """Return the import, without its file; 404 if there is none."""
    rows = ConversationImport.objects.defer("content").select_related("character", "person", "created_by")
    import_ = get_object_or_404(rows, pk=pk)
    if (job := import_.job) and job.state == Job.State.CANCELLED:
        import_job.close(import_)  # no worker was at it
    return import_
