from hypothesis import given
from hypothesis import strategies as st

from characters.domain import words


def test_punctuation_never_sticks_to_a_word_and_a_possessive_falls_off() -> None:
    for text, expected in (
        ("Near the ocean?", ["near", "the", "ocean"]),
        ("How's Quill’s boat", ["how's", "quill's", "boat"]),
        ("snake_case, e-mail; 3rd…", ["snake", "case", "e", "mail", "3rd"]),
        ("“Naïve” café", ["naïve", "café"]),
        ("\u202eשלום\u202c", ["שלום"]),
        ("?!…", []),
    ):
        assert words.tokens(text) == expected
    for word, plain in (("quill's", "quill"), ("wardens'", "wardens"), ("its", "its"), ("o'clock", "o'clock")):
        assert words.without_possessive(word) == plain


def test_forms_of_a_word_have_one_stem_and_words_that_look_alike_another() -> None:
    assert words.stem("families") == words.stem("family") == words.stem("family's")
    assert words.stem("familiar") != words.stem("family")


def test_stems_leave_out_what_carries_grammar_only() -> None:
    assert words.stems("What did you do with the apples and the apple?") == ["appl", "appl"]


def test_rarer_words_say_more() -> None:
    assert words.rarity("water") < words.rarity("breakwater") <= words.rarity("zyloth") == words.UNKNOWN
    assert words.rarity("water's") == words.rarity("water")


def test_a_stem_is_as_rare_as_its_most_common_word() -> None:
    assert words.stem_rarity(words.stem("watering")) == words.rarity("water")
    assert words.stem_rarity("zyloth") == words.UNKNOWN


def test_common_words_are_known() -> None:
    assert [words.is_common(word) for word in ("bread", "the", "bread's", "wyvern")] == [True, True, True, False]


@given(st.text(st.characters(exclude_categories=())))
def test_no_text_breaks_the_words_and_every_token_is_in_lower_case(text: str) -> None:
    found = words.tokens(text)
    assert all(word and word == word.lower() for word in found)
    assert len(words.stems(text)) <= len(found)
