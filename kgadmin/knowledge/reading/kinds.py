"""Which kind of file it is: by its first bytes where they say so, else by its name."""

import io
import zipfile
from enum import StrEnum
from pathlib import PurePath

MAX_BYTES = 20_000_000


class Kind(StrEnum):
    """A kind of file that can be read."""

    MARKDOWN = "md"
    TEXT = "txt"
    HTML = "html"
    PDF = "pdf"
    WORD = "docx"
    CSV = "csv"
    JSON = "json"


class UnreadableError(Exception):
    """A file that can't be read. Its message says what is wrong and what to do."""


SUFFIXES = {
    ".md": Kind.MARKDOWN,
    ".markdown": Kind.MARKDOWN,
    ".txt": Kind.TEXT,
    ".text": Kind.TEXT,
    ".log": Kind.TEXT,
    ".html": Kind.HTML,
    ".htm": Kind.HTML,
    ".pdf": Kind.PDF,
    ".docx": Kind.WORD,
    ".csv": Kind.CSV,
    ".tsv": Kind.CSV,
    ".json": Kind.JSON,
    ".jsonl": Kind.JSON,
}
READABLE = "Markdown, text, HTML, PDF, Word (.docx), CSV and JSON"
"""The readable kinds, as pages name them."""
_PDF, _ZIP, _OLD_OFFICE = b"%PDF-", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_WORD_FILE = "word/document.xml"
_BINARY = {Kind.PDF, Kind.WORD}


def too_large(size: int, limit: int) -> str:
    """Return the sentence about a file of `size` bytes."""
    return f"The file has {size / 1e6:,.0f} MB; the limit is {limit // 1_000_000} MB. Split it."


def kind_of(name: str, content: bytes) -> Kind:
    """Return the kind of a file with this name and content. Raises `UnreadableError`."""
    if not content.strip():
        raise UnreadableError("The file is empty.")
    if len(content) > MAX_BYTES:
        raise UnreadableError(too_large(len(content), MAX_BYTES))
    suffix = PurePath(name).suffix.lower()
    named = SUFFIXES.get(suffix)
    shown = _shown(content)
    if shown:
        return shown
    if content.startswith(_OLD_OFFICE):
        raise UnreadableError("This is an Office file with a password, or an old one. Save it as .docx without one.")
    if suffix == ".zip":
        raise UnreadableError("A zip in a zip isn't read. Take it out and upload it by itself.")
    if named is None:
        raise UnreadableError(f"This kind of file can't be read. Convert it: {READABLE} can.")
    if named in _BINARY:
        raise UnreadableError(f"This isn't a {named.value} file, whatever its name says. Save it again as what it is.")
    if b"\0" in content and content[:2] not in {b"\xff\xfe", b"\xfe\xff"}:
        raise UnreadableError("This isn't text: it has null characters in it. Save it as plain text in UTF-8.")
    return named


def _shown(content: bytes) -> Kind | None:
    """Return the kind that the content itself shows."""
    if content.lstrip().startswith(_PDF):
        return Kind.PDF
    if content.startswith(_ZIP) and _WORD_FILE in _members(content):
        return Kind.WORD
    return None


def _members(content: bytes) -> list[str]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.namelist()
    except zipfile.BadZipFile:
        return []
