"""The index of what a person said to a character: its file, which a worker writes, and what is newer than the file.

A file may still have messages that are no longer remembered: texts are read from the database, which has no such
message. What is forgotten takes the files along (`messages_epoch`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock

import numpy as np
from django.db.models import Q, Subquery
from django.db.models.functions import Coalesce

from characters.conversations.models import Acquaintance, Memory, Message
from characters.domain.topics import TALK
from characters.turn.messages import MessageIndex, PastMessage
from characters.turn.request import Vectors
from kgadmin.knowledge.readers import talk
from kgadmin.stores import wiring
from kgadmin.stores.cache import Cache
from kgadmin.stores.index_files import MAPPED_FROM

PREFIX = "person-"
MAX_PLACE = 2**31 - 1
FORM = 3
"""Form of the files; those of an earlier one are written anew."""
LEAST, SHARE = 50, 400
"""Newer messages from which a file is written again: so many, or the 400th part of those that it has."""
MOST_WITHDRAWN = 10
"""Messages that are no longer remembered, with which a file still goes on: they take the place of others in recall."""


@dataclass(slots=True)
class Indexed:
    """An index with everything up to a place among the remembered messages."""

    index: MessageIndex
    place: int = 0
    file_place: int = 0
    """Place up to which its file goes."""
    lock: Lock = field(default_factory=Lock)
    """Held while rows are read into it, so that two turns don't read the same."""


CACHED: Cache[str, Indexed] = Cache("Earlier messages", 150_000_000)
"""Indexes of this process, by owner and epoch."""
MESSAGE_BYTES = 1_500
"""Bytes per message that isn't in a mapped file, with MiniLM's vector."""


def keep(owner: str, indexed: Indexed, epoch: int) -> MessageIndex:
    """Cache an index for the next turns, and return it."""
    mapped = max(0, indexed.index.stored - MAPPED_FROM // MESSAGE_BYTES) if indexed.index.is_file else 0
    size = MESSAGE_BYTES * (len(indexed.index) - mapped)
    return CACHED.put(owner, indexed, size + MESSAGE_BYTES, epoch).index


def owner_of(person: int, character: int | None = None) -> str:
    """Return the name of the index files of a person, or its beginning for all characters."""
    return f"{PREFIX}{person}-{'' if character is None else character}"


def place_of_file(person: int, character: int, epoch: int) -> int:
    """Return the place up to which the newest usable file goes; 0 if there is none."""
    tail = _tail(epoch)
    versions = wiring.index_files().versions(owner_of(person, character))
    return max((int(each.partition("-")[0]) for each in versions if each.endswith(tail)), default=0)


def open_file(person: int, character: int, epoch: int) -> Indexed:
    """Return the index of the newest usable file, or an empty one."""
    place = place_of_file(person, character, epoch)
    version = f"{place}{_tail(epoch)}"
    arrays = wiring.index_files().read(owner_of(person, character), version) if place else None
    return Indexed(MessageIndex(arrays), place, place) if arrays else Indexed(MessageIndex())


def read_on(indexed: Indexed, person: int, character: int, *, most: int | None = None, embedded: bool = False) -> bool:
    """Add what was committed since, up to the first message that isn't examined yet (with `embedded`, that has no
    vector yet). Return False, having added nothing, if that would be more than `most` messages.
    """
    remembered = Message.objects.of(person, character).filter(place__gt=indexed.place, role=Message.Role.USER)
    embedder, index = _embedder(), indexed.index
    unfit = Q(memory=Memory.WAITING)
    if embedded:
        unfit |= Q(memory=Memory.QUOTABLE) & (Q(vector=None) | ~Q(embedder=embedder))
    waiting = remembered.filter(unfit).order_by("place").values("place")[:1]
    new = remembered.filter(place__lt=Coalesce(Subquery(waiting), MAX_PLACE))
    fields = ("pk", "conversation_id", "at", "text", "vector", "embedder", "place", "memory")
    ordered = new.order_by("place").values_list(*fields)
    rows = list(ordered if most is None else ordered[: most + 1])
    if most is not None and len(rows) > most:
        return False
    before = _texts({row[1] for row in rows}, index)
    for pk, conversation, at, text, vector, made_by, place, memory in rows:
        indexed.place = place
        if memory == Memory.QUOTABLE:
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
    if _withdrawn(indexed.index, person, character) > MOST_WITHDRAWN:
        indexed = Indexed(MessageIndex(), file_place=indexed.file_place)
    read_on(indexed, person, character, embedded=True)
    if indexed.place == indexed.file_place:
        return
    owner = owner_of(person, character)
    arrays = indexed.index.arrays(talk_vectors())
    wiring.index_files().write(owner, f"{indexed.place}{_tail(epoch)}", arrays)
    if not Acquaintance.objects.filter(pk=acquaintance.pk, messages_epoch=epoch).exists():
        drop(person, character)  # forgotten meanwhile


def _withdrawn(index: MessageIndex, person: int, character: int) -> int:
    """Return how many of the messages of an index are no longer remembered."""
    rows = Message.objects.of(person, character).filter(memory=Memory.QUOTABLE, role=Message.Role.USER)
    return len(set(index.ids.tolist()) - set(rows.values_list("pk", flat=True)))


def drop(person: int, character: int | None = None) -> None:
    """Delete the files of a person, with one character or all, and what this process has of them."""
    files, name = wiring.index_files(), owner_of(person, character)
    for owner in {*files.owners(), *CACHED.keys()}:
        if owner == name or (character is None and owner.startswith(name)):
            files.drop(owner)
            CACHED.drop(owner)


def drop_forgotten() -> None:
    """Delete the files of people who are gone, and those from before something was forgotten, since another machine's
    process may have forgotten it, or from after the backup that the database was restored from.
    """
    rows = Acquaintance.objects.values_list("person_id", "character_id", "messages_epoch", "places")
    known = {owner_of(person, character): (f"-{epoch}-", places) for person, character, epoch, places in rows}
    files = wiring.index_files()
    for owner in files.owners():
        epoch, places = known.get(owner, ("?", 0))
        versions = files.versions(owner) if owner.startswith(PREFIX) else ()
        if any(epoch not in each or int(each.partition("-")[0]) > places for each in versions):
            files.drop(owner)


def talk_vectors() -> Vectors:
    """Return the vectors of everyday talk, none while the embedder is down."""
    return talk() if _embedder() else np.zeros((0, 0), dtype=np.float32)


def _embedder() -> str:
    embedder = wiring.embedder()
    return "" if embedder.state == "down" else embedder.id


def _tail(epoch: int) -> str:
    """Return what follows the place in the name of a version: the epoch and a digest of form, embedder and talk."""
    form = f"{FORM}{_embedder()}{TALK}"
    return f"-{epoch}-{blake2b(form.encode(), digest_size=6).hexdigest()}"
