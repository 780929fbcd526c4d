import pytest
from pytest_django import DjangoAssertNumQueries

from kgadmin.knowledge import readers, services
from kgadmin.knowledge.models import Chunk, WordCounts


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
def test_chunks_come_with_where_they_stand(log: list[Chunk], django_assert_num_queries: DjangoAssertNumQueries) -> None:
    ids = [str(log[1].pk), str(log[5].pk), "999999", "not an id"]
    with django_assert_num_queries(1):
        found = readers.chunks_by_id(ids)
    assert list(found) == ids[:2]
    assert found[ids[0]] == readers.ChunkRow(
        id=ids[0], base="lab", document="log.md", heading="Log", index=1, last_index=4, text="log.md 1", tokens=3
    )
    assert found[ids[1]].last_index == 0


@pytest.mark.engine
def test_neighbours_stand_next_to_a_chunk_in_its_document(
    log: list[Chunk], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        found = readers.neighbours([str(log[1].pk), str(log[2].pk), str(log[5].pk)])
    assert sorted(chunk.index for chunk in found.values()) == [0, 3]
    assert {chunk.document for chunk in found.values()} == {"log.md"}
    assert sorted(row.index for row in readers.neighbours([str(log[0].pk)], distance=3).values()) == [1, 2, 3]
    assert readers.neighbours([]) == readers.chunks_by_id([]) == {}


def test_word_counts_are_read_once_per_version(db: None, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    base = services.register(name="Counted", by=None)
    counts = WordCounts.objects.create(base=base, counts={"urchin": 3}, total=9)
    assert readers.word_counts([base])["counted"] == readers.Counted({"urchin": 3}, 9)
    with django_assert_num_queries(0):
        readers.word_counts([base])
    counts.counts = {"urchin": 4}
    counts.save()
    base.change()
    assert readers.word_counts([base])["counted"].counts == {"urchin": 4}
    assert readers.word_counts([services.register(name="Wordless", by=None)]) == {}
