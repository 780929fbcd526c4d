"""A turn's reads of what a character remembers of a person. Rows are read again only when their version changed."""

from collections.abc import Sequence
from threading import Lock

import numpy as np
from django.db.models import Q

from characters.conversations.models import Memory, Message
from characters.domain.entities import Entity, EntityMatcher, of_facts
from characters.domain.people import KnownFact
from characters.memory.models import Entity as EntityRow
from characters.memory.models import Relation, UserFact
from characters.turn import user_facts
from characters.turn.messages import MessageIndex, PastMessage
from characters.turn.request import Known, Related, TurnRequest
from kgadmin.stores import wiring
from kgadmin.stores.cache import Cache

KNOWN_BYTES = 100_000_000
FACT_BYTES, ENTITY_BYTES = 4_500, 1_000
"""Bytes per fact and entity, with MiniLM's vector and search data."""
MESSAGES_BYTES = 150_000_000
MESSAGE_BYTES = 1_500
"""Bytes per message, with MiniLM's vector: a process caches 100,000, of all people."""
MAX_CHECKED = 500
"""Messages without a vector that are queried again each turn."""


class _Remembered:
    """A person's messages in this process's cache, up to `place`."""

    def __init__(self) -> None:
        self.place = 0
        self.index: MessageIndex = MessageIndex()
        self.lock = Lock()


_KNOWN: Cache[tuple[str, str], Known] = Cache(KNOWN_BYTES)
_INDEXES: Cache[tuple[str, str], _Remembered] = Cache(MESSAGES_BYTES)


def known(request: TurnRequest) -> Known:
    """Return what the character knows of the request's person, and the entities of its own sheet."""
    pair = (request.person_id, request.character)
    version = (request.facts_version, request.revision, request.learned)
    cached = _KNOWN.get(pair, version) if request.revision is not None else None
    if cached:
        return cached
    facts, vectors = _facts(request)
    entities, of_sheet = _entities(request, facts), of_facts(request.facts, request.character)
    stems = tuple(map(user_facts.stems_of, facts))
    fresh = Known(entities, facts, stems, vectors, EntityMatcher(entities), of_sheet, EntityMatcher(of_sheet))
    size = FACT_BYTES * len(fresh.facts) + ENTITY_BYTES * (len(fresh.entities) + len(fresh.character_entities) + 1)
    return _KNOWN.put(pair, fresh, size, version)


def _facts(request: TurnRequest) -> tuple[tuple[KnownFact, ...], np.ndarray | None]:
    rows = list(
        UserFact.objects.of(_pk(request.person_id), _pk(request.character))
        .current()
        .select_related("subject", "object")
    )
    embedder = wiring.embedder()
    usable = [row.vector if embedder.state != "down" and row.embedder == embedder.id else None for row in rows]
    size = next((len(vector) // 4 for vector in usable if vector), 0)
    vectors = np.zeros((len(rows), size), dtype=np.float32) if size else None
    if vectors is not None:
        for place, vector in enumerate(usable):
            if vector:
                vectors[place] = np.frombuffer(vector, dtype=np.float32)
    return tuple(map(_known_fact, rows)), vectors


def _known_fact(row: UserFact) -> KnownFact:
    return KnownFact(
        id=row.graph_id,
        subject=row.subject.graph_id if row.subject else "",
        subject_name=row.subject.name if row.subject else "",
        predicate=row.predicate,
        object=row.object.graph_id,
        object_name=row.object.name,
        text=row.text,
        confidence=row.confidence,
        mentions=row.mentions,
        first_seen=row.first_seen,
        last_seen=row.last_seen,
    )


def _entities(request: TurnRequest, facts: Sequence[KnownFact]) -> tuple[Entity, ...]:
    """Return the entities that this character knows facts of, not those only others know."""
    wanted = {_pk(each) for fact in facts for each in (fact.subject, fact.object) if each}
    rows = EntityRow.objects.filter(person_id=_pk(request.person_id)).prefetch_related("aliases").order_by("id")
    return tuple(
        Entity(row.graph_id, row.name, row.kind, tuple(alias.text for alias in row.aliases.all()))  # type: ignore[arg-type]
        for row in rows
        if row.pk in wanted
    )


def past_messages(request: TurnRequest) -> MessageIndex:
    """Return the person's earlier messages to the character, with everything committed until now."""
    pair = (request.person_id, request.character)
    epoch = request.messages_epoch
    cached = _INDEXES.get(pair, epoch) or _INDEXES.put(pair, _Remembered(), 0, epoch)
    with cached.lock:
        _read_on(cached, request)
    _INDEXES.put(pair, cached, MESSAGE_BYTES * len(cached.index), epoch)
    return cached.index


def _read_on(cached: _Remembered, request: TurnRequest) -> None:
    rows = Message.objects.of(_pk(request.person_id), _pk(request.character))
    embedder = wiring.embedder()
    embedder_id = "" if embedder.state == "down" else embedder.id
    waiting = [_pk(each) for each in cached.index.without_vector[-MAX_CHECKED:]]
    if waiting:
        embedded = rows.filter(pk__in=waiting, embedder=embedder_id, vector__isnull=False)
        for pk, vector in embedded.values_list("pk", "vector"):
            cached.index.set_vector(f"message:{pk}", np.frombuffer(vector or b"", dtype=np.float32))
    new = rows.filter(place__gt=cached.place)
    fields = ("pk", "conversation_id", "at", "text", "vector", "embedder", "place", "memory")
    messages = list(new.filter(role=Message.Role.USER).order_by("place").values_list(*fields))
    replies = dict(new.filter(role=Message.Role.ASSISTANT, memory=Memory.QUOTABLE).values_list("parent_id", "text"))
    for pk, conversation, at, text, vector, made_by, place, memory in messages:
        if memory == Memory.WAITING:
            break  # later messages are read once this one is examined
        cached.place = place
        if memory != Memory.QUOTABLE:
            continue
        message = PastMessage(f"message:{pk}", str(conversation), at, text, replies.get(pk, ""))
        usable = np.frombuffer(vector, dtype=np.float32) if vector and made_by == embedder_id else None
        cached.index.add(message, usable)


def related(request: TurnRequest, ids: Sequence[str]) -> list[Related]:
    """Return the drawn relations of these messages of the person."""
    keys = [_pk(each) for each in ids]
    rows = Relation.objects.drawn().filter(
        Q(earlier_id__in=keys) | Q(later_id__in=keys),
        person_id=_pk(request.person_id),
        character_id=_pk(request.character),
    )
    return [
        Related(f"message:{row.earlier_id}", f"message:{row.later_id}", row.relation, row.confidence)  # type: ignore[arg-type]
        for row in rows
    ]


def forget_all() -> None:
    """Empty this process's caches; the rows are read again."""
    _KNOWN.clear()
    _INDEXES.clear()


def _pk(graph_id: str) -> int:
    return int(graph_id.rpartition(":")[2])
