from collections.abc import Callable, Sequence

import numpy as np
import pytest

from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge import ingest, services
from kgadmin.knowledge.models import DEFAULT_THRESHOLD, Chunk, KnowledgeBase
from kgadmin.projection.models import Change
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.errors import StoreError
from kgadmin.stores.exported import ExportedEmbedder
from kgadmin.stores.values import VectorRow
from tests.kgadmin.knowledge.ingestion import BROKEN, HashEmbedder, assert_whole, finish, paper
from tests.kgadmin.knowledge.made_files import pdf
from tests.kgadmin.stores.exact_index import ExactIndex

FILES = {
    "urchin-counts.md": b"# Urchin counts\n\n## North transect\n\nSeventeen purple urchins per square metre.",
    "kelp.txt": b"Two hundred kelp seedlings were planted in March, and ninety were alive in June.",
    "printers.md": b"# Printers\n\nThe large printer on the second floor takes A3 paper.",
}


def reef(files: dict[str, bytes]) -> KnowledgeBase:
    base = services.register(name="Reef", by=None)
    add(base, files)
    return base


def add(base: KnowledgeBase, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        services.add_document(base=base, name=name, content=content, by=None)


def test_what_was_uploaded_is_found_in_chroma_by_its_meaning(
    on_chroma: None, exported: ExportedEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "embedder", lambda: exported)
    base = reef(FILES)
    finish(base)
    assert_whole(base)
    base.refresh_from_db()
    urchins, football = exported.embed(["how many sea urchins are there?", "who won the football game?"])
    (best,), (other,) = wiring.vectors().query(base.collection, np.stack([urchins, football]), 1)
    chunk = Chunk.objects.get(pk=best.id)
    assert (chunk.document.name, chunk.heading) == ("urchin-counts.md", "Urchin counts > North transect")
    assert best.similarity > base.threshold > other.similarity


def test_documents_with_a_problem_say_so_and_the_others_go_on(hashed: ExactIndex) -> None:
    bad = {"scan.pdf": pdf(""), "broken.txt": BROKEN}
    base = reef(bad | FILES)
    finish(base)
    assert_whole(base)
    failed = base.documents.filter(state="failed")
    assert set(failed.values_list("name", flat=True)) == {*bad}
    assert all(document.error.endswith(".") for document in failed)
    assert all(not document.content for document in failed), "what can't be read isn't kept"
    assert Job.objects.get().state == "done"


def test_a_version_that_cannot_be_read_leaves_the_one_before_and_a_removed_document_nothing(hashed: ExactIndex) -> None:
    base = reef(FILES)
    finish(base)
    printers = base.chunks.filter(document__name="printers.md")
    before = list(printers.values_list("pk", flat=True))
    add(base, {"printers.md": BROKEN})
    finish(base)
    assert list(printers.values_list("pk", flat=True)) == before
    document = base.documents.get(name="printers.md")
    assert (document.state, document.note.partition(":")[0]) == (
        "done",
        "The new version can't be read, the one before is used",
    )
    services.remove_document(base.documents.get(name="kelp.txt"), by=None)
    finish(base)
    assert_whole(base)
    assert base.documents.count() == 2


def test_reading_again_what_is_the_same_changes_no_chunk_and_what_is_not_misses_one_document_at_a_time(
    hashed: ExactIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = reef({f"{name}.md": paper(name, 3) for name in ("first", "second")})
    finish(base)
    before = set(base.chunks.values_list("pk", flat=True))
    services.ingest_again(base=base, by=None)
    finish(base)
    assert set(base.chunks.values_list("pk", flat=True)) == before
    services.change(base, by=None, chunk_tokens=30, overlap_tokens=0)
    services.ingest_again(base=base, by=None)
    left: list[int] = []
    finish_with(base, lambda: left.append(len(before & set(base.chunks.values_list("pk", flat=True)))), monkeypatch)
    assert left == [len(before) // 2], "while the first is embedded, the other is searched as before"
    assert_whole(base)


def test_a_job_that_is_done_says_so_and_a_turn_can_tell_that_its_base_has_changed(hashed: ExactIndex) -> None:
    base = reef({"a.txt": b"The families of the family."})
    before = base.version
    job = services.ingest(base, by=None)
    assert job.take()
    ingest.run(job)
    size = base.documents.get().size
    assert (job.note, job.done, job.total) == ("Done", size, size)
    base.refresh_from_db()
    assert base.version > before
    assert (base.word_counts.counts, base.word_counts.total) == ({"famili": 2}, 2)


def test_a_threshold_follows_from_the_content_until_an_operator_sets_one(hashed: ExactIndex) -> None:
    base = reef({"a.txt": b"The families of the family."})
    assert base.threshold == DEFAULT_THRESHOLD
    finish(base)
    base.refresh_from_db()
    firsts = [row[0] for row in base.word_counts.idle]
    assert base.threshold == base.measured_threshold
    assert sum(first >= base.threshold for first in firsts) < len(firsts) / 10
    services.set_threshold(base, 0.5, by=None)
    finish(base)
    base.refresh_from_db()
    assert (base.threshold, base.is_threshold_stale) == (0.5, False), "the same was read again"
    add(base, FILES)
    finish(base)
    base.refresh_from_db()
    assert (base.threshold, base.is_threshold_stale) == (0.5, True)


def test_another_embedder_embeds_everything_again_into_a_new_collection(
    hashed: ExactIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = reef(FILES)
    finish(base)
    base.refresh_from_db()
    old = base.collection
    other = HashEmbedder("other")
    monkeypatch.setattr(wiring, "embedder", lambda: other)
    finish(base)
    assert_whole(base)
    assert (base.embedder, base.collection) == ("other", f"base-{base.pk}-2")
    assert old not in hashed.collections()


def test_a_base_has_sizes_of_its_own_from_the_next_reading_on(hashed: ExactIndex) -> None:
    base = reef({"a.md": paper("urchins", sections=3)})
    finish(base)
    services.change(base, chunk_tokens=60, overlap_tokens=10, by=None)
    finish(base)
    assert base.chunks.count() == 3
    services.ingest_again(base=base, by=None)
    finish(base)
    assert base.chunks.count() > 3
    assert max(base.chunks.values_list("tokens", flat=True)) <= 60


def test_without_its_vector_store_the_job_waits_and_goes_on_later(
    hashed: ExactIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(collection: str, rows: Sequence[VectorRow]) -> None:
        raise StoreError("The vector store does not answer.")

    base = reef(FILES)
    with monkeypatch.context() as patch:
        patch.setattr(hashed, "upsert", away)
        finish(base)
    job = Job.objects.get()
    assert (job.state, job.error) == ("queued", "The vector store does not answer.")
    runner.run(job.pk)
    assert_whole(base)


def finish_with(base: KnowledgeBase, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the base's job, with something done while its first texts are embedded."""
    embed = HashEmbedder.embed

    def embed_meanwhile(self: HashEmbedder, texts: Sequence[str]) -> Vectors:
        monkeypatch.setattr(HashEmbedder, "embed", embed)
        act()
        return embed(self, texts)

    monkeypatch.setattr(HashEmbedder, "embed", embed_meanwhile)
    finish(base)


def test_a_document_that_is_replaced_while_it_is_embedded_ends_in_its_new_version(
    hashed: ExactIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = reef({"paper.md": paper("old", 5)})

    def replace() -> None:
        add(base, {"paper.md": paper("new", 3)})
        services.ingest(base, by=None)

    finish_with(base, replace, monkeypatch)
    assert_whole(base)
    assert "About new" in base.chunks.earliest("index").text


def test_a_document_that_is_removed_while_it_is_embedded_is_gone(
    hashed: ExactIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = reef({"paper.md": paper("old", 5), "kept.md": paper("kept", 2)})
    finish_with(base, lambda: services.remove_document(base.documents.earliest("updated_at"), by=None), monkeypatch)
    assert_whole(base)
    assert base.documents.count() == 1


def test_a_document_that_is_removed_and_buried_while_it_is_written_is_gone(
    hashed: ExactIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = reef({"kept.md": paper("kept", 2), "paper.md": paper("old", 5)})
    upsert = hashed.upsert

    def removed_meanwhile(collection: str, rows: Sequence[VectorRow]) -> None:
        if Chunk.objects.get(pk=rows[0].id).document.name == "paper.md":
            services.remove_document(base.documents.get(name="paper.md"), by=None)
            Change.objects.filter(row__in=[row.id for row in rows]).delete()  # another worker has deleted them
        upsert(collection, rows)

    monkeypatch.setattr(hashed, "upsert", removed_meanwhile)
    finish(base)
    assert_whole(base)
    assert base.documents.get().name == "kept.md"
