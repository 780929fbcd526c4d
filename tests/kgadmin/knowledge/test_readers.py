from types import SimpleNamespace

import numpy as np
import pytest
from pytest_django import DjangoAssertNumQueries

from characters.turn.request import Base, Place
from characters.turn.request import Chunk as TurnChunk
from kgadmin.knowledge import readers, services
from kgadmin.knowledge.models import Chunk, KnowledgeBase, WordCounts
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.errors import StoreError
from kgadmin.stores.values import Match, VectorRow
from tests.kgadmin.stores.exact_index import ExactIndex


@pytest.fixture
def log(db: None) -> list[Chunk]:
    """Five chunks of one document, and one of another."""
    base = services.register(name="Lab", by=None)
    made = []
    for name, count in (("log.md", 5), ("other.md", 1)):
        document = services.add_document(base=base, name=name, content=b"text", by=None)
        made += [
            Chunk.objects.create(base=base, document=document, index=i, heading="Log", text=f"{name} {i}", tokens=3)
            for i in range(count)
        ]
    return made


@pytest.mark.engine
def test_a_chunk_comes_with_where_it_stands(
    log: list[Chunk], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ids = [str(log[1].pk), str(log[5].pk), "999999", "not an id"]
    with django_assert_num_queries(1):
        places = readers.places(ids)
    assert places == {ids[0]: Place("log.md", "Log", 1), ids[1]: Place("other.md", "Log", 0)}


@pytest.mark.engine
def test_chunks_come_with_those_next_to_them_in_their_document(
    log: list[Chunk], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ids = [str(log[1].pk), str(log[2].pk), str(log[5].pk)]
    with django_assert_num_queries(1):
        chunks = readers.chunks(ids)
    assert sorted((chunk.document, chunk.index) for chunk in chunks.values()) == [
        *(("log.md", index) for index in range(4)),
        ("other.md", 0),
    ]
    assert chunks[ids[0]] == TurnChunk(ids[0], "lab", "log.md", "Log", 1, "log.md 1", 3)
    assert readers.chunks([]) == {}


def counted(base: KnowledgeBase, *stems: str) -> dict[str, dict[str, int]]:
    in_scope = [Base(base.slug, base.provenance, base.threshold, base.version, base.collection, key=base.pk)]
    return {slug: dict(row.counts) for slug, row in readers.word_counts(in_scope, stems).items()}


def test_without_an_index_word_counts_are_read_once_per_version(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    base = services.register(name="Counted", by=None)
    counts = WordCounts.objects.create(base=base, counts={"urchin": 3}, total=9)
    assert counted(base, "urchin") == {"counted": {"urchin": 3}}
    with django_assert_num_queries(0):
        counted(base, "urchin")
    counts.counts = {"urchin": 4}
    counts.save()
    base.change()
    assert counted(base, "urchin") == {"counted": {"urchin": 4}}
    assert counted(services.register(name="Wordless", by=None)) == {}


def test_a_base_that_cannot_be_asked_costs_only_itself(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    lab, reef = (services.register(name=name, by=None) for name in ("Lab", "Reef"))
    index = ExactIndex()
    index.upsert(lab.collection, [VectorRow("1", [1.0, 0.0])])
    answers = {lab.collection: index.query}

    def query(collection: str, vectors: Vectors, limit: int) -> list[list[Match]]:
        if collection not in answers:
            raise StoreError("The vector store did not answer.")
        return answers[collection](collection, vectors, limit)

    monkeypatch.setattr(wiring, "vectors", lambda: SimpleNamespace(query=query))
    bases = [Base(base.slug, "curated", 0.4, 1, base.collection, key=base.pk) for base in (lab, reef)]
    nearest = readers.nearest(bases, np.array([[1.0, 0.0]], dtype=np.float32), 3)
    assert (nearest.matches, nearest.from_store) == ({"lab": [[("1", 1.0)]]}, ("lab",))
    assert nearest.failed == {"reef": "The vector store did not answer."}
    answers.clear()
    with pytest.raises(StoreError):
        readers.nearest(bases, np.array([[1.0, 0.0]], dtype=np.float32), 3)
