"""What the vector store promises, of it and of what stands in for it in tests."""

from collections.abc import Sequence

import numpy as np
import pytest

from kgadmin.stores.chroma import ChromaIndex
from kgadmin.stores.embedder import Vectors
from kgadmin.stores.values import VectorRow
from tests.kgadmin.stores.exact_index import ExactIndex

Index = ExactIndex | ChromaIndex


@pytest.fixture(params=["exact", "chroma"])
def index(request: pytest.FixtureRequest) -> Index:
    return ExactIndex() if request.param == "exact" else request.getfixturevalue("vectors")


def unit(*angles: float) -> Vectors:
    """Vectors of two dimensions, by their angle in degrees."""
    radians = np.radians(angles)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def rows(**angles: float) -> list[VectorRow]:
    return [VectorRow(id_, unit(angle)[0].tolist()) for id_, angle in angles.items()]


def ids(index: Index) -> set[str]:
    return {row.id for row in index.rows("base")}


def nearest(index: Index, angle: float, limit: int = 5) -> Sequence[str]:
    return [match.id for match in index.query("base", unit(angle), limit)[0]]


def test_the_nearest_come_first_with_their_cosine(index: Index) -> None:
    index.upsert("base", rows(east=0, north=90, between=30, west=180))
    best, others = index.query("base", unit(0, 89), 2)
    assert [match.id for match in best] == ["east", "between"]
    assert [match.similarity for match in best] == pytest.approx([1, np.cos(np.radians(30))], abs=1e-5)
    assert [match.id for match in others] == ["north", "between"]
    everything = index.query("base", unit(0), 50)[0]
    assert [match.id for match in everything] == ["east", "between", "north", "west"]
    assert everything[-1].similarity == pytest.approx(-1, abs=1e-5)
    assert index.query("base", np.empty((0, 2), dtype=np.float32), 5) == []


def test_a_row_is_replaced_and_deleted_by_its_id(index: Index) -> None:
    index.upsert("base", rows(one=0, two=45))
    index.upsert("base", rows(one=90))
    assert nearest(index, 0, limit=1) == ["two"]
    assert ids(index) == {"one", "two"}
    index.delete("base", ["one", "never there"])
    assert nearest(index, 0) == ["two"]


def test_a_collection_that_is_not_there_has_no_rows_and_nothing_written_makes_none(index: Index) -> None:
    index.upsert("base", [])
    index.delete("base", [])
    assert index.query("base", unit(0, 90), 5) == [[], []]
    assert list(index.rows("base")) == []
    index.delete("base", ["one"])
    index.drop("base")


def test_more_rows_than_one_call_takes_come_back_as_they_were_written(index: Index) -> None:
    many = rows(**{f"row{number}": number / 10 for number in range(1200)})
    index.upsert("base", many)
    written = {row.id: row for row in index.rows("base")}
    assert written.keys() == {row.id for row in many}
    assert written["row700"].vector == pytest.approx(unit(70)[0].tolist(), abs=1e-5)
    index.delete("base", [row.id for row in many[1:]])
    assert ids(index) == {"row0"}
