"""The job that makes a base's waiting documents searchable: read, chunk, embed, write.

Every step can be repeated, and nothing is done twice: killed anywhere, the job is queued again by the sweep and goes
on where the rows say. One document after the other, so that a turn misses one at most. Order, and what each step
leaves behind:

1. The chunks of a new version replace the old ones in one transaction, without a vector unless the same text was
   embedded before; chunks that are the same stay. The document is `embedding`. A version that can't be read leaves
   the chunks of the one before.
2. Vectors are saved on the rows, batch by batch.
3. What changed of the base's chunks is written to the collection, deletions too. The document is `done`.
4. With the last document, the base is measured (words, idle messages, threshold) and the index file is written.

What is embedded is "title > heading" and the text: a chunk rarely names what its document is about. The row, the
collection and the prompt have the text alone.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.module_loading import import_string

from characters.domain.topics import IDLE
from characters.domain.words import stems
from characters.turn.calibration import threshold_of
from kgadmin.jobs.models import Job
from kgadmin.knowledge import base_index, chunking
from kgadmin.knowledge.models import Chunk, Document, KnowledgeBase, WordCounts
from kgadmin.knowledge.readers import idle_vectors
from kgadmin.knowledge.reading.kinds import Kind, UnreadableError
from kgadmin.knowledge.reading.reader import read
from kgadmin.projection.models import Change
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Embedder, Vectors
from kgadmin.stores.values import VectorRow

if TYPE_CHECKING:
    from kgadmin.stores.chroma import ChromaIndex

EMBED_BATCH = 8
WRITE_BATCH = 64
NEAREST = 3
PAGE = 1000
CHUNK, COLLECTION = "chunk", "collection"
"""Kinds of changes: a chunk's vector; a request to write a new collection in place of the present one."""
WAITING = (Document.State.QUEUED, Document.State.READING)


@dataclass(slots=True)
class Ingestion:
    """One run of the job: its base, its engines and its progress, counted in bytes of documents."""

    job: Job
    base: KnowledgeBase
    embedder: Embedder
    vectors: "ChromaIndex"
    finished: int = 0

    def say(self, note: str, part: float = 0) -> None:
        """Report progress; `part` bytes of the next document are done. Raises `JobLostError` if another worker has
        taken over.
        """
        left = self.base.documents.unfinished().aggregate(size=Sum("size", default=0))["size"]
        self.job.progress(done=self.finished + round(part), total=self.finished + left, note=note)


def run(job: Job) -> None:
    """Ingest all that waits in the base that is the job's subject. Raises `StoreError`; then call it again."""
    base = KnowledgeBase.objects.filter(slug=job.subject).first()
    if base is None:
        return
    ingestion = Ingestion(job, base, wiring.embedder(), wiring.vectors())
    _use_embedder(ingestion)
    _leave_collection(ingestion)
    while document := _next(base, [Document.State.EMBEDDING]) or _next(base, WAITING):
        (_read if document.state in WAITING else _make_searchable)(ingestion, document)
    _write(ingestion)
    _drop_left(ingestion)
    measure(base, ingestion.embedder)
    base_index.write(base)
    ingestion.say("Done")


def _next(base: KnowledgeBase, states: Sequence[Document.State]) -> Document | None:
    return base.documents.filter(state__in=states).order_by("updated_at", "pk").first()


def _use_embedder(ingestion: Ingestion) -> None:
    """Begin a new collection and embed all chunks again if the embedder changed: vectors of two don't compare."""
    base, embedder = ingestion.base, ingestion.embedder.id
    if base.embedder == embedder:
        return
    with transaction.atomic():
        if base.embedder:
            base.chunks.update(vector=None)
            _begin_collection(base)
        base.change(embedder=embedder, collection=base.collection)


def _leave_collection(ingestion: Ingestion) -> None:
    base = ingestion.base
    asked = Change.objects.of(base.subject, COLLECTION, WRITE_BATCH)
    if not asked.ids:
        return
    with transaction.atomic():
        keys = base.chunks.exclude(vector=None).order_by("pk").values_list("pk", flat=True)
        Change.objects.note(base.subject, CHUNK, keys)
        asked.done()
        _begin_collection(base)
        base.change(collection=base.collection)


def _begin_collection(base: KnowledgeBase) -> None:
    """Set the name of the next collection, and queue every finished document for it; the caller saves the base."""
    base.documents.filter(state=Document.State.DONE).update(state=Document.State.EMBEDDING)
    base.collection = base.collection_name(int(base.collection.rpartition("-")[2]) + 1)


def _read(ingestion: Ingestion, document: Document) -> None:
    ingestion.say(f"Reading {document.name}")
    _at_version(document, [Document.State.QUEUED]).update(state=Document.State.READING)
    try:
        if not document.content:
            raise UnreadableError("What was uploaded wasn't kept. Upload the file again.")
        reading = read(Kind(document.kind), bytes(document.content))
    except UnreadableError as error:
        _leave_unread(document, str(error))
        return
    base = KnowledgeBase.objects.get(pk=document.base_id)  # its sizes may have changed since the job began
    pieces = chunking.chunk(
        reading.sections,
        count=wiring.count_tokens,
        max_tokens=base.chunk_tokens,
        overlap_tokens=base.overlap_tokens,
    )
    _replace_chunks(document, pieces, note=reading.note)


def _at_version(document: Document, states: Sequence[Document.State]) -> QuerySet[Document]:
    return Document.objects.filter(pk=document.pk, version=document.version, state__in=states)


def _leave_unread(document: Document, error: str) -> None:
    """Drop content that can't be read; what was read of the version before stays."""
    fields: dict[str, object] = {"state": Document.State.FAILED, "error": error}
    if document.chunks.exists():
        note = f"The new version can't be read, the one before is used: {error}"
        fields = {"state": Document.State.EMBEDDING, "error": "", "note": note[:300]}
    _at_version(document, WAITING).update(content=b"", updated_at=timezone.now(), **fields)


@transaction.atomic
def _replace_chunks(document: Document, pieces: Sequence[chunking.Piece], *, note: str) -> None:
    """Replace a document's chunks in one commit, unless it was meanwhile removed, replaced, or read elsewhere; the
    same ones stay.
    """
    now = {"error": "", "note": note, "updated_at": timezone.now()}
    if not _at_version(document, WAITING).update(state=Document.State.EMBEDDING, **now):
        return
    there = list(document.chunks.order_by("index").only("heading", "place", "text", "tokens", "vector"))
    if [(chunk.heading, chunk.place, chunk.text, chunk.tokens) for chunk in there] == [
        (piece.heading, piece.place, piece.text, piece.tokens) for piece in pieces
    ]:
        return
    known = {(chunk.heading, chunk.text): chunk.vector for chunk in there if chunk.vector is not None}
    if document.chunks.all().delete()[0]:
        document.base.change()
    Chunk.objects.bulk_create(
        (
            Chunk(
                base_id=document.base_id,
                document=document,
                index=index,
                heading=piece.heading,
                place=piece.place,
                text=piece.text,
                tokens=piece.tokens,
                vector=known.get((piece.heading, piece.text)),
            )
            for index, piece in enumerate(pieces)
        ),
        batch_size=500,
    )


def _make_searchable(ingestion: Ingestion, document: Document) -> None:
    _embed(ingestion, document)
    _write(ingestion)
    with transaction.atomic():
        done = _at_version(document, [Document.State.EMBEDDING])
        if done.update(state=Document.State.DONE, updated_at=timezone.now()):
            ingestion.base.change()
            ingestion.finished += document.size


def _embed(ingestion: Ingestion, document: Document) -> None:
    """Embed the chunks without vectors, in batches of similar length: padding costs as much as words."""
    waiting = list(document.chunks.filter(vector=None).order_by(Length("text"), "pk"))
    for start in range(0, len(waiting), EMBED_BATCH):
        batch = waiting[start : start + EMBED_BATCH]
        part = document.size * start / len(waiting)
        ingestion.say(f"Embedding {document.name}, {start} of {len(waiting)} chunks", part)
        vectors = ingestion.embedder.embed([embedded_text(document.name, chunk) for chunk in batch])
        for chunk, vector in zip(batch, vectors, strict=True):
            chunk.vector = vector.astype("float32").tobytes()
        Chunk.objects.bulk_update(batch, ["vector"])


def embedded_text(document_name: str, chunk: Chunk) -> str:
    """Return the text to embed for a chunk: title, heading path and text."""
    title = PurePath(document_name).stem.replace("-", " ").replace("_", " ")
    is_titled = chunk.heading.lower().startswith(title.lower())
    path = chunk.heading if is_titled else f"{title}{chunking.SEPARATOR}{chunk.heading}"
    return f"{path.removesuffix(chunking.SEPARATOR)}\n{chunk.text}"


def _write(ingestion: Ingestion) -> None:
    owner, collection = ingestion.base.subject, ingestion.base.collection
    while (batch := Change.objects.of(owner, CHUNK, WRITE_BATCH)).ids:
        ingestion.say("Writing what changed")
        there = list(Chunk.objects.filter(pk__in=batch.rows).exclude(vector=None).defer("text"))
        gone = set(batch.rows) - {chunk.pk for chunk in there}
        if there:
            ingestion.vectors.upsert(collection, [collection_row(chunk) for chunk in there])
        if gone:
            ingestion.vectors.delete(collection, [str(pk) for pk in gone])
        batch.done()


def collection_row(chunk: Chunk) -> VectorRow:
    """Return a chunk's row in the collection."""
    return VectorRow(str(chunk.pk), chunk.values.tolist())


def _drop_left(ingestion: Ingestion) -> None:
    base = ingestion.base
    for name in ingestion.vectors.collections():
        if name != base.collection and name.rpartition("-")[0] in base.stems:
            ingestion.vectors.drop(name)


def measure(base: KnowledgeBase, embedder: Embedder) -> None:
    """Save how often each stem occurs in the chunks, how similar idle messages are, and the threshold that follows.
    Raises `StoreError`.
    """
    counts: Counter[str] = Counter()
    content = hashlib.sha256(embedder.id.encode())
    for heading, text in base.chunks.order_by("document__name", "index").values_list("heading", "text").iterator():
        counts.update(stems(f"{heading}\n{text}"))
        content.update(f"\0{heading}\0{text}".encode())
    idle, people = _highest(base, idle_vectors(embedder.id)), own_talk()
    threshold = threshold_of([*idle, *_highest(base, people)]) if counts else None
    with transaction.atomic():
        defaults = {"counts": dict(counts), "total": counts.total(), "idle": idle, "idle_count": len(IDLE)}
        WordCounts.objects.update_or_create(base=base, defaults=defaults | {"own_count": len(people)})
        base.change(content=content.hexdigest(), measured_threshold=threshold)


def own_talk() -> Vectors:
    """Return the vectors of this installation's everyday talk, which a higher layer knows."""
    vectors: Vectors = import_string(settings.OWN_TALK)()
    return vectors


def _highest(base: KnowledgeBase, idle: Vectors) -> list[list[float]]:
    """Return each idle message's three highest similarities, computed exactly from the rows, page by page."""
    if not len(idle):
        return []
    best = np.zeros((len(idle), 0), dtype=np.float32)
    vectors = base.chunks.exclude(vector=None).order_by("pk").values_list("vector", flat=True)
    for start in range(0, vectors.count(), PAGE):
        page = b"".join(bytes(vector or b"") for vector in vectors[start : start + PAGE])
        rows = np.frombuffer(page, dtype=np.float32).reshape(-1, idle.shape[1])
        best = np.sort(np.concatenate([best, idle @ rows.T], axis=1), axis=1)[:, -NEAREST:]
    return [[round(float(value), 4) for value in row[::-1]] for row in best]
