"""The bases' collections, as far as the projector's loop looks after them: comparing, and making them from nothing.

Only ingestion writes a base's collection. So a rebuild leaves a tombstone for the present collection, and the base's
job writes another one in its place; the vectors lie on the chunks, so that takes no embedding.
"""

from collections.abc import Iterator
from itertools import islice

from django.db.models import Exists, F, OuterRef, QuerySet

from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.knowledge.ingest import collection_row
from kgadmin.knowledge.models import Chunk, KnowledgeBase, Tombstone
from kgadmin.projection.comparing import Comparison, Difference, Digest, Thing, compare_things, joined, vector_thing
from kgadmin.projection.services import Projector, Renew, Store, no_lease
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

PREFIX = "base:"
PAGE = 500


class CollectionProjector(Projector):
    """Knowledge bases: "base:reef" owns its collection."""

    def stale(self) -> list[str]:
        """Bases that are to leave their collection, or whose job is just writing one."""
        buried = _buried().values_list("slug", flat=True)
        jobs = Job.objects.open().filter(kind=services.JOB_KIND, subject=OuterRef("slug"))
        written = KnowledgeBase.objects.filter(Exists(jobs), chunks__stale=True, chunks__vector__isnull=False)
        return [PREFIX + slug for slug in sorted({*buried, *written.values_list("slug", flat=True).distinct()})]

    def project(self, owner: str, renew: Renew = no_lease) -> None:
        """Run the job of a base that is to leave its collection, or one that every worker has passed over."""
        slug = owner.removeprefix(PREFIX)
        bases = _buried().filter(slug=slug)
        if (base := bases.first()) is None:
            for job in Job.objects.forgotten().filter(kind=services.JOB_KIND, subject=slug):
                runner.run(job.pk)
            return
        job = services.ingest(base, by=None)
        runner.run(job.pk)
        if bases.exists():
            job.refresh_from_db()
            raise StoreError(job.error or f"Another worker is still reading {base.name}.")

    def compare(self, store: Store) -> Iterator[Comparison]:
        """Every chunk that has a vector; and collections that no base has."""
        if store == "vectors":
            yield from joined(_comparisons())

    def drop(self, store: Store) -> None:
        """Nothing: a collection goes when another one has taken its place."""

    def mark_all(self, store: Store) -> None:
        """Let every base leave its collection."""
        if store == "vectors":
            whole = Tombstone.objects.filter(chunk_id=None, collection=OuterRef("collection"))
            kept = KnowledgeBase.objects.exclude(Exists(whole))
            Tombstone.objects.bulk_create(Tombstone(base=base, collection=base.collection) for base in kept)


def _buried() -> QuerySet[KnowledgeBase]:
    """Bases whose present collection is to be left."""
    return KnowledgeBase.objects.filter(tombstones__chunk_id=None, tombstones__collection=F("collection")).distinct()


def _comparisons() -> Iterator[Comparison]:
    known: set[str] = set(Tombstone.objects.filter(chunk_id=None).values_list("collection", flat=True))
    for base in KnowledgeBase.objects.all():
        known.add(base.collection)
        yield compare_things(PREFIX + base.slug, "vectors of chunks", _expected(base), _found(base))
    for name in wiring.vectors().collections():
        if name.startswith("kb-") and name not in known:
            yield Comparison(
                "collections", Digest(), Digest.of([name]), [Difference(name, "collection", "none", "one")]
            )


def _expected(base: KnowledgeBase) -> Iterator[Thing]:
    chunks = base.chunks.exclude(vector=None).defer("text").order_by("pk")
    for chunk in chunks.iterator(chunk_size=PAGE):
        yield vector_thing(collection_row(chunk), bytes(chunk.vector or b""))


def _found(base: KnowledgeBase) -> Iterator[Thing]:
    found = wiring.vectors().rows(base.collection)
    while page := list(islice(found, PAGE)):
        keys = [int(row.id) for row in page if row.id.isdecimal()]
        kept = {str(pk): vector for pk, vector in Chunk.objects.filter(pk__in=keys).values_list("pk", "vector")}
        for row in page:
            yield vector_thing(row, bytes(kept.get(row.id) or b""))
