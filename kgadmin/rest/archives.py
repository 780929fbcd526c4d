"""Read and write archives (zip, CHARX), within limits that no honest one reaches."""

import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import PurePosixPath

from kgadmin.rest.actions import Refused

MAX_ENTRIES = 1_000
MAX_BYTES = 50_000_000
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""Accepted compressions; others unpack without a limit."""
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\:]")
_HAS_PASSWORD, _IS_UTF8 = 1, 0x800
_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_JPEG = b"\xff\xd8\xff"
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, UnicodeDecodeError)
"""Errors of `zipfile` for an archive that is broken, or has a password."""


def is_archive(content: bytes) -> bool:
    """Return whether this is an archive, even if empty, or behind a JPEG (as some programs write CHARX)."""
    if content.startswith(_STARTS):
        return True
    return content.startswith(_JPEG) and zipfile.is_zipfile(io.BytesIO(content))


def read(content: bytes) -> dict[str, bytes]:
    """Return the files in an archive, by name. Raises `Refused`."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check(entries)
            # Only as many bytes as the header says: if it lies, the checksum is wrong.
            return {_name(entry): archive.open(entry).read(entry.file_size) for entry in entries}
    except _DAMAGED as error:
        raise Refused("The archive is damaged. Download it again.") from error


def write(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of these files, always the same for the same files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def is_safe(path: str) -> bool:
    """Return whether a file of this name stays in the folder into which an archive is unpacked."""
    pure = PurePosixPath(path)
    return bool(pure.parts) and not pure.is_absolute() and ".." not in pure.parts and not _UNSAFE.search(path)


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the path with slashes between folders, and "_" for what can't be in a file's name everywhere."""
    path = entry.filename
    if not entry.flag_bits & _IS_UTF8:
        with suppress(UnicodeError):  # macOS writes UTF-8 and doesn't say so
            path = path.encode("cp437").decode("utf-8")
    return _UNSAFE.sub("_", path.replace("\\", "/"))


def _check(entries: list[zipfile.ZipInfo]) -> None:
    if not entries:
        raise Refused("The archive is empty.")
    if len(entries) > MAX_ENTRIES:
        raise Refused(f"The archive has {len(entries)} files; the limit is {MAX_ENTRIES}.")
    total = sum(entry.file_size for entry in entries)
    if total > MAX_BYTES:
        raise Refused(f"The archive unpacks to {total // 1_000_000} MB; the limit is {MAX_BYTES // 1_000_000} MB.")
    for entry in entries:
        if entry.compress_type not in _PACKED:
            raise Refused(f"{entry.filename} in the archive uses an unsupported compression. Pack it as a plain zip.")
        if entry.flag_bits & _HAS_PASSWORD:
            raise Refused("The archive has a password. Pack it without one.")
        if not is_safe(_name(entry)):
            raise Refused(f"The archive has a file named {entry.filename!r} outside its folder. Rename it.")
