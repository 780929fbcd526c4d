"""Facts out of pasted text."""

from characters.authoring.drafts.pasted_facts import Pasted, read
from characters.domain.facts import NOTE

REGISTERED = {"HAS_FATHER", "HAS_AGE", "LIKES", "IS_A", "LIVES_IN"}
AGE = Pasted("HAS_AGE", "26", ("How old are you?",))


def note(text: str) -> Pasted:
    return Pasted(NOTE, text)


LINES: list[tuple[str, Pasted]] = [
    ("HAS_FATHER\tBuilt boats", Pasted("HAS_FATHER", "Built boats")),
    ("shoe size\t44", Pasted("SHOE_SIZE", "44")),
    ("Father: Built boats", Pasted("HAS_FATHER", "Built boats")),
    ("- lives in: Odense", Pasted("LIVES_IN", "Odense")),
    ("LIKES, rain, whatever the season", Pasted("LIKES", "rain, whatever the season")),
    ("HAS_SCAR: on the left hand", Pasted("HAS_SCAR", "on the left hand")),
    ("HAS_AGE;26", Pasted("HAS_AGE", "26")),
    ("HAS_FATHER = a fisherman", Pasted("HAS_FATHER", "a fisherman")),
    ("- **Father**: a fisherman", Pasted("HAS_FATHER", "a fisherman")),
    ('LIKES: "tea" and "cake"', Pasted("LIKES", '"tea" and "cake"')),
    ("• She said: I like it", note("She said: I like it")),
    ("Warning: she bites", note("Warning: she bites")),
    ("12:30 she wakes", note("12:30 she wakes")),
    ("http://example.com/a", note("http://example.com/a")),
]


def test_a_line_is_a_fact() -> None:
    for line, expected in LINES:
        assert read(line, REGISTERED) == [expected], line


EMPTY = ("", "\t", "HAS_AGE\t", "predicate;object", "\ufeffPredicate\tObject", "| Predicate | Object |", "- [ ]", "---")


def test_an_empty_line_and_the_head_of_a_table_are_none() -> None:
    assert [line for line in EMPTY if read(line, REGISTERED)] == []


def test_the_mark_of_a_list_is_no_part_of_a_fact() -> None:
    for mark in ("- ", "* ", "+ ", "• ", "– ", "1. ", "12) ", "[ ] ", "[x] ", "- [ ] ", "  * [X] "):
        assert read(f"{mark}I have never seen a desert", REGISTERED) == [note("I have never seen a desert")], mark
        assert read(f"{mark}LIKES: rain", REGISTERED) == [Pasted("LIKES", "rain")], mark


TEXTS: list[tuple[str, list[Pasted]]] = [
    ("HAS_AGE\t26\tHow old are you?", [AGE]),
    ("Predicate,Object,Questions\nHAS_AGE,26,How old are you?", [AGE]),
    ("object,id,predicate,questions\n26,f7,HAS_AGE,How old are you?", [AGE]),
    ("| Predicate | Object | Questions |\n|---|---|---|\n| HAS_AGE | 26 | How old are you? |", [AGE]),
    (
        'predicate,object\n"HAS_FATHER","A fisherman, retired"\nLIVES_IN,"La Jolla, California"',
        [Pasted("HAS_FATHER", "A fisherman, retired"), Pasted("LIVES_IN", "La Jolla, California")],
    ),
    ('HAS_AGE\t"26\nyears"\nLIKES\train', [Pasted("HAS_AGE", "26 years"), Pasted("LIKES", "rain")]),
    ('LIKES\t"a ""dry"" joke"', [Pasted("LIKES", 'a "dry" joke')]),
    ("| HAS_AGE | 26 |\n|---|---|\n| LIVES_IN | Odense |", [Pasted("HAS_AGE", "26"), Pasted("LIVES_IN", "Odense")]),
    (
        "LIKES,rain\nHAS_AGE,26\nI sleep late, always.",
        [Pasted("LIKES", "rain"), Pasted("HAS_AGE", "26"), note("I sleep late, always.")],
    ),
    (
        'LIKES\t"rain\nHAS_AGE\t26\nI sleep late.',
        [Pasted("LIKES", '"rain'), Pasted("HAS_AGE", "26"), note("I sleep late.")],
    ),
]


def test_rows_of_a_table_are_read_with_their_questions() -> None:
    for text, expected in TEXTS:
        assert read(text, REGISTERED) == expected, text


SENTENCES = (
    "I, for one, like rain.",
    "Father, who built boats, drowned.",
    '"Never," she said, "not once."',
    '"Yes", "no" and "maybe" are all she says.',
    'She is 5" tall',
    "Two of us; more would sink it.",
)


def test_a_sentence_with_commas_or_quotation_marks_stays_a_sentence() -> None:
    for line in SENTENCES:
        assert read(line, REGISTERED) == [note(line)], line
        assert read(f"{line}\nI sleep late.", REGISTERED) == [note(line), note("I sleep late.")], line
