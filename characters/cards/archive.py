"""Archives in which sheets and cards travel (CHARX, folders as zip), within limits that no honest one meets."""

import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from characters.cards.errors import CardError

MAX_ENTRIES = 1_000
MAX_BYTES = 50_000_000
MAX_RATIO = 200
"""Unpacked to packed bytes of an entry that is larger than 1 MB."""
_SMALL = 1_000_000
_PIECE = 65_536
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""Other ways of packing unpack without a limit."""
CARD_FILE = "card.json"
"""Where a CHARX has its card."""
_BY_NUMBER = "assets/other"
"""Where a file goes that can't have its own name."""
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\\:]")
_PLAIN_ENDING = re.compile(r"\.[A-Za-z0-9]{1,10}")
MAX_PATH = 400
_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_JPEG = b"\xff\xd8\xff"
_BROKEN = "The archive is damaged. Download it once more."


def is_archive(content: bytes) -> bool:
    """Whether it is one, also an empty one, or one behind a picture (as some programs write CHARX)."""
    if content.startswith(_STARTS):
        return True
    return content.startswith(_JPEG) and zipfile.is_zipfile(io.BytesIO(content))


def read(content: bytes, names: Iterable[str] | None = None) -> dict[str, bytes]:
    """The files in an archive by name, or those that are named and there. Raises `CardError`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if not entries:
                raise CardError("The archive is empty.")
            _check(entries)
            wanted = None if names is None else set(names)
            return {
                entry.filename: _unpacked(archive, entry)
                for entry in entries
                if wanted is None or entry.filename in wanted
            }
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        OSError,
        UnicodeDecodeError,
    ) as error:
        raise CardError(_BROKEN) from error


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """An entry, read in pieces: what its header says of its size may be wrong."""
    made = bytearray()
    with archive.open(entry) as stream:
        while piece := stream.read(_PIECE):
            made += piece
            if len(made) > entry.file_size:
                raise CardError(_BROKEN)
    return bytes(made)


def write(files: Mapping[str, bytes]) -> bytes:
    """An archive of these files, always the same for the same files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def is_safe(path: str) -> bool:
    """Whether a file may be written under this name: it stays in its folder, and is no other one's name anywhere."""
    parts = PurePosixPath(path).parts
    if not parts or len(path) > MAX_PATH or path.endswith("/") or _UNWRITABLE.search(path):
        return False
    first = parts[0].rstrip(". ").casefold()  # some systems read them all as one name
    return not path.startswith("/") and ".." not in parts and first != CARD_FILE


def safe(path: str) -> str:
    """The name under which a file is written: its own, or one made of it."""
    if is_safe(path):
        return path
    ending = _PLAIN_ENDING.fullmatch(PurePosixPath(path).suffix)
    number = hashlib.sha256(path.encode(errors="replace")).hexdigest()[:12]
    return f"{_BY_NUMBER}/{number}{ending[0] if ending else ''}"


def _check(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES:
        raise CardError(f"The archive holds {len(entries)} files; at most {MAX_ENTRIES} are taken.")
    total = sum(entry.file_size for entry in entries)
    if total > MAX_BYTES:
        raise CardError(f"The archive unpacks to {total // 1_000_000} MB; at most {MAX_BYTES // 1_000_000} are taken.")
    for entry in entries:
        if entry.compress_type not in _PACKED:
            raise CardError(f"{entry.filename} in the archive is packed in an unusual way. Pack it as a plain zip.")
        path = PurePosixPath(entry.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in entry.filename or ":" in entry.filename:
            raise CardError(f"The archive holds {entry.filename!r}, which points out of it. It isn't taken.")
        if entry.file_size > _SMALL and entry.file_size > MAX_RATIO * max(1, entry.compress_size):
            raise CardError(f"{entry.filename} in the archive unpacks to far more than it is. It isn't taken.")
