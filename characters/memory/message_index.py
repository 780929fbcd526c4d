"""The index of what a person said to a character: its file, which a worker writes, and what is newer than the file.

A file may still have messages that are no longer remembered: texts are read from the database, which has no such
message. What is forgotten takes the files along (`messages_epoch`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock

import numpy as np

from characters.conversations.models import Acquaintance, Memory, Message
from characters.turn.messages import MessageIndex, PastMessage
from kgadmin.stores import wiring

PREFIX = "person-"
LEAST, SHARE = 50, 400
"""Newer messages from which a file is written again: so many, or the 400th part of those that it has."""


@dataclass(slots=True)
class Indexed:
    """An index with everything up to a place among the remembered messages."""

    index: MessageIndex
    place: int = 0
    file_place: int = 0
    """Place up to which its file goes."""
    lock: Lock = field(default_factory=Lock)
    """Held while rows are read into it, so that two turns don't read the same."""


def owner_of(person: int, character: int | None = None) -> str:
    """Return the name of the index files of a person, or its beginning for all characters."""
    return f"{PREFIX}{person}-{'' if character is None else character}"


def place_of_file(person: int, character: int, epoch: int) -> int:
    """Return the place up to which the newest usable file goes; 0 if there is none."""
    tail = f"-{epoch}-{_mark()}"
    versions = wiring.index_files().versions(owner_of(person, character))
    return max((int(each.partition("-")[0]) for each in versions if each.endswith(tail)), default=0)


def open_file(person: int, character: int, epoch: int) -> Indexed:
    """Return the index of the newest usable file, or an empty one."""
    place = place_of_file(person, character, epoch)
    version = f"{place}-{epoch}-{_mark()}"
    arrays = wiring.index_files().read(owner_of(person, character), version) if place else None
    return Indexed(MessageIndex(arrays), place, place) if arrays else Indexed(MessageIndex())


def read_on(indexed: Indexed, person: int, character: int, most: int | None = None) -> bool:
    """Add what was committed since, up to the first message that isn't examined yet. Return False, having added
    nothing, if that would be more than `most` messages.
    """
    new = Message.objects.of(person, character).filter(place__gt=indexed.place, role=Message.Role.USER)
    fields = ("pk", "conversation_id", "at", "text", "vector", "embedder", "place", "memory")
    ordered = new.order_by("place").values_list(*fields)
    rows = list(ordered if most is None else ordered[: most + 1])
    if most is not None and len(rows) > most:
        return False
    embedder, index = _embedder(), indexed.index
    before = _texts({row[1] for row in rows}, index)
    for pk, conversation, at, text, vector, made_by, place, memory in rows:
        if memory == Memory.WAITING:
            break  # later messages are read once this one is examined
        indexed.place = place
        if memory != Memory.QUOTABLE:
            continue
        usable = np.frombuffer(vector, dtype=np.float32) if vector and made_by == embedder else None
        index.add(PastMessage(pk, conversation, at, text), usable, before.get(conversation, ""))
    return True


def _texts(conversations: Iterable[int], index: MessageIndex) -> dict[int, str]:
    """Return the texts of the newest stored messages of conversations that go on."""
    newest = {each: key for each in conversations if (key := index.stored_before(each)) is not None}
    texts = dict(Message.objects.filter(pk__in=newest.values()).values_list("pk", "text")) if newest else {}
    return {conversation: texts.get(key, "") for conversation, key in newest.items()}


def take_vectors(index: MessageIndex, most: int) -> None:
    """Add the vectors that were made since of the newest messages without one."""
    if not (waiting := index.without_vector[-most:]):
        return
    rows = Message.objects.filter(pk__in=waiting, embedder=_embedder(), vector__isnull=False)
    for pk, vector in rows.values_list("pk", "vector"):
        index.set_vector(pk, np.frombuffer(vector or b"", dtype=np.float32))


def renew(acquaintance: Acquaintance) -> None:
    """Write the file of a person and a character again, if enough was said since."""
    person, character, epoch = acquaintance.person_id, acquaintance.character_id, acquaintance.messages_epoch
    indexed = open_file(person, character, epoch)
    if acquaintance.places - indexed.place < max(LEAST, len(indexed.index) // SHARE):
        return
    read_on(indexed, person, character)
    if indexed.place == indexed.file_place:
        return
    owner = owner_of(person, character)
    wiring.index_files().write(owner, f"{indexed.place}-{epoch}-{_mark()}", indexed.index.arrays())
    if not Acquaintance.objects.filter(pk=acquaintance.pk, messages_epoch=epoch).exists():
        wiring.index_files().drop(owner)  # forgotten meanwhile


def drop(person: int, character: int | None = None) -> None:
    """Delete the files of a person, with one character or all."""
    files, name = wiring.index_files(), owner_of(person, character)
    for owner in files.owners():
        if owner == name or (character is None and owner.startswith(name)):
            files.drop(owner)


def drop_forgotten() -> None:
    """Delete the files of people who are gone, and those from before something was forgotten: another machine's
    process may have forgotten it.
    """
    rows = Acquaintance.objects.values_list("person_id", "character_id", "messages_epoch")
    epochs = {owner_of(person, character): f"-{epoch}-" for person, character, epoch in rows}
    files = wiring.index_files()
    for owner in files.owners():
        if owner.startswith(PREFIX) and not all(epochs.get(owner, "?") in each for each in files.versions(owner)):
            files.drop(owner)


def _embedder() -> str:
    embedder = wiring.embedder()
    return "" if embedder.state == "down" else embedder.id


def _mark() -> str:
    return blake2b(_embedder().encode(), digest_size=6).hexdigest()
