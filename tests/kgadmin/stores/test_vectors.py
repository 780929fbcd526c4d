"""The port's contract, on each of its implementations."""

from collections.abc import Sequence

import numpy as np
import pytest

from kgadmin.stores.embedder import Vectors
from kgadmin.stores.numpy_index import ExactIndex
from kgadmin.stores.vectors import VectorIndex, VectorRow


@pytest.fixture(params=["exact", "chroma"])
def index(request: pytest.FixtureRequest) -> VectorIndex:
    return ExactIndex() if request.param == "exact" else request.getfixturevalue("vectors")


def unit(*angles: float) -> Vectors:
    """Vectors of two dimensions, by their angle in degrees."""
    radians = np.radians(angles)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def rows(**angles: float) -> list[VectorRow]:
    return [VectorRow(id_, unit(angle)[0].tolist(), f"text {id_}", {"index": 1}) for id_, angle in angles.items()]


def found(index: VectorIndex, angle: float, limit: int = 5) -> Sequence[str]:
    return [match.id for match in index.query("base", unit(angle), limit)[0]]


def test_the_nearest_come_first_with_their_cosine(index: VectorIndex) -> None:
    index.upsert("base", rows(east=0, north=90, between=30))
    best = index.query("base", unit(0), 2)[0]
    assert [match.id for match in best] == ["east", "between"]
    assert [match.similarity for match in best] == pytest.approx([1, np.cos(np.radians(30))], abs=1e-5)


def test_an_opposite_vector_has_a_negative_similarity(index: VectorIndex) -> None:
    index.upsert("base", rows(east=0))
    assert index.query("base", unit(180), 1)[0][0].similarity == pytest.approx(-1, abs=1e-5)


def test_each_query_has_its_own_answer(index: VectorIndex) -> None:
    index.upsert("base", rows(east=0, north=90))
    assert [[match.id for match in one] for one in index.query("base", unit(89, 1), 1)] == [["north"], ["east"]]


def test_more_is_asked_for_than_there_is(index: VectorIndex) -> None:
    index.upsert("base", rows(east=0, north=90))
    assert found(index, 0, limit=50) == ["east", "north"]


def test_a_row_is_replaced_by_its_id(index: VectorIndex) -> None:
    index.upsert("base", rows(one=0, two=45))
    index.upsert("base", rows(one=90))
    assert found(index, 0, limit=1) == ["two"]
    assert index.ids("base") == {"one", "two"}


def test_a_deleted_row_is_not_found(index: VectorIndex) -> None:
    index.upsert("base", rows(one=0, two=45))
    index.delete("base", ["one", "never there"])
    assert found(index, 0) == ["two"]


def test_a_collection_that_is_not_there_has_no_rows(index: VectorIndex) -> None:
    assert index.query("base", unit(0, 90), 5) == [[], []]
    assert index.ids("base") == set()
    index.delete("base", ["one"])
    index.drop("base")


def test_no_queries_have_no_answers(index: VectorIndex) -> None:
    index.upsert("base", rows(one=0))
    assert index.query("base", np.empty((0, 2), dtype=np.float32), 5) == []


def test_nothing_written_makes_no_row(index: VectorIndex) -> None:
    index.upsert("base", [])
    index.delete("base", [])
    assert index.ids("base") == set()


def test_a_dropped_collection_can_be_filled_again(index: VectorIndex) -> None:
    index.upsert("base", rows(old=0))
    index.query("base", unit(0), 1)
    index.drop("base")
    assert found(index, 0) == []
    index.upsert("base", rows(new=0))
    assert found(index, 0) == ["new"]


def test_collections_are_apart(index: VectorIndex) -> None:
    index.upsert("base", rows(one=0))
    index.upsert("other", rows(two=0))
    assert found(index, 0) == ["one"]


def test_a_row_without_metadata_is_written(index: VectorIndex) -> None:
    index.upsert("base", [VectorRow("bare", unit(0)[0].tolist(), "", {})])
    assert found(index, 0) == ["bare"]


def test_more_rows_than_one_call_takes_are_written_and_deleted(index: VectorIndex) -> None:
    many = rows(**{f"row{number}": number / 10 for number in range(1200)})
    index.upsert("base", many)
    assert index.ids("base") == {row.id for row in many}
    index.delete("base", [row.id for row in many[1:]])
    assert index.ids("base") == {"row0"}


def test_rows_come_back_as_they_were_written(index: VectorIndex) -> None:
    many = rows(**{f"row{number}": number / 10 for number in range(1200)})
    index.upsert("base", many)
    found = {row.id: row for row in index.rows("base")}
    assert {id_: (row.text, dict(row.metadata)) for id_, row in found.items()} == {
        row.id: (row.text, row.metadata) for row in many
    }
    assert found["row700"].vector == pytest.approx(unit(70)[0].tolist(), abs=1e-5)
    assert list(index.rows("never there")) == []


def test_ids_are_asked_for_by_their_metadata(index: VectorIndex) -> None:
    vector = unit(0)[0].tolist()
    index.upsert("base", [VectorRow(name, vector, "", {"owner": name[0]}) for name in ("a1", "a2", "b1")])
    assert index.ids("base", owner="a") == {"a1", "a2"}
    assert index.ids("base", owner="c") == set()


def test_collections_are_listed(index: VectorIndex) -> None:
    assert index.collections() == []
    index.upsert("two", rows(one=0))
    index.upsert("base", rows(one=0))
    assert index.collections() == ["base", "two"]
