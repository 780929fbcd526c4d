"""Read PDF, page by page."""

import io
import re
from collections.abc import Sequence

from pypdf import PageObject, PdfReader
from pypdf.errors import PyPdfError

from kgadmin.knowledge.reading.kinds import UnreadableError
from kgadmin.knowledge.reading.sections import Section

MAX_PAGES = 2_000
MOST_NAMED = 10
_HYPHEN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")


def sections(content: bytes) -> tuple[list[Section], str]:
    """Return the text of each page, and a sentence about pages without text. Raises `UnreadableError`."""
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableError("This PDF has a password. Save it without one and upload it again.")
        if len(reader.pages) > MAX_PAGES:
            raise UnreadableError(f"This PDF has {len(reader.pages):,} pages; the limit is {MAX_PAGES:,}. Split it.")
        texts = [_text(page) for page in reader.pages]
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError, NotImplementedError) as error:
        raise UnreadableError("This PDF is damaged. Open it, save it again and upload that.") from error
    empty = [number for number, text in enumerate(texts, 1) if not text]
    if len(empty) == len(texts):
        raise UnreadableError("The pages of this PDF are pictures without text. Run text recognition (OCR) first.")
    return [Section((), text, f"page {number}") for number, text in enumerate(texts, 1) if text], _note(empty)


def _text(page: PageObject) -> str:
    if (contents := page.get_contents()) is not None:
        contents.get_data()  # raises past its limit, where `extract_text` returns nothing
    return _HYPHEN.sub("", page.extract_text()).strip()


def _note(empty: Sequence[int]) -> str:
    if not empty:
        return ""
    named = ", ".join(map(str, empty[:MOST_NAMED])) + (" and more" if len(empty) > MOST_NAMED else "")
    return f"Page {named} has no text." if len(empty) == 1 else f"Pages {named} have no text."
