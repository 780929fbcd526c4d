"""What somebody uploads: a card, a lorebook, or a sheet's folder as an archive."""

from pathlib import PurePosixPath
from typing import Any

from characters.cards import archive, books, card, png
from characters.cards.books import Lorebook
from characters.cards.card import Card
from characters.profiles import folder
from characters.profiles.documents import unstorable
from characters.profiles.folder import Folder
from kgadmin.rest.actions import Refused

ACCEPTED = ".json, .png, .charx, .zip"

Upload = Card | Lorebook | Folder


def read(content: bytes, name: str = "") -> Upload:
    """What a file holds, whatever it is called; a folder without a name in it takes the file's. Raises `Refused`."""
    _check_size(len(content))
    if content.startswith(png.SIGNATURE):
        return card.of_picture(content)
    if archive.is_archive(content):
        files = archive.read(content)
        return card.of_archive(files) if archive.CARD_FILE in files else _folder(files, PurePosixPath(name).stem)
    if content.startswith((b"GIF8", b"\xff\xd8\xff", b"RIFF")):
        raise Refused("This kind of picture can't contain a card. Use the card's PNG.")
    raw = card.parse(content)
    return books.lorebook_of(raw) or Card(raw, card.version_of(raw), "json")


def _folder(files: dict[str, bytes], name: str) -> Folder:
    texts: dict[str, bytes] = {}
    for path, content in files.items():
        if not path.startswith("__MACOSX/"):
            texts.setdefault(PurePosixPath(path).name, content)
    identity, background = texts.get(folder.IDENTITY_FILE), texts.get(folder.BACKGROUND_FILE)
    if identity is None or background is None:
        raise Refused(
            f"The archive holds no {archive.CARD_FILE}, and no {folder.IDENTITY_FILE} with {folder.BACKGROUND_FILE}: "
            "it is neither a character card nor a character folder."
        )
    if max(len(identity), len(background)) > folder.MAX_BYTES:
        raise Refused(f"A file of the folder is larger than {folder.MAX_BYTES // 1_000_000} MB. Shorten it.")
    try:
        made = folder.parse(identity.decode("utf-8-sig"), background.decode("utf-8-sig"), name=name or "Unnamed")
    except UnicodeDecodeError as error:
        raise Refused("A file of the folder isn't UTF-8. Save it as UTF-8.") from error
    if problem := unstorable(made.sheet.identity):
        raise Refused(f"{folder.IDENTITY_FILE}: {problem}")
    return made


def content_of(file: Any) -> bytes:
    """The uploaded bytes; of a file that is too large nothing is read. Raises `Refused`."""
    _check_size(file.size or 0)
    content: bytes = file.read()
    return content


def _check_size(size: int) -> None:
    if size > card.MAX_FILE:
        raise Refused(f"The file has {size // 1_000_000} MB; the limit is {card.MAX_FILE // 1_000_000} MB.")
