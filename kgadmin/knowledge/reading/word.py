"""Read Word (.docx), as HTML."""

import io
import zipfile

import mammoth

from kgadmin.knowledge.reading import html
from kgadmin.knowledge.reading.kinds import UnreadableError
from kgadmin.knowledge.reading.sections import Section

MAX_XML = 10_000_000
"""Bytes of XML: mammoth took 95 s and 1.2 GB for 17 MB."""


def sections(content: bytes) -> tuple[list[Section], str]:
    """Return the text below each heading, and a sentence about equations. Raises `UnreadableError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(entry.file_size for entry in archive.infolist() if entry.filename.endswith((".xml", ".rels")))
        if size > MAX_XML:
            raise UnreadableError(f"The text of this document unpacks to {size // 1_000_000} MB. Split it.")
        markup = mammoth.convert_to_html(io.BytesIO(content), convert_image=mammoth.images.img_element(lambda _: {}))
    except UnreadableError:
        raise
    except Exception as error:  # the library has no error of its own: what it meets in a broken file goes through
        raise UnreadableError("This Word document is damaged. Open it, save it again and upload that.") from error
    has_equation = any("}oMath" in message.message for message in markup.messages)
    return list(html.sections(markup.value)), "Its equations couldn't be read." * has_equation
