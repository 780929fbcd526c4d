"""A sheet's document, part by part."""

from characters.authoring.drafts import parts
from characters.profiles import documents
from tests.characters.profiles.sheets import whole_sheet

DOCUMENT = documents.dump(whole_sheet())


def test_a_part_that_is_put_back_changes_nothing() -> None:
    for part in (*parts.SINGLE, "fact:f2", "persona:night", "concept:career", "lore:l2"):
        assert parts.put(DOCUMENT, part, parts.get(DOCUMENT, part)) == DOCUMENT, part


def test_an_order_keeps_what_it_does_not_name() -> None:
    for ids, expected in (
        (["f4", "f3", "f2", "f1"], ["f4", "f3", "f2", "f1"]),
        (["f3", "f1", "f2"], ["f3", "f4", "f1", "f2"]),  # f4, unnamed, stays behind f3
        (["f2", "gone"], ["f1", "f2", "f3", "f4"]),
    ):
        assert [fact["id"] for fact in parts.put(DOCUMENT, parts.ORDER, ids)["facts"]] == expected, ids
