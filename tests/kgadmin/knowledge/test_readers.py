import pytest
from pytest_django import DjangoAssertNumQueries

from characters.turn.request import Base, Place
from characters.turn.request import Chunk as TurnChunk
from kgadmin.knowledge import readers, services
from kgadmin.knowledge.models import Chunk, KnowledgeBase, WordCounts


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
    assert counted(base) == {"counted": {"urchin": 3}}
    with django_assert_num_queries(0):
        counted(base)
    counts.counts = {"urchin": 4}
    counts.save()
    base.change()
    assert counted(base) == {"counted": {"urchin": 4}}
    assert counted(services.register(name="Wordless", by=None)) == {}
