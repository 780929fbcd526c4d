"""What somebody uploads: a card, a lorebook, or a sheet's folder as an archive."""

import json
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from characters.cards import archive, books, planning, png, reading
from characters.cards.books import Lorebook
from characters.cards.errors import CardError
from characters.cards.planning import Plan
from characters.cards.reading import Card
from characters.domain.sheet import Sheet
from characters.profiles import documents, folder
from characters.profiles.documents import SheetError

ACCEPTED = ".json, .png, .charx, .zip"


@dataclass(frozen=True, slots=True)
class Folder:
    """A sheet out of its folder form."""

    sheet: Sheet
    notes: tuple[str, ...]


Upload = Card | Lorebook | Folder


def opened(content: bytes, name: str = "") -> Upload:
    """What a file holds, whatever it is called; a folder without a name in it takes the file's. Raises `CardError`."""
    if len(content) <= reading.MAX_FILE and archive.is_archive(content):
        files = archive.read(content)
        if archive.CARD_FILE not in files:
            return _folder(files, PurePosixPath(name).stem)
    elif not content.startswith(png.SIGNATURE):
        found = books.read(reading.parse(content)) if _is_json(content) else None
        if found:
            return found
    return reading.read(content)


def planned(upload: Card | Folder) -> Plan:
    """What becomes of a character's file. Raises `CardError`."""
    return planning.of_card(upload) if isinstance(upload, Card) else planning.of_sheet(upload.sheet, upload.notes)


def _is_json(content: bytes) -> bool:
    """Whether it is worth a look: `reading.read` says what is wrong with anything else."""
    try:
        return len(content) <= reading.MAX_JSON and isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False


def _folder(files: dict[str, bytes], name: str) -> Folder:
    texts: dict[str, bytes] = {}
    for path, content in files.items():
        if not path.startswith("__MACOSX/"):
            texts.setdefault(PurePosixPath(path).name, content)
    identity, background = (texts.get(each) for each in (folder.IDENTITY_FILE, folder.BACKGROUND_FILE))
    if identity is None or background is None:
        raise CardError(
            f"The archive holds no {archive.CARD_FILE}, and no {folder.IDENTITY_FILE} with {folder.BACKGROUND_FILE}: "
            "it is neither a character card nor a character's folder."
        )
    if max(len(identity), len(background)) > folder.MAX_BYTES:
        raise CardError(f"A file of the folder is larger than {folder.MAX_BYTES // 1_000_000} MB. Shorten it.")
    try:
        read = folder.parse(identity.decode("utf-8-sig"), background.decode("utf-8-sig"), name=name or "Unnamed")
    except UnicodeDecodeError as error:
        raise CardError("A file of the folder isn't UTF-8. Save it as UTF-8.") from error
    except SheetError as error:
        raise CardError(" ".join(error.problems[:5])) from error
    reading.check_storable(documents.dump(read.sheet))
    return Folder(read.sheet, read.notes)


def content_of(file: Any) -> bytes:
    """The uploaded bytes; of a file that is too large nothing is read. Raises `CardError`."""
    if (file.size or 0) > reading.MAX_FILE:
        raise CardError(reading.too_large(file.size))
    content: bytes = file.read()
    return content
