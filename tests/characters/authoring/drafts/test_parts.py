"""A sheet's document, part by part."""

from typing import Any

import pytest

from characters.authoring.drafts import parts
from characters.profiles import documents
from tests.characters.profiles.sheets import whole_sheet

DOCUMENT = documents.dump(whole_sheet())


def objects(document: parts.Document) -> list[str]:
    return [fact["object"] for fact in document["facts"]]


@pytest.mark.parametrize("part", [*parts.WHOLE, "fact:f2", "persona:night", "concept:career", "lore:l2"])
def test_a_part_that_is_put_back_changes_nothing(part: str) -> None:
    assert parts.put(DOCUMENT, part, parts.get(DOCUMENT, part)) == DOCUMENT


def test_a_fact_is_changed_in_its_place() -> None:
    fact = parts.get(DOCUMENT, "fact:f2") | {"object": "Built rafts"}
    changed = parts.put(DOCUMENT, "fact:f2", fact)
    assert objects(changed)[1] == "Built rafts"
    assert len(changed["facts"]) == len(DOCUMENT["facts"])


def test_a_row_that_is_not_there_comes_last() -> None:
    fact = {"id": parts.next_fact_id(DOCUMENT), "predicate": "LIKES", "object": "fog"}
    assert objects(parts.put(DOCUMENT, "fact:f5", fact))[-1] == "fog"
    assert fact["id"] == "f5"


def test_nothing_takes_a_row_away() -> None:
    gone = parts.put(DOCUMENT, "persona:night", None)
    assert [persona["slug"] for persona in gone["personas"]] == ["day"]
    assert parts.get(gone, "persona:night") is None


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["f4", "f3", "f2", "f1"], ["f4", "f3", "f2", "f1"]),
        (["f3", "f1", "f2"], ["f3", "f4", "f1", "f2"]),  # f4, unnamed, stays behind f3
        (["f2", "gone"], ["f1", "f2", "f3", "f4"]),
    ],
)
def test_an_order_keeps_what_it_does_not_name(ids: list[str], expected: list[str]) -> None:
    assert [fact["id"] for fact in parts.put(DOCUMENT, parts.ORDER, ids)["facts"]] == expected


@pytest.mark.parametrize("part", ["", "fact", "fact:", "revision:3", "facts"])
def test_what_is_no_part_is_refused(part: str) -> None:
    with pytest.raises(parts.UnknownPartError):
        parts.get(DOCUMENT, part)


@pytest.mark.parametrize(("one", "other", "same"), [({"a": 1, "b": 2}, {"b": 2, "a": 1}, True), ("x", "y", False)])
def test_a_digest_names_a_state(one: Any, other: Any, same: bool) -> None:
    assert (parts.digest(one) == parts.digest(other)) is same
