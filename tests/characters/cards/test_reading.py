"""Cards out of files: every form and version, and what is no card."""

import pytest

from characters.cards import archive
from characters.cards.errors import CardError
from characters.cards.reading import Card, read
from tests.characters.cards.examples import V1, V2, V3, as_json, as_picture, with_data
from tests.characters.cards.test_png import chunk, picture


def test_every_version_is_read_whole() -> None:
    for version, card, nickname in ((1, V1, ""), (2, V2, ""), (3, V3, "Annie")):
        found = read(b"\xef\xbb\xbf" + as_json(card))
        assert (found.raw, found.version, found.form) == (card, version, "json")
        assert (found.text("name"), found.text("nickname")) == ("Ann Holm", nickname)


def test_of_a_picture_with_both_the_newer_card_counts() -> None:
    content = as_picture(chara=V2, ccv3=V3)
    assert read(content) == Card(V3, 3, "png", picture=content)
    assert read(as_picture(chara=V2)).version == 2


def test_an_archive_brings_its_other_files() -> None:
    content = archive.write({"card.json": as_json(V3), "assets/icon/main.png": b"\x89PNG"})
    assert read(content) == Card(V3, 3, "charx", {"assets/icon/main.png": b"\x89PNG"})


def test_what_is_no_card_is_refused_with_a_sentence() -> None:
    in_archive = {"card.json": as_json(V3)}
    for content, why in (
        (b"", "is empty"),
        (b"GIF89a\x01\x00", "is a GIF picture"),
        (b"{", "isn't JSON: .*line 1, column 2"),
        (b'{"name": NaN}', "holds NaN"),
        (b"[" * 200_000, "nests too deeply|isn't JSON"),
        (b'{"name": "a", "description": "", "x": ' + b'{"a":' * 200 + b"1" + b"}" * 201, "nests too deeply"),
        (as_json({"data": {"name": "Ann"}}), "doesn't say of which specification"),
        (with_data(name="\u200b\u3164\u0301 "), "no character that can be seen"),
        (with_data(first_mes=["Ahoy"]), "`first_mes` must be text"),
        (with_data(description="A" * 9_000_000), "at most 8 are taken"),
        (with_data(description="a\0b"), "null byte"),
        (b'{"spec": "chara_card_v2", "data": {"name": "\\ud800"}}', "half of a character"),
        (b"\x89PNG\r\n\x1a\n" + b"0" * 61_000_000, "61 MB; at most 60"),
        (picture(), "holds no character card"),
        (picture(chunk(b"tEXt", b"chara\0" + b"QUFB" * 4_000_001)), "larger than 8 MB"),
        (archive.write({"notes.txt": b"x"}), "holds no card.json"),
        (archive.write(in_archive | {"../../etc/passwd": b"x"}), "points out of it"),
        (archive.write(in_archive | {"big": b"0" * 2_000_000}), "far more than it is"),
        (archive.write(in_archive | {"a": b"0" * 30_000_000, "b": b"0" * 30_000_000}), "unpacks to 60 MB"),
        (archive.write(in_archive)[:-30], "archive is damaged"),
    ):
        with pytest.raises(CardError, match=why):
            read(content)
