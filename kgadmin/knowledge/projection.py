"""Project a base's collection. Only its job writes: a rebuild asks the job for a new collection, not to embed."""

from collections.abc import Iterator
from itertools import islice

from django.db.models import QuerySet

from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.knowledge.ingest import CHUNK, COLLECTION, collection_row
from kgadmin.knowledge.models import Chunk, KnowledgeBase
from kgadmin.projection.comparison import Comparison, Difference, Digest, Thing, compare_things, joined, vector_thing
from kgadmin.projection.models import Change
from kgadmin.projection.services import Projector, Renew, Store, no_lease
from kgadmin.projection.triggers import Watch
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

PREFIX = "base:"
PAGE = 500
WATCHES = (
    Watch(
        "knowledge.Chunk",
        CHUNK,
        f"'{PREFIX}' || {{0}}.base_id",
        ("vector",),
        when="{0}.vector IS NOT NULL",
    ),
)


class CollectionProjector(Projector):
    """Projects knowledge bases: "base:5" owns its collections."""

    def waiting(self) -> list[str]:
        """Return the bases to get a new collection, and those with an unwritten chunk whose last job didn't give up."""
        changed = Change.objects.owners(PREFIX)
        return sorted(each for each in changed if Change.objects.waits(each, [COLLECTION]) or not _gave_up(each))

    def project(self, owner: str, renew: Renew = no_lease) -> None:
        """Run the job of a base, unless a worker has it. Of a base that is gone, drop the collections."""
        base = _bases(owner).first()
        if base is None:
            _drop(owner)
            return
        jobs = Job.objects.filter(kind=services.JOB_KIND, subject=base.slug)
        if jobs.open().exists() and not Change.objects.waits(owner, [COLLECTION]):
            for job in jobs.forgotten():
                runner.run(job.pk)
            return
        job = services.ingest(base, by=None)
        runner.run(job.pk)
        if Change.objects.waits(owner, [COLLECTION]):
            error = jobs.filter(pk=job.pk).values_list("error", flat=True).first()
            raise StoreError(error or f"Another worker is still reading {base.name}.")

    def compare(self, store: Store) -> Iterator[Comparison]:
        """Compare every chunk that has a vector, and find collections without a base."""
        if store == "vectors":
            yield from joined(_comparisons())

    def drop(self, store: Store) -> None:
        """Do nothing: the job drops a collection once another one has replaced it."""

    def note_all(self, store: Store) -> None:
        """Note every base's collection to be replaced."""
        if store == "vectors":
            for base in KnowledgeBase.objects.all():
                Change.objects.note(base.subject, COLLECTION, [base.pk])


def _bases(owner: str) -> QuerySet[KnowledgeBase]:
    return KnowledgeBase.objects.filter(pk=owner.removeprefix(PREFIX))


def _gave_up(owner: str) -> bool:
    jobs = Job.objects.filter(kind=services.JOB_KIND, subject__in=_bases(owner).values("slug"))
    last = jobs.order_by("-pk").first()
    return last is not None and last.state in {Job.State.FAILED, Job.State.CANCELLED}


def _drop(owner: str) -> None:
    """Drop the collections of a base that is gone. What a worker still writes meanwhile is noted, and dropped again."""
    noted = [Change.objects.of(owner, kind) for kind in (COLLECTION, CHUNK)]
    stem = f"base-{owner.removeprefix(PREFIX)}"
    for name in wiring.vectors().collections():
        if name.rpartition("-")[0] == stem:
            wiring.vectors().drop(name)
    for batch in noted:
        batch.done()


def _comparisons() -> Iterator[Comparison]:
    known: set[str] = set()
    for base in KnowledgeBase.objects.all():
        known.add(base.collection)
        yield compare_things(base.subject, "vectors of chunks", _expected(base), _stored(base))
    jobs = Job.objects.open().filter(kind=services.JOB_KIND)
    in_work = KnowledgeBase.objects.filter(slug__in=jobs.values("subject"))
    left_soon = {stem for base in in_work for stem in base.stems}
    for name in wiring.vectors().collections():
        is_ours = name.startswith(("base-", "kb-"))
        if is_ours and name not in known and name.rpartition("-")[0] not in left_soon:
            yield Comparison(
                "collections", Digest(), Digest.of([name]), [Difference(name, "collection", "none", "one")]
            )


def _expected(base: KnowledgeBase) -> Iterator[Thing]:
    chunks = base.chunks.exclude(vector=None).defer("text").order_by("pk")
    for chunk in chunks.iterator(chunk_size=PAGE):
        yield vector_thing(collection_row(chunk), bytes(chunk.vector or b""))


def _stored(base: KnowledgeBase) -> Iterator[Thing]:
    rows = wiring.vectors().rows(base.collection)
    while page := list(islice(rows, PAGE)):
        keys = [int(row.id) for row in page if row.id.isdecimal()]
        vectors = {str(pk): vector for pk, vector in Chunk.objects.filter(pk__in=keys).values_list("pk", "vector")}
        for row in page:
            yield vector_thing(row, bytes(vectors.get(row.id) or b""))
