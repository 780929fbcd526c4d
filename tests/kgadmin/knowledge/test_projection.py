"""A base's collection beside its chunks, and made from nothing by the base's own job."""

from typing import Any

import pytest

from kgadmin.knowledge import services
from kgadmin.knowledge.models import Chunk, KnowledgeBase
from kgadmin.knowledge.projection import CollectionProjector
from kgadmin.projection.comparison import Difference
from kgadmin.stores import wiring
from tests.kgadmin.knowledge.ingestion import assert_whole, finish, paper
from tests.kgadmin.stores.exact_index import ExactIndex

projector = CollectionProjector()


@pytest.fixture
def reef(hashed: ExactIndex) -> KnowledgeBase:
    base = services.register(name="Reef", by=None)
    services.add_document(base=base, name="one.md", content=paper("one"), by=None)
    services.add_document(base=base, name="two.md", content=paper("two"), by=None)
    finish(base)
    base.refresh_from_db()
    return base


def differences() -> list[Difference]:
    return [difference for each in projector.compare("vectors") for difference in each.differences]


@pytest.mark.engine
def test_a_base_that_was_read_does_not_differ(reef: KnowledgeBase) -> None:
    assert differences() == []
    assert projector.waiting() == []
    (compared,) = projector.compare("vectors")
    assert compared.expected.count == compared.stored.count == reef.chunks.count()
    assert list(projector.compare("graph")) == []


def test_chunks_that_are_missing_left_over_or_otherwise_are_named(reef: KnowledgeBase) -> None:
    first, second = reef.chunks.all()[:2]
    wiring.vectors().delete(reef.collection, [str(first.pk)])
    Chunk.objects.filter(pk=second.pk).update(vector=second.values[::-1].tobytes())
    (difference,) = differences()
    assert difference.owner == reef.subject
    assert difference.stored.endswith(f"1 missing ({first.pk}), 1 otherwise ({second.pk})")


def test_a_rebuild_writes_another_collection_and_drops_the_old_one(reef: KnowledgeBase) -> None:
    old = reef.collection
    projector.note_all("vectors")
    projector.note_all("vectors")
    assert projector.waiting() == [reef.subject]
    projector.project(reef.subject)
    assert projector.waiting() == []
    assert differences() == []
    assert_whole(reef)
    assert reef.collection != old
    assert old not in wiring.vectors().collections()


def test_what_a_running_job_writes_after_a_rebuild_was_asked_for_is_written_again(
    reef: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job buries nothing of the collection that it is writing, and runs once more."""
    upsert = ExactIndex.upsert

    def asked_meanwhile(*args: Any) -> None:
        projector.note_all("vectors")
        upsert(*args)

    services.add_document(base=reef, name="three.md", content=paper("three"), by=None)
    with monkeypatch.context() as patch:
        patch.setattr(ExactIndex, "upsert", asked_meanwhile)
        finish(reef)
    assert projector.waiting() == [reef.subject]
    projector.project(reef.subject)
    assert differences() == []
    assert_whole(reef)
