import random

import pytest

from kgadmin.knowledge.models import Document
from kgadmin.knowledge.reading import MAX_BYTES, UnreadableError, kind_of, read

GERMAN = "Die Größe der Seeigel wurde über mehrere Jahre gemessen, und die Ergebnisse müssen noch geprüft werden."
SPANISH = "La señora Rodríguez llegó mañana con niños y corazón. El pingüino también está aquí, según el diseño."
RUSSIAN = "Привет, как дела? Сегодня хорошая погода, и мы идём гулять в парк."


def text_of(content: bytes) -> str:
    return read(kind=Document.Kind.TEXT, size=len(content), content=content)


def sentence_about(content: bytes, kind: Document.Kind = Document.Kind.TEXT, size: int | None = None) -> str:
    with pytest.raises(UnreadableError) as caught:
        read(kind=kind, size=len(content) if size is None else size, content=content)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.md", "md"), ("A.MD", "md"), ("b.txt", "txt"), ("lab.log", "txt"), ("c.pdf", "other"), ("md", "other")],
)
def test_the_kind_is_told_by_the_name(name: str, kind: str) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read(encoding: str) -> None:
    assert text_of("Größe 漢字 🐙".encode(encoding)) == "Größe 漢字 🐙"


@pytest.mark.parametrize(
    ("text", "encoding"), [(GERMAN, "cp1252"), (SPANISH, "cp1252"), (SPANISH, "latin-1"), (RUSSIAN, "cp1251")]
)
def test_older_encodings_are_told_by_their_language(text: str, encoding: str) -> None:
    assert text_of(text.encode(encoding)) == text


def test_newlines_come_out_plain() -> None:
    assert text_of(b"one\r\ntwo\rthree") == "one\ntwo\nthree"


def test_right_to_left_marks_and_odd_characters_stay_as_they_are() -> None:
    assert text_of("a\u202eb\u0007".encode()) == "a\u202eb\u0007"


@pytest.mark.parametrize("content", [b"", b" \n\t ", "\ufeff".encode()])
def test_an_empty_file_is_refused(content: bytes) -> None:
    assert "empty" in sentence_about(content)


@pytest.mark.parametrize("content", [b"a\0b", "a\0b".encode("utf-16"), b"\x89PNG\r\n\x1a\n\0\0"])
def test_null_bytes_are_refused(content: bytes) -> None:
    assert "null" in sentence_about(content)


def test_broken_utf8_is_refused() -> None:
    assert "encoding" in sentence_about("Größe über alles".encode() + b"\xe2\x28\xa1 and on \xff\xfe")


def test_lone_surrogates_are_refused() -> None:
    assert "encoding" in sentence_about("a\ud800b".encode("utf-8", "surrogatepass"))


def test_noise_is_refused() -> None:
    noise = random.Random(7).randbytes(5000).replace(b"\0", b"x")
    assert "encoding" in sentence_about(noise)


def test_another_kind_is_refused_by_its_name() -> None:
    assert "Markdown" in sentence_about(b"%PDF-1.7", kind=Document.Kind.OTHER)


def test_a_file_too_large_is_refused_by_its_size() -> None:
    assert "100 MB" in sentence_about(b"", size=100_000_000)
    assert "at most 10" in sentence_about(b"", size=MAX_BYTES + 1)
