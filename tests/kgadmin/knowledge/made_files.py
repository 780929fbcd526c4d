"""Files as other programs write them, made for tests."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, TextStringObject

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def pdf(*pages: str, password: str = "", algorithm: str = "RC4-128", owner: str | None = None) -> bytes:
    """A PDF with these pages; an empty one has no text, as a scan. With an `owner` password it opens without one."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        drawn = " ".join(f"({line}) Tj 0 -14 Td" for line in page.splitlines())
        stream = f"BT /F1 12 Tf 72 720 Td {drawn} ET".encode() if page else b""
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%b] >>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    body, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return _locked(bytes(body), password, algorithm, owner) if password or owner else bytes(body)


def _locked(content: bytes, password: str, algorithm: str, owner: str | None) -> bytes:
    return changed(content, lambda writer: writer.encrypt(password, owner, algorithm=algorithm))


def changed(content: bytes, change: Callable[[PdfWriter], None]) -> bytes:
    """The PDF after this change."""
    writer, stream = PdfWriter(clone_from=PdfReader(io.BytesIO(content))), io.BytesIO()
    change(writer)
    writer.write(stream)
    return stream.getvalue()


def form(*fields: Mapping[str, str]) -> bytes:
    """A PDF of one page with these fields of a form, by the names that PDF has for their parts."""

    def add(writer: PdfWriter) -> None:
        made = ArrayObject(writer._add_object(_field(field)) for field in fields)
        writer.root_object[NameObject("/AcroForm")] = DictionaryObject({NameObject("/Fields"): made})

    return changed(pdf("Registration"), add)


def _field(parts: Mapping[str, str]) -> DictionaryObject:
    return DictionaryObject(
        {
            NameObject(key): NameObject(value) if value.startswith("/") else TextStringObject(value)
            for key, value in parts.items()
        }
    )


def docx(*paragraphs: tuple[str, str], table: Sequence[Sequence[str]] = (), xml: str = "") -> bytes:
    """A Word document of (style, text), such as ("Heading1", "Tides"), and a table; `xml` in place of its text."""
    lines = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'
        for style, text in paragraphs
    )
    rows = "".join(
        "<w:tr>" + "".join(f"<w:tc><w:p><w:r><w:t>{cell}</w:t></w:r></w:p></w:tc>" for cell in row) + "</w:tr>"
        for row in table
    )
    body = lines + (f"<w:tbl>{rows}</w:tbl>" if rows else "")
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/></w:style>' for n in (1, 2)
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/officeDocument"'
            ' Target="word/document.xml"/></Relationships>',
        )
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/styles"'
            ' Target="styles.xml"/></Relationships>',
        )
        archive.writestr("word/styles.xml", f'<w:styles xmlns:w="{WORD}">{styles}</w:styles>')
        archive.writestr(
            "word/document.xml", xml or f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
        )
    return stream.getvalue()
