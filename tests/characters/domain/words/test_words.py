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


def test_common_words_are_known() -> None:
    assert [words.is_common(word) for word in ("bread", "the", "bread's", "wyvern")] == [True, True, True, False]
