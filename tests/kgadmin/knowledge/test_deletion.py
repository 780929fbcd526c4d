"""A base is deleted: nothing of it stays, whatever a worker does meanwhile, and its slug can be used again."""

from collections.abc import Sequence

import pytest

from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services, tasks
from kgadmin.knowledge.models import Chunk, Document, KnowledgeBase
from kgadmin.knowledge.projection import CollectionProjector
from kgadmin.projection.models import Change
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.errors import StoreError
from tests.kgadmin.knowledge.ingestion import HashEmbedder, assert_whole, finish, paper
from tests.kgadmin.stores.exact_index import ExactIndex

projector = CollectionProjector()


@pytest.fixture
def reef(hashed: ExactIndex) -> KnowledgeBase:
    base = services.register(name="Reef", by=None)
    services.add_document(base=base, name="corals.md", content=paper("corals"), by=None)
    finish(base)
    base.refresh_from_db()
    return base


def project() -> None:
    for owner in projector.waiting():
        projector.project(owner)


def test_rows_collection_index_file_and_jobs_go(hashed: ExactIndex, reef: KnowledgeBase) -> None:
    key = f"base-{reef.pk}"
    assert wiring.index_files().versions(key)
    services.delete(reef, by=None)
    assert not any(model.objects.exists() for model in (KnowledgeBase, Document, Chunk, Job))
    project()
    tasks.write_indexes()
    assert (hashed.collections(), wiring.index_files().versions(key)) == ([], [])
    assert (projector.waiting(), Change.objects.count()) == ([], 0)


def test_a_new_base_of_its_slug_sees_nothing_of_it(hashed: ExactIndex, reef: KnowledgeBase) -> None:
    services.delete(reef, by=None)
    again = services.register(name="Reef", by=None)
    assert again.slug == "reef"
    services.add_document(base=again, name="urchins.md", content=paper("urchins", sections=1), by=None)
    finish(again)
    project()
    assert_whole(again)
    assert hashed.collections() == [again.collection]
    (matches,) = hashed.query(again.collection, wiring.embedder().embed(["About corals number 3."]), 5)
    assert [match.id for match in matches] == [str(again.chunks.get().pk)]


def test_a_worker_that_reads_it_stops_and_what_it_still_wrote_is_dropped(
    hashed: ExactIndex, reef: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.add_document(base=reef, name="urchins.md", content=paper("urchins"), by=None)
    upsert, key = ExactIndex.upsert, reef.pk

    def upsert_late(self: ExactIndex, collection: str, rows: Sequence[object]) -> None:
        services.delete(KnowledgeBase.objects.get(pk=key), by=None)
        project()
        upsert(self, collection, rows)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(ExactIndex, "upsert", upsert_late)
        finish(reef)
    assert hashed.collections() != []
    project()
    assert hashed.collections() == []
    assert not Job.objects.exists(), "none failed"


def test_a_worker_that_embeds_it_stops(reef: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    services.add_document(base=reef, name="urchins.md", content=paper("urchins"), by=None)
    embedded: list[int] = []
    key = reef.pk

    def embed_late(self: HashEmbedder, texts: Sequence[str]) -> Vectors:
        KnowledgeBase.objects.filter(pk=key).exists() and services.delete(KnowledgeBase.objects.get(pk=key), by=None)
        embedded.append(len(texts))
        return embed(self, texts)

    embed = HashEmbedder.embed
    monkeypatch.setattr(HashEmbedder, "embed", embed_late)
    finish(reef)
    assert len(embedded) == 1
    assert not (Chunk.objects.exists() or Job.objects.exists())


def test_a_job_whose_message_is_on_its_way_ends(reef: KnowledgeBase) -> None:
    job = services.ingest(reef, by=None)
    services.delete(reef, by=None)
    runner.run(job.pk)
    late = Job.objects.create(kind="ingest", subject="reef")
    runner.run(late.pk)
    late.refresh_from_db()
    assert late.state == "done"


def test_without_the_vector_store_the_collection_goes_later(
    hashed: ExactIndex, reef: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(collection: str) -> None:
        raise StoreError("The vector store does not answer.")

    owner = reef.subject
    services.delete(reef, by=None)
    with monkeypatch.context() as patch:
        patch.setattr(hashed, "drop", away)
        with pytest.raises(StoreError):
            projector.project(owner)
    assert projector.waiting() == [owner]
    project()
    assert hashed.collections() == []
