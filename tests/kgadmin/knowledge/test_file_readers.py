"""Files of every kind, honest and hostile, into sections of text."""

import csv
import io

import pytest
from pypdf import PageObject
from pypdf.constants import FilterTypes
from pypdf.generic import NameObject, StreamObject

from kgadmin.knowledge.reading import reader
from kgadmin.knowledge.reading.kinds import Kind, UnreadableError, kind_of
from kgadmin.knowledge.reading.reader import read
from kgadmin.knowledge.reading.tables import csv_rows
from tests.kgadmin.knowledge.made_files import WORD, changed, docx, form, pdf

TABLE = [["Site", "Depth"], ["North reef", "12 m"], ["South reef", "7 m"]]


def sections(name: str, content: bytes) -> list[tuple[tuple[str, ...], str, str]]:
    return [(each.path, each.text, each.place) for each in read(kind_of(name, content), content).sections]


def test_a_pdf_is_read_page_by_page_and_what_has_no_text_is_named() -> None:
    content = pdf("The tide turns at noon.\nThe kelp-\nbeds lie bare.", "", "Urchins feed at night.")
    reading = read(kind_of("log.pdf", content), content)
    assert [(each.text, each.place) for each in reading.sections] == [
        ("The tide turns at noon.\nThe kelpbeds lie bare.", "page 1"),
        ("Urchins feed at night.", "page 3"),
    ]
    assert reading.note == "Page 2 has no text."


def test_a_pdf_with_damaged_pages_is_read_without_them() -> None:
    content = pdf("The tide turns.", "", "Urchins feed.", "Kelp.").replace(b"(Urchins", b"<Urchins")
    reading = read(Kind.PDF, changed(content, lambda writer: _damage(writer.pages[3])))
    assert [each.place for each in reading.sections] == ["page 1"]
    assert reading.note == "Pages 3, 4 couldn't be read. Page 2 has no text."


def _damage(page: PageObject) -> None:
    contents = page["/Contents"]
    assert isinstance(contents, StreamObject)
    contents[NameObject("/Filter")] = NameObject(FilterTypes.FLATE_DECODE)


def test_what_was_filled_into_a_pdf_is_read() -> None:
    content = form(
        {"/FT": "/Tx", "/T": "n", "/TU": "Your name", "/V": "Marlena\rQuist"},
        {"/FT": "/Ch", "/T": "Boat", "/V": "Gull"},
        {"/FT": "/Tx", "/T": "Note", "/V": ""},
        {"/FT": "/Btn", "/T": "Sent", "/V": "/Yes"},
    )
    assert sections("a.pdf", content)[1:] == [((), "Your name: Marlena Quist\nBoat: Gull", "page 1")]


def test_a_word_document_keeps_its_headings_and_the_header_of_its_table() -> None:
    content = docx(("Heading1", "Reefs"), ("", "They grow slowly."), ("Heading2", "Sites"), table=TABLE)
    assert sections("reefs.docx", content) == [
        (("Reefs",), "They grow slowly.", ""),
        (("Reefs", "Sites"), "Site: North reef; Depth: 12 m\nSite: South reef; Depth: 7 m", ""),
    ]


def test_equations_of_a_word_document_are_named_as_unread() -> None:
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    equation = f'<m:oMath xmlns:m="{math}"><m:r><m:t>E</m:t></m:r></m:oMath>'
    run = "<w:r><w:t>Energy is</w:t></w:r>"
    xml = f'<w:document xmlns:w="{WORD}"><w:body><w:p>{run}{equation}</w:p></w:body></w:document>'
    reading = read(Kind.WORD, docx(xml=xml))
    assert (reading.sections[0].text, reading.note) == ("Energy is", "Its equations couldn't be read.")
    assert not read(Kind.WORD, docx(("", "Energy is E."))).note


def test_html_keeps_what_is_seen_and_nothing_that_runs() -> None:
    page = (
        b"<html><head><title>no</title><script>alert('no')</script></head><body><nav>no</nav>"
        b"<h1>Reef  <i>guide</i></h1>loose <b>bold</b> text<p>one<br>two</p><div hidden>no</div><h2>Depths</h2>"
        b"<table><tr><th>Site<th>Depth<tr>"
        b"<td>North reef<td>12 m</table><style>no{}</style><a href='javascript:no'>a link</a></body></html>"
    )
    assert sections("reef.html", page) == [
        (("Reef guide",), "loose bold text\none\ntwo", ""),
        (("Reef guide", "Depths"), "Site: North reef; Depth: 12 m\na link", ""),
    ]


@pytest.mark.parametrize(
    ("table", "lines"),
    [
        (
            "<tr><th>Species<th>Traits<tr><td>Clown<b>fish</b><td><p>Bright</p><p>Small</p><ul><li>shy<li>quick</ul>",
            ["Species: Clownfish; Traits: Bright Small shy quick"],
        ),
        (
            "<tr><th>Species<th>Home<th>Traits<tr><td rowspan=2>Crab<td>Reef<td>Shy<tr><td>Wreck<td rowspan=9>Bold"
            "<tr><td colspan=2>Gull",
            [
                "Species: Crab; Home: Reef; Traits: Shy",
                "Species: Crab; Home: Wreck; Traits: Bold",
                "Species: Gull; Home: Gull; Traits: Bold",
            ],
        ),
        (
            "<tr><th colspan=2>Sites<tr><th>Site<th>Depth<tr><td colspan=2>In the north<tr><td>Reef<td>12 m",
            ["Sites", "In the north", "Site: Reef; Depth: 12 m"],
        ),
        ("<tr><td colspan=1000000>wide<td rowspan=-1>odd<tr><td>a<td>b", ["wide: a; odd: b"]),
        ("<tr><td>a<td colspan=999>wide", [" | ".join(["a", *["wide"] * 99])]),
    ],
    ids=["blocks", "spans", "titles", "huge", "bounded"],
)
def test_a_cell_of_a_table_stands_in_every_place_it_covers(table: str, lines: list[str]) -> None:
    page = f"<body><table>{table}</table>".encode()
    assert [text for _, text, _ in sections("a.html", page)] == ["\n".join(lines)]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "a.csv",
            b"Site;Depth\nNorth;12\nSouth;7\n",
            [("Site: North; Depth: 12", "row 2"), ("Site: South; Depth: 7", "row 3")],
        ),
        ("a.tsv", b"1\t2\n3\t4\n", [("1 | 2", "row 1"), ("3 | 4", "row 2")]),
        ("a.csv", b"Country,2021,2022\nChad,5.3,6\n", [("Country: Chad; 2021: 5.3; 2022: 6", "row 2")]),
        ("a.csv", b"Phone,Phone,\n112,110,x\n", [("Phone: 112; Phone 2: 110; x", "row 2")]),
        ("a.csv", b'"Why?\n%b",Who\nFun,Ada\n' % (b"x" * 400), [(f"Why? {'x' * 400}: Fun; Who: Ada", "row 2")]),
        (
            "a.json",
            b'{"sites": [{"at": {"lat": 1}, "tags": ["a", "b"]}]}',
            [("at > lat: 1\ntags: a, b", "entry 1")],
        ),
        (
            "a.jsonl",
            b'{"name": "North"}\n{"name": "South"}\n',
            [("name: North", "entry 1"), ("name: South", "entry 2")],
        ),
        ("a.jsonl", b'["a\xe2\x80\xa8b\xc2\x85c"]\n[2]', [("a\u2028b\x85c", "entry 1"), ("2", "entry 2")]),
        ("a.json", b'{"name": "North", "depth": 12}', [("name: North\ndepth: 12", "")]),
    ],
)
def test_each_row_says_what_its_values_are(name: str, content: bytes, expected: list[tuple[str, str]]) -> None:
    assert [(text, place) for _, text, place in sections(name, content)] == expected


PICTURE = f"data:image/png;base64,{'iVBORw0KGgo+/' * 1000}="


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a.md", f"The reef ![][image1] lives.\n\n[image1]: <{PICTURE}>\n", "The reef ![][image1] lives."),
        ("a.md", f"The reef ![a map]({PICTURE}) lives.", "The reef ![a map]() lives."),
        ("a.txt", f"metadata:image/x,y, {PICTURE} lives.", "metadata:image/x,y,  lives."),
        ("a.html", f"<p>The reef <img src='{PICTURE}' alt='no'> lives.", "The reef lives."),
        ("a.txt", "data:image/png" * 100_000 + ";a" * 1_000_000, "data:image/png" * 100_000 + ";a" * 1_000_000),
    ],
    ids=["defined", "inline", "text", "html", "hostile"],
)
def test_an_embedded_picture_is_not_text(name: str, content: str, text: str) -> None:
    assert sections(name, content.encode())[0][1].strip() == text
    with pytest.raises(UnreadableError, match="no text"):
        read(Kind.TEXT, PICTURE.encode())


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_table_is_cut_where_its_rows_are_even(delimiter: str) -> None:
    rows = [
        ["Id", "Name, first", "Quote"],
        ["1", "Reef", 'We went out, early.\n"Calm", she said; "it | is".'],
        ["2", "Boat", "It\tbroke; badly, again."],
    ]
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows(rows)
    assert [cells for _, cells in csv_rows(stream.getvalue())] == rows
    assert csv_rows(f'sep={delimiter}\nQ{delimiter}A\nWho?{delimiter}"a ""crab"", a; b"\n')[2:] == [
        (3, ["Who?", 'a "crab", a; b'])
    ]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.txt", b"  \n", "is empty"),
        ("a.txt", b"a\0b", "null characters"),
        ("a.pdf", b"<html>no</html>", "isn't a pdf file, whatever its name says"),
        ("a.docx", b"PK\x03\x04 nothing", "isn't a docx file"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Save it as .docx"),
        ("a.exe", b"MZ", "can't be read. Convert it"),
        ("a.txt", b"x" * 20_000_001, "20 MB; the limit is 20 MB"),
    ],
    ids=range(7),
)
def test_what_can_not_be_read_is_refused_at_the_door(name: str, content: bytes, sentence: str) -> None:
    with pytest.raises(UnreadableError, match=sentence):
        kind_of(name, content)


def test_a_pdf_with_another_name_is_read_as_what_it_is() -> None:
    assert kind_of("paper", pdf("Kelp.")) == Kind.PDF


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.pdf", pdf("Secret.", password="open sesame"), "has a password"),
        ("a.pdf", pdf("", ""), "pictures without text"),
        ("a.pdf", pdf("Kelp.")[:200], "is damaged"),
        ("a.docx", docx(xml="<w:document>broken"), "is damaged"),
        ("a.docx", docx(xml=f"<a>{'b' * 11_000_000}</a>"), "unpacks to 11 MB"),
        ("a.json", b"{broken", "isn't valid JSON"),
        ("a.json", b"[" * 100_000, "isn't valid JSON"),
        ("a.html", b"<script>only</script>", "no text"),
        ("a.csv", b"a,b\n" * 50_001, "50,001 rows"),
    ],
    ids=range(9),
)
def test_what_only_reading_shows_is_said_in_a_sentence(name: str, content: bytes, sentence: str) -> None:
    with pytest.raises(UnreadableError, match=sentence):
        read(kind_of(name, content), content)


def test_a_page_that_would_take_minutes_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "SECONDS", 3)
    with pytest.raises(UnreadableError, match="took"):
        read(Kind.HTML, b"<div>" * 200_000 + b"deep")


def test_what_real_programs_write_is_read() -> None:
    protected = pdf("The tide turns at noon.", algorithm="AES-128", owner="no printing")
    assert sections("a.pdf", protected) == [((), "The tide turns at noon.", "page 1")]
    doubled = b'name,note\n"Berg, W.","plain"\n"Anna said ""hi, you""","x"\n'
    assert [text for _, text, _ in sections("a.csv", doubled)] == [
        "name: Berg, W.; note: plain",
        'name: Anna said "hi, you"; note: x',
    ]
    unclosed = b'name,depth\nthe 12" pipe,3\n"north,4\nsouth,5\n'
    assert len(sections("a.csv", unclosed)) == 3, "a mark that nothing closes swallows no rows"
    assert (
        sections("a.json", b'["a cut emoji \\ud83d here", "\\u0000", "\\ud83d\\ude00"]')[0][1]
        == "a cut emoji \ufffd here"
    )
    assert (
        sections("a.html", b"<body><form><p>Seventeen urchins</p><button>Send</button></form>")[0][1]
        == "Seventeen urchins"
    )
    accordion = b"<body><h2><button><span>Who dives?</span></button></h2><div><p>Ada<button>Copy</button></div>"
    assert sections("a.html", accordion) == [(("Who dives?",), "Ada", "")]
    page = '<meta charset="windows-1251"><p>Морской ёж</p>'.encode("cp1251")
    assert sections("a.html", page)[0][1] == "Морской ёж"
    assert sections("a.csv", "Größe;Name\n3;Müller\n".encode("cp1252"))[0][1] == "Größe: 3; Name: Müller"
    blanks = ("# a" + " " * 200_000 + "b").encode()
    assert sections("a.md", blanks + b"\n\ntext")[0][1].strip() == "text", "a line of blanks needs no minutes"
