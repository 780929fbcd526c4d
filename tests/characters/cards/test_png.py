"""Texts of a picture: read with their checksums, written into the bytes that were there."""

import struct
import zlib

import pytest

from characters.cards import png
from kgadmin.rest.actions import Refused


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I4s", len(data), kind) + data + struct.pack(">I", zlib.crc32(kind + data))


HEAD = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
PIXELS = chunk(b"IDAT", zlib.compress(b"\0\0"))
END = chunk(b"IEND", b"")


def picture(*parts: bytes) -> bytes:
    return png.SIGNATURE + HEAD + b"".join(parts) + PIXELS + END


def test_every_kind_of_text_is_read_in_front_of_the_pixels_and_behind_them() -> None:
    made = png.SIGNATURE + HEAD + chunk(b"tEXt", b"Title\0A reef") + PIXELS
    made += chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"packed")) + chunk(b"iTXt", b"ccv3\0\0\0en\0key\0plain")
    made += chunk(b"iTXt", b"more\0\1\0\0\0" + zlib.compress(b"both")) + END
    wanted = {"title": b"A reef", "chara": b"packed", "ccv3": b"plain", "more": b"both"}
    assert png.texts(made, wanted) == wanted


def test_a_text_takes_the_place_of_its_former_one_and_nothing_else_changes() -> None:
    other = chunk(b"tEXt", b"Title\0A reef") + chunk(b"prVt", b"\0\1")
    before = picture(other, chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"old")))
    after = png.with_texts(before, {"chara": b"new", "ccv3": b"newer"})
    assert png.texts(after, ["chara", "ccv3"]) == {"chara": b"new", "ccv3": b"newer"}
    assert after.startswith(png.SIGNATURE + HEAD + other + PIXELS)
    assert after.endswith(END)
    assert png.with_texts(after, {"chara": b"new", "ccv3": b"newer"}) == after


def test_a_picture_that_is_cut_off_or_damaged_or_unpacks_to_far_too_much_is_refused() -> None:
    damaged = bytearray(picture(chunk(b"tEXt", b"chara\0old")))
    damaged[len(png.SIGNATURE) + len(HEAD) + 12] ^= 1
    bomb = picture(chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"0" * (png.MAX_TEXT + 1))))
    cut = [(picture()[:length], "incomplete") for length in (9, 20, 33, 40, 60)]
    for content, why in (*cut, (bytes(damaged), "checksum"), (bomb, "larger than 16 MB")):
        with pytest.raises(Refused, match=why):
            png.texts(content, ["chara"])
