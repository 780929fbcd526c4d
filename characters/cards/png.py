"""Text chunks of a PNG, in which cards travel: read with their checksums, written into the original bytes.

Chunks that aren't ours stay where they are; libraries for pictures drop them when they save (PNG, section 11.3.3).
"""

import colorsys
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from characters.cards.errors import CardError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_TEXT = 16_000_000
"""Bytes of one text, unpacked."""
MAX_TEXTS = 100_000_000
"""Bytes of all of them."""
MAX_CHUNKS = 100_000
WIDTH, HEIGHT = 400, 600
_HEAD = struct.Struct(">I4s")
_CRC_BYTES = 4


@dataclass(frozen=True, slots=True)
class Chunk:
    """`start` and `end` are its place in the file, length and checksum included."""

    kind: bytes
    data: bytes
    start: int
    end: int


def chunks(content: bytes) -> Iterator[Chunk]:
    """All chunks. Raises `CardError` where the file is cut off or damaged."""
    at, number = len(SIGNATURE), 0
    while at < len(content):
        number += 1
        if number > MAX_CHUNKS:
            raise CardError(f"The picture has more than {MAX_CHUNKS:,} parts, which no picture needs.")
        if at + _HEAD.size > len(content):
            raise CardError("The picture is cut off. Download it once more.")
        length, kind = _HEAD.unpack_from(content, at)
        end = at + _HEAD.size + length + _CRC_BYTES
        if end > len(content):
            raise CardError("The picture is cut off. Download it once more.")
        data = content[at + _HEAD.size : end - _CRC_BYTES]
        if zlib.crc32(kind + data) != int.from_bytes(content[end - _CRC_BYTES : end], "big"):
            raise CardError("The picture is damaged: a checksum in it is wrong. Download it once more.")
        yield Chunk(kind, data, at, end)
        if kind == b"IEND":
            return
        at = end
    raise CardError("The picture is cut off. Download it once more.")


def texts(content: bytes) -> dict[str, bytes]:
    """The texts of tEXt, zTXt and iTXt chunks by keyword in lower case; of several the first. Raises `CardError`."""
    found: dict[str, bytes] = {}
    total = 0
    for chunk in chunks(content):
        keyword = _keyword(chunk)
        if chunk.kind in _READ and keyword not in found:
            found[keyword] = _READ[chunk.kind](chunk.data.partition(b"\0")[2])
            total += len(found[keyword])
        if total > MAX_TEXTS:
            raise CardError(f"The picture's texts unpack to more than {MAX_TEXTS // 1_000_000} MB. No card needs that.")
    return found


def with_texts(content: bytes, texts: Mapping[str, bytes]) -> bytes:
    """The picture with these texts in place of those of the same keywords, as tEXt before its end."""
    made = bytearray(SIGNATURE)
    for chunk in chunks(content):
        if chunk.kind == b"IEND":
            for keyword, text in texts.items():
                made += _chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + text)
        keyword = _keyword(chunk)
        if chunk.kind not in _READ or keyword not in texts:
            made += content[chunk.start : chunk.end]
    return bytes(made)


def without_texts(content: bytes, keywords: Iterable[str]) -> bytes:
    """The picture without the texts of these keywords, in lower case."""
    gone = set(keywords)
    kept = (c for c in chunks(content) if c.kind not in _READ or _keyword(c) not in gone)
    return SIGNATURE + b"".join(content[chunk.start : chunk.end] for chunk in kept)


def is_whole(content: bytes) -> bool:
    """Whether this is a picture of which nothing is missing."""
    try:
        return content.startswith(SIGNATURE) and any(chunk.kind == b"IEND" for chunk in chunks(content))
    except CardError:
        return False


def plain(name: str) -> bytes:
    """A picture for a character that has none: a colour of the name's own, getting darker."""
    hue = zlib.crc32(name.encode()) % 360 / 360
    rows = (colorsys.hls_to_rgb(hue, 0.62 - 0.34 * row / HEIGHT, 0.32) for row in range(HEIGHT))
    pixels = b"".join(b"\0" + bytes(round(255 * part) for part in row) * WIDTH for row in rows)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(pixels, 9)) + _chunk(b"IEND", b"")


def _keyword(chunk: Chunk) -> str:
    return chunk.data.partition(b"\0")[0].decode("latin-1").lower()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return _HEAD.pack(len(data), kind) + data + zlib.crc32(kind + data).to_bytes(_CRC_BYTES, "big")


def _plain(rest: bytes) -> bytes:
    return rest


def _deflated(rest: bytes) -> bytes:
    """zTXt: one byte says how it is packed, and there is only one way."""
    return _unpacked(rest[1:])


def _international(rest: bytes) -> bytes:
    """iTXt: whether it is packed, how, a language, the keyword in that language, the text."""
    is_packed, text = rest[:1] == b"\1", rest[2:].split(b"\0", 2)[-1]
    return _unpacked(text) if is_packed else text


def _unpacked(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MAX_TEXT)
    except zlib.error as error:
        raise CardError("A text in the picture is damaged. Download it once more.") from error
    if unpacker.unconsumed_tail:
        raise CardError(f"A text in the picture is larger than {MAX_TEXT // 1_000_000} MB, which no card needs.")
    return text


_READ = {b"tEXt": _plain, b"zTXt": _deflated, b"iTXt": _international}
