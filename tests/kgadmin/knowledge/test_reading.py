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


def test_the_kind_is_told_by_the_name() -> None:
    names = ("a.md", "A.MD", "b.txt", "lab.log", "c.pdf", "md")
    assert [kind_of(name) for name in names] == ["md", "md", "txt", "txt", "other", "other"]


def test_unicode_is_read_as_it_is() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert text_of("Größe 漢字 🐙".encode(encoding)) == "Größe 漢字 🐙", encoding
    assert text_of("a\u202eb\u0007".encode()) == "a\u202eb\u0007"
    assert text_of(b"one\r\ntwo\rthree") == "one\ntwo\nthree"


def test_older_encodings_are_told_by_their_language() -> None:
    for text, encoding in ((GERMAN, "cp1252"), (SPANISH, "cp1252"), (SPANISH, "latin-1"), (RUSSIAN, "cp1251")):
        assert text_of(text.encode(encoding)) == text, encoding


def test_what_is_no_text_is_refused_with_the_reason() -> None:
    noise = random.Random(7).randbytes(5000).replace(b"\0", b"x")
    for word, contents in {
        "empty": [b"", b" \n\t ", "\ufeff".encode()],
        "null": [b"a\0b", "a\0b".encode("utf-16"), b"\x89PNG\r\n\x1a\n\0\0"],
        "encoding": [
            "Größe über alles".encode() + b"\xe2\x28\xa1 and on \xff\xfe",
            "a\ud800b".encode("utf-8", "surrogatepass"),
            noise,
        ],
    }.items():
        for content in contents:
            assert word in sentence_about(content), content[:40]


def test_another_kind_and_a_file_too_large_are_refused() -> None:
    assert "Markdown" in sentence_about(b"%PDF-1.7", kind=Document.Kind.OTHER)
    assert "100 MB" in sentence_about(b"", size=100_000_000)
    assert "at most 10" in sentence_about(b"", size=MAX_BYTES + 1)
