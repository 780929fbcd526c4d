"""A turn's reads of what a character remembers of a person. Rows are read again only when their version changed."""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from django.db import connections
from django.db.models import OuterRef, Q, Subquery, TextField, Value
from django.db.models.functions import Coalesce

from characters.conversations.models import Memory, Message
from characters.domain.entities import Entity, of_facts
from characters.domain.people import EntityKind, KnownFact
from characters.memory import message_index
from characters.memory.models import Alias, Relation, UserFact
from characters.turn import user_facts
from characters.turn.messages import MessageIndex, PastMessage
from characters.turn.request import Known, Related, TurnRequest
from kgadmin.stores import wiring
from kgadmin.stores.cache import Cache

logger = logging.getLogger(__name__)

KNOWN_BYTES = 100_000_000
FACT_BYTES, ENTITY_BYTES = 4_500, 1_000
"""Bytes per fact and entity, with MiniLM's vector and search data."""
MAX_CHECKED = 500
"""Messages without a vector that are queried again each turn."""
MOST_READ = 500
"""Messages that a turn reads into an index; more would take longer than the turn itself."""


_KNOWN: Cache[tuple[str, str], Known] = Cache("Facts about people", KNOWN_BYTES)
_MAKING: set[str] = set()
_MAKERS = ThreadPoolExecutor(1, thread_name_prefix="indexes")


def known(request: TurnRequest) -> Known:
    """Return what the character knows of the request's person, and the entities of its own sheet."""
    pair = (request.person_id, request.character)
    version = (request.facts_version, request.revision, request.learned)
    cached = _KNOWN.get(pair, version) if request.revision is not None else None
    if cached:
        return cached
    facts, entities, vectors = _facts(request)
    of_sheet = of_facts(request.facts, request.character)
    fresh = user_facts.known_of(facts, entities, vectors, of_sheet)
    size = FACT_BYTES * len(facts) + ENTITY_BYTES * (len(entities) + len(of_sheet) + 1)
    return _KNOWN.put(pair, fresh, size, version)


def _facts(request: TurnRequest) -> tuple[tuple[KnownFact, ...], tuple[Entity, ...], np.ndarray | None]:
    """Return the facts that this character knows, the entities that they name, and the vectors of the sentences.

    From plain values: building instances of models took longer than the queries.
    """
    person = _pk(request.person_id)
    rows = UserFact.objects.of(person, _pk(request.character)).current().values_list(*_OF_FACT, *_OF_ENTITIES)
    facts, vectors = [], []
    named: dict[int, tuple[str, EntityKind]] = {}
    embedder = wiring.embedder()
    for pk, predicate, text, confidence, mentions, vector, made_by, *ends in rows:
        subject, subject_name, subject_kind, object_, object_name, object_kind = ends
        named[object_] = object_name, object_kind
        if subject:
            named[subject] = subject_name, subject_kind
        facts.append(
            KnownFact(
                id=f"user_fact:{pk}",
                subject=f"entity:{subject}" if subject else "",
                subject_name=subject_name or "",
                predicate=predicate,
                object=f"entity:{object_}",
                object_name=object_name,
                text=text,
                confidence=confidence,
                mentions=mentions,
            )
        )
        vectors.append(vector if embedder.state != "down" and made_by == embedder.id else None)
    aliases: dict[int, list[str]] = {}
    for entity, alias in Alias.objects.filter(entity__person=person).order_by("pk").values_list("entity", "text"):
        aliases.setdefault(entity, []).append(alias)
    entities = (Entity(f"entity:{pk}", *named[pk], tuple(aliases.get(pk, ()))) for pk in sorted(named))
    return tuple(facts), tuple(entities), _matrix(vectors)


_OF_FACT = ("pk", "predicate", "text", "confidence", "mentions", "vector", "embedder")
_OF_ENTITIES = ("subject", "subject__name", "subject__kind", "object", "object__name", "object__kind")


def _matrix(rows: Sequence[bytes | None]) -> np.ndarray | None:
    """Return the vectors as rows, of zeros where there is none; None if there are none at all."""
    size = next((len(row) for row in rows if row), 0)
    filled = b"".join(row or bytes(size) for row in rows)
    return np.frombuffer(filled, dtype=np.float32).reshape(len(rows), size // 4) if size else None


def past_messages(request: TurnRequest) -> MessageIndex | None:
    """Return the person's earlier messages to the character, with everything committed until now.

    Where many aren't in a file, their index is made in the background; None until it is there.
    """
    person, character, epoch = _pk(request.person_id), _pk(request.character), request.messages_epoch
    owner = message_index.owner_of(person, character)
    cached = message_index.CACHED.get(owner, epoch)
    if cached is None or message_index.place_of_file(person, character, epoch) > cached.file_place:
        cached = message_index.open_file(person, character, epoch)
    with cached.lock:
        if not message_index.read_on(cached, person, character, most=MOST_READ):
            if owner not in _MAKING:
                _MAKING.add(owner)
                _MAKERS.submit(_make, person, character, epoch)
            return None
        message_index.take_vectors(cached.index, MAX_CHECKED)
    return message_index.keep(owner, cached, epoch)


def _make(person: int, character: int, epoch: int) -> None:
    """Index all messages of a person to a character for the next turns."""
    owner = message_index.owner_of(person, character)
    try:
        made = message_index.open_file(person, character, epoch)
        message_index.read_on(made, person, character)
        if not made.index.without_vector:  # what is stored gets no vector later
            made.index = MessageIndex(made.index.arrays(message_index.talk_vectors()), is_file=False)
        message_index.keep(owner, made, epoch)
    except Exception:
        logger.exception("The messages of %s could not be indexed; the next turn tries again", owner)
    finally:
        _MAKING.discard(owner)
        connections.close_all()


def messages(request: TurnRequest, ids: Sequence[int]) -> dict[int, PastMessage]:
    """Return these messages with what was answered, as far as they are remembered and may be quoted."""
    answers = Message.objects.filter(parent=OuterRef("pk"), role=Message.Role.ASSISTANT, memory=Memory.QUOTABLE)
    rows = Message.objects.of(_pk(request.person_id), _pk(request.character)).filter(pk__in=ids, memory=Memory.QUOTABLE)
    answered = rows.annotate(
        answer=Coalesce(Subquery(answers.order_by("-pk").values("text")[:1]), Value("", TextField()))
    )
    fields = ("pk", "conversation_id", "at", "text", "answer")
    return {row[0]: PastMessage(*row) for row in answered.values_list(*fields)}


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
    message_index.CACHED.clear()


def _pk(graph_id: str) -> int:
    return int(graph_id.rpartition(":")[2])
