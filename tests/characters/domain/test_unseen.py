"""Which characters nobody sees, and which joiners shape what stands beside them."""

import sys
from unicodedata import category, name

import pytest

from characters.domain import unseen

SEEN_SIGNS = "NUMBER SIGN YEAR FOOTNOTE PAGE SAMVAT AYAH ABBREVIATION POUND PIASTRE VERSE KAITHI".split()


def marked(text: str) -> str:
    return unseen.replaced(text, lambda run: f"[{' '.join(map(unseen.code, run))}]")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("kelp\u200band", "kelp[U+200B]and"),
        ("\ufeffkelp\u2060\u00ad", "[U+FEFF]kelp[U+2060 U+00AD]"),
        ("\u202ekelp\u202c \u2066a\u2069", "[U+202E]kelp[U+202C] [U+2066]a[U+2069]"),
        ("kelp\U000e0041\U000e0042", "kelp[U+E0041 U+E0042]"),
        ("\x00kelp\x07\x85\t\n", "[U+0000]kelp[U+0007 U+0085]\t\n"),
        ("ke\u200dlp \u200c\u200d", "ke[U+200D]lp [U+200C U+200D]"),
        ("می\u200cخواهم\u200d\u200c", "می\u200cخواهم\u200d[U+200C]"),
        ("\U0001f469\u200d\U0001f680\ufe0f\ufe0f", "\U0001f469\u200d\U0001f680\ufe0f[U+FE0F]"),
        ("\U0001f469\u200dkelp", "\U0001f469[U+200D]kelp"),
        ("\U0001f3f4\U000e0061\U000e007f", "\U0001f3f4[U+E0061 U+E007F]"),
    ],
)
def test_what_is_hidden_is_found(text: str, shown: str) -> None:
    assert marked(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",
        "क\u094d\u200dष",
        "ന\u0d4d\u200d",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "\u2764\ufe0f\u200d\U0001f525",
        "\U0001f642\u200d\u2194\ufe0f",
        "1\ufe0f\u20e3",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "葛\U000e0100",
        "naïve cafés, “quoted”, 東京, שלום\tand\nmore\r\n",
    ],
)
def test_what_shapes_letters_or_emoji_is_meant(text: str) -> None:
    assert marked(text) == text


def test_every_format_character_and_control_is_hidden_but_white_space_and_signs_that_are_seen() -> None:
    every = (chr(code) for code in range(sys.maxunicode + 1) if category(chr(code)) in {"Cf", "Cc"})
    left = [each for each in every if unseen.without(f"a{each}b") == f"a{each}b" and each not in "\t\n\r"]
    assert not [each for each in left if not set(name(each).split()) & set(SEEN_SIGNS)], list(map(name, left))


def test_what_is_left_is_the_text_and_white_space_stays_white_space() -> None:
    assert unseen.without("st\u200bag\x85horn\U000e0041") == "stag horn"


def test_a_hidden_character_has_a_number_and_a_name() -> None:
    names = [unseen.named(each) for each in "\u200b\U000e0041\x07"]
    assert names == ["U+200B zero width space", "U+E0041 tag latin capital letter a", "U+0007 control character"]
