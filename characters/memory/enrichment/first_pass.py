"""First pass of the message graph: IS_SIMILAR between messages of one person to one character with similar vectors.

Only differences are written: a run over unchanged messages writes nothing.
"""

from collections.abc import Mapping

import numpy as np
from django.db import transaction
from django.db.models import QuerySet
from numpy.typing import NDArray

from characters.conversations.models import Message, Person
from characters.memory.embedding import Say, embed_messages
from characters.memory.models import Similarity
from kgadmin.projection.tasks import sweep
from kgadmin.stores import wiring

Floats = NDArray[np.float32]

BLOCK = 512
"""Rows compared at once: 10 MB of scores for 5,000 messages."""
DIGITS = 4
"""Digits to which scores are rounded: BLAS varies the last ones when a message is added."""
WRITE_BATCH = 500
SAME_SCORE = 0.0005


def messages_of(person_id: int, character_id: int) -> QuerySet[Message]:
    """Return the person's messages to the character, oldest first."""
    messages = Message.objects.of(person_id, character_id).filter(role=Message.Role.USER)
    return messages.order_by("at", "pk")


def link(person: Person, character_id: int, *, anchors: int, floor: float, say: Say) -> int:
    """Save which of the person's messages are similar; return the number of pairs. Raises `StoreError`."""
    missing = messages_of(person.pk, character_id).exclude(embedder=wiring.embedder().id, vector__isnull=False)
    embed_messages(missing, say)
    ids, vectors = vectors_of(person.pk, character_id)
    near = nearest(vectors, anchors=anchors, floor=floor)
    wanted = {(ids[earlier], ids[later]): score for (earlier, later), score in near.items()}
    _write(person, character_id, wanted)
    return len(wanted)


def vectors_of(person_id: int, character_id: int) -> tuple[list[int], Floats]:
    """Return ids and vectors of the person's messages with a vector of today's embedder, oldest first."""
    rows = messages_of(person_id, character_id).filter(embedder=wiring.embedder().id, vector__isnull=False)
    stored = list(rows.values_list("pk", "vector"))
    if not stored:
        return [], np.zeros((0, 0), dtype=np.float32)
    values = np.frombuffer(b"".join(bytes(vector or b"") for _, vector in stored), dtype=np.float32)
    return [pk for pk, _ in stored], values.reshape(len(stored), -1)


def nearest(vectors: Floats, *, anchors: int, floor: float) -> dict[tuple[int, int], float]:
    """Return each row's `anchors` nearest other rows with a cosine of at least `floor`: (earlier, later) -> cosine.

    `vectors` has one row of unit length per message, oldest first. A pair chosen from both ends counts once.
    """
    pairs: dict[tuple[int, int], float] = {}
    count = min(anchors, len(vectors) - 1)
    if count < 1:
        return pairs
    for start in range(0, len(vectors), BLOCK):
        block = vectors[start : start + BLOCK] @ vectors.T
        itself = np.arange(len(block))
        block[itself, start + itself] = -2.0
        top = np.argpartition(block, -count, axis=1)[:, -count:]
        scores = np.take_along_axis(block, top, axis=1)
        for row, place in zip(*np.nonzero(scores >= floor), strict=True):
            ends = start + int(row), int(top[row, place])
            pairs[min(ends), max(ends)] = round(float(scores[row, place]), DIGITS)
    return pairs


@transaction.atomic
def _write(person: Person, character_id: int, wanted: Mapping[tuple[int, int], float]) -> None:
    rows = Similarity.objects.filter(person=person, later__conversation__character_id=character_id)
    there = {(row.earlier_id, row.later_id): row for row in rows}
    same = {pair for pair, row in there.items() if pair in wanted and abs(wanted[pair] - row.score) <= SAME_SCORE}
    gone = [row.pk for pair, row in there.items() if pair not in same]
    new = [pair for pair in wanted if pair not in same]
    for start in range(0, len(gone), WRITE_BATCH):
        Similarity.objects.filter(pk__in=gone[start : start + WRITE_BATCH]).delete()
    present = present_messages({pk for pair in new for pk in pair})
    Similarity.objects.bulk_create(
        (
            Similarity(person=person, earlier_id=earlier, later_id=later, score=wanted[earlier, later])
            for earlier, later in new
            if {earlier, later} <= present
        ),
        batch_size=WRITE_BATCH,
        ignore_conflicts=True,
    )
    if gone or new:
        sweep.delay_on_commit()


def present_messages(ids: set[int]) -> set[int]:
    """Return the messages that still exist: a person may have been forgotten during the run."""
    listed = sorted(ids)
    chunks = (listed[start : start + WRITE_BATCH] for start in range(0, len(listed), WRITE_BATCH))
    return {pk for chunk in chunks for pk in Message.objects.filter(pk__in=chunk).values_list("pk", flat=True)}
