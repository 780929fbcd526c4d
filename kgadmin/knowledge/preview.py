"""How a file would be cut into chunks: what an ingestion would do of it, without saving anything."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile

from kgadmin.knowledge import chunking
from kgadmin.knowledge.chunking import Piece
from kgadmin.knowledge.forms import ChunkSizes
from kgadmin.knowledge.reading.kinds import Kind, UnreadableError, kind_of
from kgadmin.knowledge.reading.reader import read
from kgadmin.knowledge.uploads import unpacked
from kgadmin.rest.actions import Refused
from kgadmin.stores import wiring

SHOWN = 20
MAX_BYTES = 2_000_000
"""Somebody waits for it, and so does the process that answers."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The first chunks of a file, of how many and with how many tokens in all, and what couldn't be read of it."""

    name: str
    pieces: Sequence[Piece]
    count: int
    tokens: int
    note: str


def _first_readable(files: Iterable[tuple[str, bytes]]) -> tuple[str, Kind, bytes]:
    """Return the first file of a readable kind. Raises `UnreadableError` with what is wrong with the last."""
    error = UnreadableError("The file is empty.")
    for name, content in files:
        try:
            return name, kind_of(name, content), content
        except UnreadableError as wrong:
            error = wrong
    raise error


def preview(file: "UploadedFile[bytes]", sizes: ChunkSizes) -> Preview:
    """Cut a file, or the first readable one in an archive. Raises `Refused`."""
    chunking.check_sizes(sizes.chunk_tokens, sizes.overlap_tokens)
    path = file.name or "unnamed"
    if (file.size or 0) > MAX_BYTES:
        raise Refused(f"{path}: A preview reads files of at most {MAX_BYTES // 1_000_000} MB. Try a part of it.")
    try:
        name, kind, content = _first_readable(unpacked(path, file))
        reading = read(kind, content)
    except (UnreadableError, Refused) as error:
        raise Refused(f"{path}: {error}") from error
    pieces = chunking.chunk(
        reading.sections,
        count=wiring.count_tokens,
        max_tokens=sizes.chunk_tokens,
        overlap_tokens=sizes.overlap_tokens,
    )
    return Preview(name, pieces[:SHOWN], len(pieces), sum(piece.tokens for piece in pieces), reading.note)
