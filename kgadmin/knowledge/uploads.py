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
MAX_TOGETHER = 100_000_000
"""Bytes of all files of an upload, unpacked."""
MOST_NAMED = 5
"""Refused files that are named one by one."""
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

    @property
    def summary(self) -> str:
        """Return how many documents there are, and how many replaced one of their name."""
        versions = {document.pk: document.version for document in self.documents}
        replaced = sum(version > 1 for version in versions.values())
        count = f"{len(versions)} document{'s' * (len(versions) > 1)} taken"
        return f"{count}, {replaced} in place of one of the same name." if replaced else f"{count}."


def take(*, base: KnowledgeBase, files: Sequence["UploadedFile[bytes]"], by: User, paths: Sequence[str] = ()) -> Taken:
    """Save files as documents; `paths` are their paths in a folder, in the same order. Raises `Refused` if every file
    is refused.
    """
    if paths and len(paths) != len(files):
        raise Refused("The names of the files didn't arrive as they were. Reload the page and upload them again.")
    batch, taken, size = new_batch(), Taken([], []), 0
    for path, file in zip(paths or [file.name or "unnamed" for file in files], files, strict=True):
        try:
            for name, content in unpacked(path, file):
                size += len(content)
                if size > MAX_TOGETHER:
                    raise UnreadableError(f"Together these are more than {MAX_TOGETHER // 1_000_000} MB. Upload less.")
                _take(taken, base, name, content, by, batch)
        except (UnreadableError, Refused) as error:
            taken.refused.append(Refusal(path, str(error)))
    if not taken.documents:
        more = len(taken.refused) - MOST_NAMED
        named = " ".join(f"{name}: {reason}" for name, reason in taken.refused[:MOST_NAMED])
        raise Refused(f"{named} And {more} more files." if more > 0 else named or "There is nothing to read in it.")
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
        if not _is_clutter(path):
            yield path, content
        return
    folder = PurePosixPath(path).with_suffix("")
    for name, member in archives.read(content).items():
        if not _is_clutter(name):
            parent = folder.parent if PurePosixPath(name).is_relative_to(folder.name) else folder
            yield str(parent / name), member


def _is_clutter(path: str) -> bool:
    return any(part in _CLUTTER or part.startswith("._") for part in PurePosixPath(path).parts)
