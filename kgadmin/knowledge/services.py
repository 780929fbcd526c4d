"""Changes to knowledge bases. The job that `ingest` starts makes them searchable."""

import hashlib
from unicodedata import normalize

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.text import slugify

from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, new_batch, record
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.knowledge.chunking import check_sizes
from kgadmin.knowledge.ingest import COLLECTION
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.knowledge.reading.kinds import kind_of
from kgadmin.projection.models import Change
from kgadmin.projection.tasks import sweep
from kgadmin.rest.actions import Refused

JOB_KIND = "ingest"
MAX_NAME = 255
UNSTARTED = (Document.State.DONE, Document.State.FAILED)


def register(
    *, name: str, description: str = "", provenance: str = "curated", by: User | None, slug: str = ""
) -> KnowledgeBase:
    """Create an empty base. Without `slug`, make one of the name. Raises `ValueError` if the slug is taken."""
    stem = slug or slugify(name).replace("-", "_")[:50].strip("_") or "base"
    for candidate in [stem] if slug else [stem, *(f"{stem}_{number}" for number in range(2, 1000))]:
        try:
            with transaction.atomic():
                base = KnowledgeBase.objects.create(
                    slug=candidate,
                    name=name,
                    description=description,
                    provenance=provenance,
                    created_by=by,
                )
                base.collection = base.collection_name(1)
                base.save(update_fields=["collection"])
                record(Act("registered", base.subject, after={"name": name, "provenance": provenance}), actor=by)
                return base
        except IntegrityError:
            continue
    raise ValueError(f"There is already a knowledge base {stem}.")


@transaction.atomic
def set_threshold(base: KnowledgeBase, threshold: float | None, *, by: User | None) -> None:
    """Set the threshold, or go back to the measured one. Effective from the next turn on."""
    change(base, by=by, own_threshold=threshold)
    KnowledgeBase.objects.filter(pk=base.pk).update(own_threshold_of="" if threshold is None else F("content"))
    base.refresh_from_db()


@transaction.atomic
def change(base: KnowledgeBase, *, by: User | None, **settings: bool | float | str | None) -> None:
    """Change settings of a base, effective from the next turn on; sizes of chunks from the next reading on. Raises
    `Refused`.
    """
    if {"chunk_tokens", "overlap_tokens"} & settings.keys():
        sizes = (settings.get(name, getattr(base, name)) for name in ("chunk_tokens", "overlap_tokens"))
        check_sizes(*map(int, sizes))
    before = KnowledgeBase.objects.select_for_update().values(*settings).get(pk=base.pk)
    KnowledgeBase.objects.filter(pk=base.pk).update(**settings)
    base.refresh_from_db()
    if before != settings:
        record(Act("changed", base.subject, before=before, after=settings), actor=by)


@transaction.atomic
def delete(base: KnowledgeBase, *, by: User | None) -> None:
    """Delete a base with its documents and chunks. A projector drops its collection, `tasks` its index file; a worker
    that reads it has lost its job, and stops.
    """
    list(base.documents.select_for_update().values_list("pk"))  # a worker that replaces chunks is waited for
    owner, pk = base.subject, base.pk
    figures = {"documents": base.documents.count(), "chunks": base.chunks.count()}
    record(Act("deleted", owner, before={"name": base.name, "slug": base.slug, **figures}), actor=by)
    Job.objects.filter(kind=JOB_KIND, subject=base.slug).delete()
    base.delete()
    Change.objects.filter(owner=owner).delete()  # of each chunk; the collection goes as one
    Change.objects.note(owner, COLLECTION, [pk])
    sweep.delay_on_commit()


@transaction.atomic
def add_document(*, base: KnowledgeBase, name: str, content: bytes, by: User | None, batch: str = "") -> Document:
    """Save a file as a waiting document, replacing one of its name. Raises `UnreadableError`."""
    name = clean_name(name)
    fields = {
        "kind": kind_of(name, content).value,
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "content": content,
        "state": Document.State.QUEUED,
        "error": "",
        "note": "",
        "uploaded_by": by,
        "updated_at": timezone.now(),
    }
    document, made = Document.objects.get_or_create(base=base, name=name, defaults=fields)
    if not made:
        Document.objects.filter(pk=document.pk).update(**fields, version=F("version") + 1)
        document.refresh_from_db()
    now = _values_of(document)
    before = {} if made else now | {"version": document.version - 1}
    act = Act("added" if made else "replaced", document.subject, before=before, after=now)
    record(act, actor=by, batch=batch)
    return document


def _values_of(document: Document) -> dict[str, str | int]:
    return {"name": document.name, "base": document.base.slug, "version": document.version}


def keep_document(*, base: KnowledgeBase, name: str, content: bytes, by: User | None) -> None:
    """Create or update a document with this content and start its ingestion, unless it is there already."""
    digest = hashlib.sha256(content).hexdigest()
    if base.documents.filter(name=clean_name(name), sha256=digest).exclude(state=Document.State.FAILED).exists():
        return
    with transaction.atomic():
        add_document(base=base, name=name, content=content, by=by)
        ingest(base, by=by)


def clean_name(name: str) -> str:
    """Return a file's path with "_" for unprintable characters; of one longer than `MAX_NAME` a digest and its end."""
    parts = [part for part in normalize("NFC", name).replace("\\", "/").split("/") if part not in {"", ".", ".."}]
    printable = "".join(character if character.isprintable() else "_" for character in "/".join(parts))
    digest = hashlib.sha256(printable.encode()).hexdigest()[:8]
    return printable if len(printable) <= MAX_NAME else f"{digest} …{printable[10 - MAX_NAME :]}"


def remove_failed(base: KnowledgeBase, *, by: User | None) -> int:
    """Delete the documents that couldn't be read, which have no chunks; return how many."""
    batch = new_batch()
    with transaction.atomic():
        failed = list(base.documents.failed().without_content().select_for_update())
        for document in failed:
            record(Act("removed", document.subject, before=_values_of(document)), actor=by, batch=batch)
        base.documents.filter(pk__in=[document.pk for document in failed]).delete()
    return len(failed)


def remove_document(document: Document, *, by: User | None) -> None:
    """Delete a document and its chunks; its vectors go with the ingestion that this starts."""
    base = document.base
    with transaction.atomic():
        record(Act("removed", document.subject, before=_values_of(document)), actor=by)
        document.delete()
        base.change()
        ingest(base, by=None)


def ingest(base: KnowledgeBase, by: User | None) -> Job:
    """Start the job that reads, embeds and writes what waits, after a cancelled one where that stopped."""
    return jobs.start(kind=JOB_KIND, subject=base.slug, by=by)


def ingest_again(*, base: KnowledgeBase, by: User | None, document: Document | None = None) -> Job:
    """Queue one finished document of the base, or all of them, again. Chunks that don't change keep their vectors.
    Raises `Refused` for one that couldn't be read, of which nothing was kept.
    """
    with transaction.atomic():
        documents = base.documents.filter(state__in=UNSTARTED).exclude(state=Document.State.FAILED, content=b"")
        if document is not None:
            if not document.content and document.state == Document.State.FAILED:
                raise Refused(f"{document.name} couldn't be read, so it wasn't kept. Upload it again.", status=409)
            documents = documents.filter(pk=document.pk)
        documents.update(state=Document.State.QUEUED, error="", updated_at=timezone.now())
        return ingest(base, by=by)
