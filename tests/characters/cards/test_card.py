"""Cards out of files: every form and version, and what is no card."""

import pytest

from characters.cards import archive, uploads
from characters.cards.card import Card
from kgadmin.rest.actions import Refused
from tests.characters.cards.examples import V1, V2, V3, as_json, as_picture, card_in, with_data
from tests.characters.cards.test_png import picture


def test_every_version_is_read_whole() -> None:
    for version, card, nickname in ((1, V1, ""), (2, V2, ""), (3, V3, "Annie")):
        made = card_in(b"\xef\xbb\xbf" + as_json(card))
        assert (made.raw, made.version, made.form) == (card, version, "json")
        assert (made.text("name"), made.text("nickname")) == ("Ann Holm", nickname)


def test_of_a_picture_with_both_the_newer_card_counts() -> None:
    content = as_picture(chara=V2, ccv3=V3)
    assert card_in(content) == Card(V3, 3, "png", picture=content)
    assert card_in(as_picture(chara=V2)).version == 2


def test_an_archive_brings_its_other_files() -> None:
    content = archive.write({"card.json": as_json(V3), "assets/icon/main.png": b"\x89PNG"})
    assert card_in(content) == Card(V3, 3, "charx", {"assets/icon/main.png": b"\x89PNG"})


def test_what_is_no_card_is_refused_with_a_sentence() -> None:
    in_archive = {"card.json": as_json(V3)}
    for content, why in (
        (b"GIF89a\x01\x00", "kind of picture can't contain a card"),
        (b"{", "isn't JSON in UTF-8: .*line 1 column 2"),
        (b'{"name": NaN}', "an infinite number"),
        (b"[" * 200_000, "nests too deeply"),
        (b'{"name": "a", "description": "", "x": ' + b'{"a":' * 200 + b"1" + b"}" * 201, "nests too deeply"),
        (as_json({"data": {"name": "Ann"}}), "doesn't name its specification"),
        (with_data(name="\u200b\u3164\u0301 "), "no visible name"),
        (with_data(first_mes=["Ahoy"]), "`first_mes`: Input should be a valid string"),
        (
            with_data(character_book={"entries": [{"content": 1}]}),
            "`character_book.entries.0.content`: Input should be",
        ),
        (with_data(description="A" * 9_000_000), "the limit is 8 MB"),
        (with_data(description="a\0b"), "null byte"),
        (b"\x89PNG\r\n\x1a\n" + b"0" * 61_000_000, "61 MB; the limit is 60"),
        (picture(), "holds no character card"),
        (archive.write({"notes.txt": b"x"}), "holds no card.json"),
        (archive.write(in_archive | {"../../etc/passwd": b"x"}), "outside its folder"),
        (archive.write(in_archive | {"a": b"0" * 30_000_000, "b": b"0" * 30_000_000}), "unpacks to 60 MB"),
        (archive.write(in_archive)[:-30], "archive is damaged"),
    ):
        with pytest.raises(Refused, match=why):
            uploads.read(content)
