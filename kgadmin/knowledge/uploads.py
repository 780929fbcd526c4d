"""Uploaded files and archives: what becomes a document, and what is refused at the door, each with a sentence."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from django.core.files.uploadedfile import UploadedFile

from kgadmin.accounts.models import User
from kgadmin.audit.services import new_batch
from kgadmin.knowledge import services
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.knowledge.reading.kinds import MAX_BYTES, UnreadableError, too_large
from kgadmin.rest import archives
from kgadmin.rest.actions import Refused

ARCHIVE_SUFFIX = ".zip"
_CLUTTER = {"__MACOSX", ".DS_Store", "Thumbs.db"}
"""What systems put into archives and folders by themselves."""


class Refusal(NamedTuple):
    """A file that wasn't taken, and why."""

    name: str
    reason: str


class Taken(NamedTuple):
    """The documents of an upload, and what was refused of it."""

    documents: list[Document]
    refused: list[Refusal]


def take(*, base: KnowledgeBase, files: Sequence["UploadedFile[bytes]"], by: User, paths: Sequence[str] = ()) -> Taken:
    """Save files as documents; `paths` are their paths in a folder, in the same order. Raises `Refused` if every file
    is refused.
    """
    batch, taken = new_batch(), Taken([], [])
    for number, file in enumerate(files):
        path = paths[number] if number < len(paths) and paths[number] else file.name or "unnamed"
        try:
            for name, content in unpacked(path, file):
                _take(taken, base, name, content, by, batch)
        except (UnreadableError, Refused) as error:
            taken.refused.append(Refusal(path, str(error)))
    if not taken.documents:
        raise Refused(" ".join(f"{name}: {reason}" for name, reason in taken.refused[:5]))
    return taken


def _take(taken: Taken, base: KnowledgeBase, name: str, content: bytes, by: User, batch: str) -> None:
    try:
        taken.documents.append(services.add_document(base=base, name=name, content=content, by=by, batch=batch))
    except UnreadableError as error:
        taken.refused.append(Refusal(name, str(error)))


def unpacked(path: str, file: "UploadedFile[bytes]") -> Iterator[tuple[str, bytes]]:
    """Yield the file, or the files in an archive. Nothing that is too large is read."""
    is_archive = PurePosixPath(path).suffix.lower() == ARCHIVE_SUFFIX
    size, limit = file.size or 0, archives.MAX_BYTES if is_archive else MAX_BYTES
    if size > limit:
        raise UnreadableError(too_large(size, limit))
    content = file.read()
    if not is_archive:
        yield path, content
        return
    for name, member in archives.read(content).items():
        if not _CLUTTER & set(PurePosixPath(name).parts):
            yield name, member
