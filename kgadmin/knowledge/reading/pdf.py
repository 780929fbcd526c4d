"""Read PDF, page by page."""

import io
import re
from collections.abc import Sequence
from typing import Any

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import ArrayObject

from kgadmin.knowledge.reading.kinds import UnreadableError
from kgadmin.knowledge.reading.sections import Section

MAX_PAGES = 2_000
MOST_NAMED = 10
MAX_EMPTY_BYTES = 10
"""Stored bytes of an empty page: zlib makes 8 of nothing."""
DAMAGED = "This PDF is damaged. Open it, save it again and upload that."
PICTURES = "The pages of this PDF are pictures without text. Run text recognition (OCR) first."
_DAMAGED = (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError, NotImplementedError)
_HYPHEN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")


def sections(content: bytes) -> tuple[list[Section], str]:
    """Return the text of each page, and sentences about pages without any. Raises `UnreadableError`."""
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableError("This PDF has a password. Save it without one and upload it again.")
        if len(reader.pages) > MAX_PAGES:
            raise UnreadableError(f"This PDF has {len(reader.pages):,} pages; the limit is {MAX_PAGES:,}. Split it.")
        texts = [_text(page) for page in reader.pages]
    except _DAMAGED as error:
        raise UnreadableError(DAMAGED) from error
    pages, form = list(enumerate(texts, 1)), _form(reader)
    unread = [number for number, text in pages if text is None]
    empty = [number for number, text in pages if text == ""]
    if not any(texts) and not form:
        raise UnreadableError(DAMAGED if unread else PICTURES)
    read = [Section((), text, f"page {number}") for number, text in [*pages, (len(pages), form)] if text]
    notes = _note(unread, "couldn't be read"), _note(empty, "has no text" if len(empty) == 1 else "have no text")
    return read, " ".join(filter(None, notes))


def _text(page: PageObject) -> str | None:
    """Return the text of a page; None for one that is damaged."""
    try:
        contents = page.get_contents()
        if contents is None:
            return ""
        # Raises past its limit, where `extract_text` returns nothing.
        if not contents.get_data() and _stored_bytes(page) > MAX_EMPTY_BYTES:
            return None
        return _HYPHEN.sub("", page.extract_text()).strip()
    except _DAMAGED:
        return None


def _stored_bytes(page: PageObject) -> int:
    contents: Any = page["/Contents"].get_object()
    streams = contents if isinstance(contents, ArrayObject) else [contents]
    return sum(len(stream.get_object()._data) for stream in streams)


def _form(reader: PdfReader) -> str:
    """Return "label: value" of each text and choice that somebody filled in: they aren't part of a page's text."""
    try:
        fields = (reader.get_fields() or {}).values()
    except _DAMAGED:
        return ""
    return "\n".join(
        f"{field.alternate_name or field.name}: {' '.join(field.value.split())}"
        for field in fields
        if field.field_type in {"/Tx", "/Ch"} and isinstance(field.value, str) and field.value.strip()
    )


def _note(pages: Sequence[int], verb: str) -> str:
    if not pages:
        return ""
    named = ", ".join(map(str, pages[:MOST_NAMED])) + (" and more" if len(pages) > MOST_NAMED else "")
    return f"Page{'s' * (len(pages) > 1)} {named} {verb}."
