from kgadmin.knowledge.document_text import kind_of, read
from kgadmin.knowledge.models import Document

GERMAN = "Die Größe der Seeigel wurde über mehrere Jahre gemessen, und die Ergebnisse müssen noch geprüft werden."
SPANISH = "La señora Rodríguez llegó mañana con niños y corazón. El pingüino también está aquí, según el diseño."
RUSSIAN = "Привет, как дела? Сегодня хорошая погода, и мы идём гулять в парк."


def text_of(content: bytes) -> str:
    return read(kind=Document.Kind.TEXT, size=len(content), content=content)


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
