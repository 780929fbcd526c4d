"""From an uploaded file's bytes to chunks."""

import time

import pytest

from kgadmin.knowledge.chunking import CHARACTERS_PER_TOKEN, MAX_TOKENS, Piece, chunk
from kgadmin.knowledge.reading.kinds import Kind
from kgadmin.knowledge.reading.markdown import sections
from kgadmin.knowledge.reading.reader import read
from kgadmin.knowledge.reading.sections import Section
from kgadmin.stores import wiring


def words(text: str) -> int:
    return len(text.split())


def cut(text: str, *, markdown: bool = True) -> list[Piece]:
    return chunk((list(sections(text)) or [Section((), text)]) if markdown else [Section((), text)], count=words)


def prose(word: str, count: int) -> str:
    return " ".join([word] * count) + "."


def test_a_chunk_carries_the_path_of_its_headings() -> None:
    headings = ["# Reef", "## Urchins", "### North", "## Kelp"]
    text = "\n\n".join(f"{heading}\n\n{prose('a', 50)}" for heading in headings)
    assert [piece.heading for piece in cut(text)] == [
        "Reef",
        "Reef > Urchins",
        "Reef > Urchins > North",
        "Reef > Kelp",
    ]


def test_what_only_looks_like_a_heading_is_text() -> None:
    for text in (
        "```\n# no heading\n```",
        "~~~\n```\n# no heading\n~~~",
        "- item\n---",
        "a line\nanother line\n---",
        "#hashtag",
        "| a | b |\n|---|---|",
    ):
        assert [(section.path, section.text) for section in sections(text)] == [((), text)]


def test_no_chunk_is_larger_than_allowed_and_no_word_is_lost() -> None:
    text = "\n\n".join(" ".join(f"w{number}x{part}" for part in range(90)) + "." for number in range(40))
    pieces = cut(text, markdown=False)
    assert max(piece.tokens for piece in pieces) <= MAX_TOKENS
    assert {word for piece in pieces for word in piece.text.split()} == set(text.split())


def test_tiny_sections_are_joined_under_the_heading_that_they_share() -> None:
    pieces = cut("# Dive\n\n## Date\n\n12 March\n\n## Weather\n\nsunny")
    assert [(piece.heading, piece.text) for piece in pieces] == [("Dive", "Date\n12 March\n\nWeather\nsunny")]


def test_plain_text_has_no_headings() -> None:
    assert [(piece.heading, piece.text) for piece in cut("# a line", markdown=False)] == [("", "# a line")]


@pytest.mark.parametrize("hostile", [">", "x", "#\n", "- a\n", "`", "[a", "<a ", "**a ", "漢", "a\u0301"])
def test_hostile_text_takes_seconds_and_stays_within_the_limit(hostile: str) -> None:
    started = time.monotonic()
    pieces = chunk(read(Kind.MARKDOWN, (hostile * 20_000).encode()).sections, count=wiring.count_tokens)
    assert time.monotonic() - started < 20
    assert pieces
    assert max(piece.tokens for piece in pieces) <= MAX_TOKENS
    assert max(len(piece.text) for piece in pieces) <= MAX_TOKENS * CHARACTERS_PER_TOKEN


GERMAN = "Die Größe der Seeigel wurde über mehrere Jahre gemessen, und die Ergebnisse müssen noch geprüft werden."
SPANISH = "La señora Rodríguez llegó mañana con niños y corazón. El pingüino también está aquí, según el diseño."
RUSSIAN = "Привет, как дела? Сегодня хорошая погода, и мы идём гулять в парк."


def text_of(content: bytes) -> str:
    (section,) = read(Kind.TEXT, content).sections
    return section.text


def test_unicode_is_read_as_it_is() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert text_of("Größe 漢字 🐙".encode(encoding)) == "Größe 漢字 🐙", encoding
    assert text_of("a\u202eb\u0007".encode()) == "a\u202eb\u0007"
    assert text_of(b"one\r\ntwo\rthree") == "one\ntwo\nthree"


def test_older_encodings_are_told_by_their_language() -> None:
    for text, encoding in ((GERMAN, "cp1252"), (SPANISH, "cp1252"), (SPANISH, "latin-1"), (RUSSIAN, "cp1251")):
        assert text_of(text.encode(encoding)) == text, encoding
