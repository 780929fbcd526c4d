"""Project a base's collection. Only its job writes: a rebuild asks the job for a new collection, not to embed."""

from collections.abc import Iterator
from itertools import islice

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
        f"'{PREFIX}' || b.slug",
        ("vector",),
        source="knowledge_knowledgebase AS b WHERE b.id = {0}.base_id",
        when="{0}.vector IS NOT NULL",
    ),
)


class CollectionProjector(Projector):
    """Projects knowledge bases: "base:reef" owns its collection."""

    def waiting(self) -> list[str]:
        """Return the bases to get a new collection, and those with an unwritten chunk whose last job didn't give up."""
        changed = Change.objects.owners(PREFIX)
        return sorted(each for each in changed if Change.objects.waits(each, [COLLECTION]) or not _gave_up(each))

    def project(self, owner: str, renew: Renew = no_lease) -> None:
        """Run the job of a base, unless a worker has it."""
        slug = owner.removeprefix(PREFIX)
        jobs = Job.objects.filter(kind=services.JOB_KIND, subject=slug)
        if jobs.open().exists() and not Change.objects.waits(owner, [COLLECTION]):
            for job in jobs.forgotten():
                runner.run(job.pk)
            return
        base = KnowledgeBase.objects.get(slug=slug)
        job = services.ingest(base, by=None)
        runner.run(job.pk)
        if Change.objects.waits(owner, [COLLECTION]):
            job.refresh_from_db()
            raise StoreError(job.error or f"Another worker is still reading {base.name}.")

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
                Change.objects.note(base.owner_id, COLLECTION, [base.pk])


def _gave_up(owner: str) -> bool:
    last = Job.objects.filter(kind=services.JOB_KIND, subject=owner.removeprefix(PREFIX)).order_by("-pk").first()
    return last is not None and last.state in {Job.State.FAILED, Job.State.CANCELLED}


def _comparisons() -> Iterator[Comparison]:
    known: set[str] = set()
    for base in KnowledgeBase.objects.all():
        known.add(base.collection)
        yield compare_things(base.owner_id, "vectors of chunks", _expected(base), _stored(base))
    jobs = Job.objects.open().filter(kind=services.JOB_KIND)
    left_soon = set(jobs.values_list("subject", flat=True))
    for name in wiring.vectors().collections():
        base_of, _, _ = name.removeprefix("kb-").rpartition("-")
        if name.startswith("kb-") and name not in known and base_of not in left_soon:
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
