"""The folder form: what is read, what is written, and what is refused with which sentence."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.domain.facts import NOTE
from characters.domain.sheet import Fact, RuntimeFact
from characters.profiles.documents import SheetError
from characters.profiles.folder import read_folder
from tests.characters.profiles.sheets import sheet, write, write_sheet


def problems(folder: Path) -> list[str]:
    with pytest.raises(SheetError) as caught:
        read_folder(folder)
    return caught.value.problems


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
SENTENCES = TEXTS.map(str.strip).filter(bool)


@settings(max_examples=100, deadline=None)
@given(objects=st.lists(SENTENCES, min_size=1, max_size=5, unique=True), note=SENTENCES)
def test_any_words_survive_being_written_and_read(
    tmp_path_factory: pytest.TempPathFactory, objects: list[str], note: str
) -> None:
    folder = tmp_path_factory.mktemp("words")
    written = sheet(*(("LIKES", text) for text in objects), (NOTE, note), anchors=tuple(objects))
    write_sheet(written, folder)
    assert read_folder(folder).sheet == written


def test_what_looks_like_something_else_stays_text(tmp_path: Path) -> None:
    texts = ["26", "007", "1.50", "yes", "null", "~", "2020-01-02", "true", "# no", "- a: b", "@"]
    write_sheet(sheet(*((predicate, text) for text in texts for predicate in ("LIKES", NOTE))), tmp_path)
    assert [fact.object for fact in read_folder(tmp_path).sheet.facts] == [text for text in texts for _ in range(2)]


def test_unquoted_values_are_read_as_they_stand(tmp_path: Path) -> None:
    rows = "".join(f"  - predicate: LIKES\n    object: {text}\n" for text in ("007", "1.50", "yes", "2020-01-02"))
    read = read_folder(write(tmp_path, f"name: 3\nfacts:\n{rows}  - 42\nanchors:\nsettings:\n")).sheet
    assert [fact.object for fact in read.facts] == ["007", "1.50", "yes", "2020-01-02", "42"]
    assert (read.name, read.anchors) == ("3", ())  # a key without a value is as if it were not there


def test_facts_are_read_under_each_key_and_runtime_facts_are_kept_unused_and_said(tmp_path: Path) -> None:
    facts = "\ufefffacts: [I mend nets]\ncore_facts:\n  - predicate: is_a\n    object: ' keeper '\n"
    runtime = "runtime_facts:\n  - {predicate: LIKES, object: plums}\n  - It rains\n"
    read = read_folder(write(tmp_path, facts + runtime, "\ufeffYou are {{char}}."))
    assert read.sheet.identity == "You are {{char}}."
    assert read.sheet.facts == (Fact("f1", NOTE, "I mend nets"), Fact("f2", "IS_A", "keeper"))
    assert read.sheet.runtime_facts == (RuntimeFact("LIKES", "plums"), RuntimeFact(NOTE, "It rains"))
    assert read.notes == ("2 runtime facts are stored in the sheet, not used until reviewed.",)


def test_a_fact_keeps_its_id_by_predicate_and_object(tmp_path: Path) -> None:
    known = sheet(("LIKES", "rain"), ("LIKES", "plums"), ("IS_A", "keeper"))
    write(
        tmp_path,
        """
facts:
  - {predicate: IS_A, object: keeper}
  - {predicate: LIKES, object: fog}
  - {predicate: LOVES, object: plums}
  - {predicate: LIKES, object: rain}
""",
    )
    ids = {(fact.predicate, fact.object): fact.id for fact in read_folder(tmp_path, known=known).sheet.facts}
    assert ids == {("IS_A", "keeper"): "f3", ("LIKES", "fog"): "f2", ("LOVES", "plums"): "f4", ("LIKES", "rain"): "f1"}


BROKEN: list[tuple[str | bytes, str]] = [
    ("- a", "background.yaml: it must be a mapping"),
    ("name: !!python/object/apply:os.getcwd []", "background.yaml, line 1, column 1: name: it must be text."),
    ("name: a\nfacts: []\nfacts: []", 'background.yaml, line 3, column 1: found duplicate key "facts"'),
    ("name: a\nfacts: &all [x]", "background.yaml, line 2, column 8: anchors and aliases (& and *) are not allowed."),
    ("name: a\nfcts: []", "background.yaml, line 2, column 1: fcts isn't a key of a sheet."),
    (
        "facts:\n  - fine\n  - predicate: LIKES",
        "background.yaml, line 3, column 5: a fact needs `predicate` and `object`",
    ),
    ("facts:\n  - a\x07", "background.yaml, line 2, column 6: a control character stands here."),
    (
        "personas:\n  - {slug: a, name: A, instructions: x, temperature: nan}",
        "background.yaml: it contains an infinite number, which can't be stored.",
    ),
    ("[" * 5000, "background.yaml, line 1, column 51: more than 50 lists or mappings are nested."),
    (b"name: a\nfacts: [\xff]", "background.yaml, line 2: it isn't UTF-8. Save it as UTF-8."),
    ("# " + "x" * 2_000_000, "background.yaml: 2000002 bytes; at most 1000000 are allowed."),
]


def test_a_broken_background_is_refused_with_file_line_and_column(tmp_path: Path) -> None:
    for background, expected in BROKEN:
        listed = problems(write(tmp_path, background))
        assert listed[0].startswith(expected), (background[:80], listed)
