"""A sheet's document, part by part."""

import pytest

from characters.authoring.drafts import parts
from characters.profiles import documents
from tests.characters.profiles.sheets import whole_sheet

DOCUMENT = documents.dump(whole_sheet())


def objects(document: parts.Document) -> list[str]:
    return [fact["object"] for fact in document["facts"]]


def test_a_part_that_is_put_back_changes_nothing() -> None:
    for part in (*parts.WHOLE, "fact:f2", "persona:night", "concept:career", "lore:l2"):
        assert parts.put(DOCUMENT, part, parts.get(DOCUMENT, part)) == DOCUMENT, part


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


def test_an_order_keeps_what_it_does_not_name() -> None:
    for ids, expected in (
        (["f4", "f3", "f2", "f1"], ["f4", "f3", "f2", "f1"]),
        (["f3", "f1", "f2"], ["f3", "f4", "f1", "f2"]),  # f4, unnamed, stays behind f3
        (["f2", "gone"], ["f1", "f2", "f3", "f4"]),
    ):
        assert [fact["id"] for fact in parts.put(DOCUMENT, parts.ORDER, ids)["facts"]] == expected, ids


def test_what_is_no_part_is_refused() -> None:
    for part in ("", "fact", "fact:", "revision:3", "facts"):
        with pytest.raises(parts.UnknownPartError):
            parts.get(DOCUMENT, part)


def test_a_digest_names_a_state() -> None:
    assert parts.digest({"a": 1, "b": 2}) == parts.digest({"b": 2, "a": 1})
    assert parts.digest("x") != parts.digest("y")
