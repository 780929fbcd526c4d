"""Cards out of files: every form and version, and what is no card."""

import base64
import io
import json
import zipfile
from typing import Any

import pytest

from characters.cards import archive
from characters.cards.errors import CardError
from characters.cards.reading import Card, read
from tests.characters.cards.test_png import chunk, picture

V1 = {"name": "Ann", "description": "Keeps a light.", "first_mes": "Ahoy.", "mine": [1]}
V2 = {"spec": "chara_card_v2", "spec_version": "2.0", "data": V1 | {"extensions": {"a/b": None}, "tags": ["sea"]}}
V3 = {"spec": "chara_card_v3", "spec_version": "3.0", "data": V1 | {"nickname": "Annie", "assets": []}}
BOOK = {"entries": [{"keys": ["fog"], "content": "It comes at four.", "insertion_order": 1, "enabled": True}]}


def as_json(card: Any) -> bytes:
    return json.dumps(card, ensure_ascii=False).encode()


def as_picture(**texts: Any) -> bytes:
    return picture(*(chunk(b"tEXt", name.encode() + b"\0" + base64.b64encode(as_json(c))) for name, c in texts.items()))


def with_data(**changed: Any) -> bytes:
    return as_json(V2 | {"data": V2["data"] | changed})  # type: ignore[operator]


@pytest.mark.parametrize(("card", "version"), [(V1, 1), (V2, 2), (V3, 3)])
def test_every_version_is_read_whole(card: dict[str, Any], version: int) -> None:
    found = read(b"\xef\xbb\xbf" + as_json(card))
    assert (found.raw, found.version, found.form) == (card, version, "json")
    assert found.data["mine"] == [1]
    assert (found.text("name"), found.text("scenario")) == ("Ann", "")


def test_of_a_picture_with_both_the_newer_card_counts() -> None:
    content = as_picture(chara=V2, ccv3=V3)
    assert read(content) == Card(V3, 3, "png", picture=content)
    assert read(as_picture(chara=V2)).version == 2


def test_an_archive_brings_its_other_files() -> None:
    content = archive.write({"card.json": as_json(V3), "assets/icon/main.png": b"\x89PNG"})
    assert read(content) == Card(V3, 3, "charx", {"assets/icon/main.png": b"\x89PNG"})


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"{", "isn't JSON: .*line 1, column 2"),
        (b"[]", "no JSON object"),
        (b"\xff\xfe{}", "isn't UTF-8"),
        (b"[" * 200_000, "nests too deeply|isn't JSON"),
        (b'{"name": NaN}', "holds NaN"),
        (as_json({"data": {"name": "Ann"}}), "doesn't say of which specification"),
        (as_json(V2 | {"spec": "chara_card_v9"}), "says it is of 'chara_card_v9'"),
        (as_json(V2 | {"data": []}), "no `data`"),
        (as_json({"name": "A world", "entries": {}}), "doesn't say of which specification"),
        (with_data(name=" "), "has no name"),
        (with_data(first_mes=["Ahoy"]), "`first_mes` must be text"),
        (with_data(alternate_greetings="Ahoy"), "`alternate_greetings` must be a list of texts"),
        (with_data(character_book={"entries": 3}), "`character_book` must have `entries`"),
        (with_data(character_book={"entries": [{"keys": "fog", "content": "x"}]}), "Entry 1 of the lorebook"),
        (with_data(character_book={"entries": BOOK["entries"] * 10_001}), "has 10001 entries"),
        (with_data(description="a\0b"), "null byte"),
        (b'{"spec": "chara_card_v2", "data": {"name": "\\ud800"}}', "half of a character"),
        (picture(), "holds no character card"),
        (picture(chunk(b"tEXt", b"chara\0!")), "isn't base64|isn't JSON"),
        (archive.write({"notes.txt": b"x"}), "holds no card.json"),
        (archive.write({"card.json": as_json(V3), "../../etc/passwd": b"x"}), "points out of it"),
        (archive.write({"card.json": as_json(V3), "/etc/passwd": b"x"}), "points out of it"),
        (archive.write({"card.json": as_json(V3), "big": b"0" * 49_000_000}), "far more than it is"),
        (archive.write({"card.json": as_json(V3), "a": b"0" * 30_000_000, "b": b"0" * 30_000_000}), "unpacks to 60 MB"),
        (archive.write({"card.json": as_json(V3)} | {f"{number}": b"" for number in range(1_000)}), "holds 1001 files"),
        (archive.write({"card.json": as_json(V3)})[:-30], "archive is damaged"),
    ],
)
def test_what_is_no_card_is_refused_with_a_sentence(content: bytes, why: str) -> None:
    with pytest.raises(CardError, match=why):
        read(content)


def test_an_archive_that_lies_about_a_size_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("card.json", b"0" * 5_000_000)
    content = stream.getvalue().replace((5_000_000).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    with pytest.raises(CardError, match="damaged"):
        read(content)


def test_a_card_of_a_book_is_read() -> None:
    assert read(with_data(character_book=BOOK)).data["character_book"] == BOOK
