"""The index file of a base: as its rows are, for its version, and the vector store in its absence."""

from typing import Any

import numpy as np
import pytest

from characters.domain.topics import IDLE
from characters.turn.request import Base
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge import base_index, readers, services
from kgadmin.knowledge.models import KnowledgeBase, WordCounts
from kgadmin.knowledge.tasks import write_indexes
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from tests.kgadmin.knowledge.ingestion import HashEmbedder, finish, paper
from tests.kgadmin.stores.exact_index import ExactIndex

LIMIT = 4


@pytest.fixture
def reef(hashed: ExactIndex) -> KnowledgeBase:
    base = services.register(name="Reef", by=None)
    for name in ("corals.md", "urchins.md"):
        services.add_document(base=base, name=name, content=paper(name, sections=6), by=None)
    finish(base)
    return base


def in_scope(base: KnowledgeBase) -> Base:
    base.refresh_from_db()
    return Base(
        base.slug, "curated", base.threshold, base.version, base.collection, key=base.pk, embedder=base.embedder
    )


def questions() -> Vectors:
    return wiring.embedder().embed(["How many urchins?", "Which corals?", "About corals.md number 3."])


def by_store(base: KnowledgeBase) -> list[list[tuple[str, Any]]]:
    answer = wiring.vectors().query(base.collection, questions(), LIMIT)
    return [[(match.id, pytest.approx(match.similarity, abs=1e-5)) for match in matches] for matches in answer]


def test_it_answers_as_the_vector_store_and_the_database_do(reef: KnowledgeBase) -> None:
    nearest = readers.nearest([in_scope(reef)], questions(), LIMIT)
    assert (nearest.matches["reef"], nearest.from_store) == (by_store(reef), ())
    counted = readers.word_counts([in_scope(reef)], ["number", "coral", "zebra"])["reef"]
    expected = reef.word_counts.counts
    assert counted.counts == {stem: expected[stem] for stem in ("number", "coral")}
    assert counted.total == reef.word_counts.total
    calibrated = readers.calibration([in_scope(reef)])
    readers._CALIBRATED.clear()
    wiring.index_files().drop(f"{base_index.PREFIX}{reef.pk}")
    assert readers.calibration([in_scope(reef)]).needed == pytest.approx(calibrated.needed, abs=1e-3)


def test_what_was_removed_is_in_no_answer_and_settings_change_no_file(reef: KnowledgeBase) -> None:
    services.set_threshold(reef, 0.6, by=None)
    assert readers.nearest([in_scope(reef)], questions(), LIMIT).from_store == ()
    gone = {str(pk) for pk in reef.chunks.filter(document__name="corals.md").values_list("pk", flat=True)}
    services.remove_document(reef.documents.get(name="corals.md"), by=None)
    assert readers.nearest([in_scope(reef)], questions(), LIMIT).from_store == ("reef",)
    finish(reef)
    nearest = readers.nearest([in_scope(reef)], questions(), LIMIT)
    ids = {id_ for matches in nearest.matches["reef"] for id_, _ in matches}
    assert (nearest.from_store, bool(ids), ids & gone) == ((), True, set())


def test_a_missing_file_is_written_by_the_sweep_and_one_of_a_base_that_is_gone_deleted(reef: KnowledgeBase) -> None:
    files = wiring.index_files()
    files.drop(f"{base_index.PREFIX}{reef.pk}")
    files.write(f"{base_index.PREFIX}999", "1", {"ids": np.zeros(0)})
    write_indexes()
    assert files.owners() == [f"{base_index.PREFIX}{reef.pk}"]
    assert readers.nearest([in_scope(reef)], questions(), LIMIT).from_store == ()


def test_a_base_that_was_measured_with_other_idle_messages_is_measured_again(reef: KnowledgeBase) -> None:
    WordCounts.objects.update(idle_count=0, idle=[[0.5]])
    write_indexes()
    counted = WordCounts.objects.get()
    assert (counted.idle_count, len(counted.idle)) == (len(IDLE), len(IDLE))
    index = base_index.read(in_scope(reef))
    assert index
    assert len(index.idle) == len(IDLE)


def test_after_another_model_a_base_is_silent_until_its_job_has_embedded_it_again(
    reef: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = HashEmbedder("another model")
    monkeypatch.setattr(wiring, "embedder", lambda: other)
    assert readers.nearest([in_scope(reef)], questions(), LIMIT).matches == {"reef": [[], [], []]}
    write_indexes()
    (job,) = Job.objects.open()
    runner.run(job.pk)
    assert readers.nearest([in_scope(reef)], questions(), LIMIT).matches["reef"] == by_store(reef)
    assert by_store(reef)[0]


def test_a_base_without_chunks_and_one_that_is_too_large_are_no_problem(
    reef: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = services.register(name="Empty", by=None)
    finish(empty)
    assert readers.nearest([in_scope(empty)], questions(), LIMIT).matches == {"empty": [[], [], []]}
    monkeypatch.setattr(base_index, "MOST_CHUNKS", 3)
    services.ingest_again(base=reef, by=None)
    finish(reef)
    nearest = readers.nearest([in_scope(reef), in_scope(empty)], questions(), LIMIT)
    assert (nearest.matches["reef"], nearest.from_store) == (by_store(reef), ("reef",))
