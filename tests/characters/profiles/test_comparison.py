from dataclasses import replace

from characters.domain.sheet import Fact
from characters.profiles import comparison
from characters.profiles.comparison import ChangedFact, Changes, Piece, words
from tests.characters.profiles import sheets
from tests.characters.profiles.sheets import sheet


def test_changes_name_facts_added_changed_and_removed_by_id() -> None:
    before, after = sheet(("LIKES", "rain"), ("IS_A", "keeper")), sheet(("LIKES", "fog"))
    after = replace(after, facts=(*after.facts, Fact("f9", "HAS_PET", "a gull")))
    assert comparison.changes(before, after) == Changes(
        added=(Fact("f9", "HAS_PET", "a gull"),),
        changed=(
            ChangedFact(
                Fact("f1", "LIKES", "rain"),
                Fact("f1", "LIKES", "fog"),
                (Piece("removed", "rain"), Piece("added", "fog")),
            ),
        ),
        removed=(Fact("f2", "IS_A", "keeper"),),
        elsewhere=(),
    )


def test_changes_name_every_other_part_that_differs() -> None:
    before = sheets.whole_sheet()
    assert not comparison.changes(before, sheets.whole_sheet())
    for part in ("name", "identity", "personas", "anchors", "concepts", "settings", "runtime_facts"):
        changes = comparison.changes(
            before, replace(before, **{part: getattr(sheet(name="Bo", identity="Else"), part)})
        )
        assert changes
        assert [changed.name for changed in changes.elsewhere] == [part]


def test_a_temperature_of_zero_is_a_change_like_any_other() -> None:
    before = sheets.whole_sheet()
    cold = replace(before, personas=(replace(before.personas[0], temperature=0.0), before.personas[1]))
    (part,) = comparison.changes(before, cold).elsewhere
    assert ("added", "\ntemperature: 0.0") in [(piece.kind, piece.text) for piece in part.pieces]


def test_changes_name_another_order_of_the_same_facts() -> None:
    before = sheet(("LIKES", "rain"), ("IS_A", "keeper"))
    changes = comparison.changes(before, replace(before, facts=before.facts[::-1]))
    assert (changes.facts, changes.labels) == (0, ("order of facts",))


def test_texts_are_compared_word_by_word() -> None:
    assert words("She lives in La Jolla.", "She lived in  La Jolla!") == (
        Piece("same", "She "),
        Piece("removed", "lives"),
        Piece("added", "lived"),
        Piece("same", " in"),
        Piece("removed", " "),
        Piece("added", "  "),
        Piece("same", "La Jolla"),
        Piece("removed", "."),
        Piece("added", "!"),
    )


def test_both_texts_are_in_the_comparison() -> None:
    for before in ("", "One.\n\nTwo", "word " * 4000, "a\tb\r\n  c"):
        for after in ("", "One.\nTwo, three", "word " * 3999 + "end", "ä 文字 c"):
            pieces = words(before, after)
            assert "".join(each.text for each in pieces if each.kind != "added") == before
            assert "".join(each.text for each in pieces if each.kind != "removed") == after
