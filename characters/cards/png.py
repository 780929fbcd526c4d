"""Read and write a PNG's text chunks, which hold cards; picture libraries aren't used, as they drop other chunks."""

import colorsys
import struct
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from kgadmin.rest.actions import Refused

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_TEXT = 16_000_000
"""Bytes of one text, unpacked."""
MAX_CHUNKS = 100_000
WIDTH, HEIGHT = 400, 600
_HEAD = struct.Struct(">I4s")
_CRC_BYTES = 4
_TEXTS = {b"tEXt", b"zTXt", b"iTXt"}


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk; `raw` is all of its bytes, with length and checksum."""

    kind: bytes
    data: bytes
    raw: bytes

    @property
    def keyword(self) -> str:
        """The keyword of a text, in lower case; empty for any other chunk."""
        return self.data.partition(b"\0")[0].decode("latin-1").lower() if self.kind in _TEXTS else ""

    @property
    def text(self) -> bytes:
        """The text, unpacked. Raises `Refused`."""
        rest = self.data.partition(b"\0")[2]
        if self.kind == b"zTXt":  # the first byte names the compression, of which there is only one
            return _unpacked(rest[1:])
        if self.kind == b"tEXt":
            return rest
        text = rest[2:].split(b"\0", 2)[-1]  # behind the language, and the keyword in that language
        return _unpacked(text) if rest[:1] == b"\1" else text


def chunks(content: bytes) -> Iterator[Chunk]:
    """Yield all chunks. Raises `Refused` if the file is cut off or damaged."""
    at = len(SIGNATURE)
    for _ in range(MAX_CHUNKS):
        if at + _HEAD.size > len(content):
            break
        length, kind = _HEAD.unpack_from(content, at)
        raw = content[at : at + _HEAD.size + length + _CRC_BYTES]
        if len(raw) < _HEAD.size + length + _CRC_BYTES:
            break
        data, checksum = raw[_HEAD.size : -_CRC_BYTES], raw[-_CRC_BYTES:]
        if _checksum(kind + data) != checksum:
            raise Refused("The picture is damaged: its checksum is wrong. Download it again.")
        yield Chunk(kind, data, raw)
        if kind == b"IEND":
            return
        at += len(raw)
    raise Refused("The picture is incomplete. Download it again.")


def texts(content: bytes, keywords: Collection[str]) -> dict[str, bytes]:
    """Return the picture's first text of each of these keywords. Raises `Refused`."""
    by_keyword: dict[str, bytes] = {}
    for chunk in chunks(content):
        if chunk.keyword in keywords:
            by_keyword.setdefault(chunk.keyword, chunk.text)
    return by_keyword


def with_texts(content: bytes, texts: Mapping[str, bytes], without: Collection[str] = ()) -> bytes:
    """Return the picture with these texts, in place of those with the same keywords or ones in `without`."""
    made = bytearray(SIGNATURE)
    for chunk in chunks(content):
        if chunk.kind == b"IEND":
            for keyword, text in texts.items():
                made += _chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + text)
        if chunk.keyword not in texts and chunk.keyword not in without:
            made += chunk.raw
    return bytes(made)


def is_complete(content: bytes) -> bool:
    """Return whether this is a PNG that is neither cut off nor damaged."""
    try:
        return content.startswith(SIGNATURE) and any(chunk.kind == b"IEND" for chunk in chunks(content))
    except Refused:
        return False


def plain(name: str) -> bytes:
    """Return a PNG for a character without a picture: a colour derived from the name, getting darker."""
    hue = zlib.crc32(name.encode()) % 360 / 360
    rows = (colorsys.hls_to_rgb(hue, 0.62 - 0.34 * row / HEIGHT, 0.32) for row in range(HEIGHT))
    pixels = b"".join(b"\0" + bytes(round(255 * part) for part in row) * WIDTH for row in rows)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(pixels, 9)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return _HEAD.pack(len(data), kind) + data + _checksum(kind + data)


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CRC_BYTES, "big")


def _unpacked(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MAX_TEXT)
    except zlib.error as error:
        raise Refused("A text in the picture is damaged. Download it again.") from error
    if unpacker.unconsumed_tail:
        raise Refused(f"A text in the picture is larger than {MAX_TEXT // 1_000_000} MB, too large for a card.")
    return text
