"""Import files: store one as a preview, then import it in one transaction, completely or not at all."""

from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import PurePosixPath
from typing import Any

from django.db import transaction
from django.utils import timezone

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.authoring.suggestions import services as suggestions
from characters.cards import books, card, plan, png
from characters.cards.books import Lorebook
from characters.cards.card import Card
from characters.cards.plan import Plan
from characters.domain.sheet import Sheet
from characters.profiles import documents, folder
from characters.profiles import services as profiles
from characters.profiles.documents import unstorable
from characters.profiles.folder import Folder
from characters.profiles.models import Card as CardRow
from characters.profiles.models import Character, Draft
from kgadmin.accounts.models import User
from kgadmin.knowledge import services as knowledge
from kgadmin.rest import archives
from kgadmin.rest.actions import Refused

ACCEPTED = ".json, .png, .charx, .zip"
Upload = Card | Lorebook | Folder
PREVIEW_AGE = timedelta(days=1)
"""Age at which a preview that nobody imported is deleted."""
MAX_PREVIEWS = 5
"""Previews of one account."""
MAX_STEM = 90
"""Characters of a name that are kept before a number."""


def read(content: bytes, name: str = "") -> Upload:
    """Return what a file holds, whatever its name; a folder without a name in it takes the file's. Raises `Refused`."""
    _check_size(len(content))
    if content.startswith(png.SIGNATURE):
        return card.of_picture(content)
    if archives.is_archive(content):
        files = archives.read(content)
        return card.of_archive(files) if card.CARD_FILE in files else _folder(files, PurePosixPath(name).stem)
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
            f"The archive holds no {card.CARD_FILE}, and no {folder.IDENTITY_FILE} with {folder.BACKGROUND_FILE}: "
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
    """Return the uploaded bytes. Raises `Refused` before reading a file that is too large."""
    _check_size(file.size or 0)
    content: bytes = file.read()
    return content


def _check_size(size: int) -> None:
    if size > card.MAX_FILE:
        raise Refused(f"The file has {size // 1_000_000} MB; the limit is {card.MAX_FILE // 1_000_000} MB.")


def upload(*, name: str, content: bytes, by: User) -> CardRow:
    """Store a file as a preview and delete old ones. Raises `Refused`."""
    match read(content, name):
        case Lorebook():
            kind = CardRow.Kind.LOREBOOK
        case Card():
            kind = CardRow.Kind.CARD
        case _:
            kind = CardRow.Kind.FOLDER
    with transaction.atomic():
        previews = CardRow.objects.filter(taken_at=None)
        previews.filter(created_at__lt=timezone.now() - PREVIEW_AGE).delete()
        mine = previews.filter(created_by=by).values_list("pk", flat=True)
        previews.filter(pk__in=list(mine[MAX_PREVIEWS - 1 :])).delete()
        name = knowledge.clean_name(name or "card")[:200]
        return CardRow.objects.create(kind=kind, name=name, content=content, created_by=by)


def plan_of(row: CardRow, character: Character | None = None) -> Plan:
    """Return what a stored file becomes; a lorebook becomes part of `character`. Raises `Refused`."""
    return plan_of_file(bytes(row.content), row.name, character, row.lore_prefix)


def plan_of_file(content: bytes, name: str, character: Character | None, prefix: str = "b") -> Plan:
    """Return what a file's content becomes; ids of a lorebook's entries begin with `prefix`. Raises `Refused`."""
    upload = read(content, name)
    if isinstance(upload, Lorebook):
        known = drafts.draft_of(character).sheet if character else Sheet("", "")
        return plan.of_lorebook(upload, known, prefix)
    made = plan.of_card(upload) if isinstance(upload, Card) else plan.of_folder(upload)
    return replace(made, sheet=_with_free_name(made.sheet))


def take(row: CardRow, *, by: User, tab: str = "", character: Character | None = None) -> Character:
    """Import a file once and return the new character, or the one that the lorebook went to. Raises `Refused`."""
    with transaction.atomic():
        locked = CardRow.objects.select_for_update(of=("self",)).select_related("character").filter(pk=row.pk).first()
        if locked is None:
            raise Refused("This upload was discarded. Upload the file again.")
        if locked.character:
            return locked.character
        if locked.kind != CardRow.Kind.LOREBOOK:
            return _take_character(locked, by)
        if character is None:
            raise Refused("A lorebook belongs to a character. Choose one.")
        return _take_lorebook(locked, character, by, tab)


def _take_character(row: CardRow, by: User) -> Character:
    made = plan_of(row)
    character = profiles.create_empty(made.sheet.name, by=by)
    document = documents.dump(made.sheet)
    Draft.objects.create(character=character, document=document, updated_by=by)
    _close(row, character, made.lorebook, document)
    if row.kind == CardRow.Kind.CARD:
        suggestions.suggest(character, made.sheet.identity, source="card")
    return character


def _take_lorebook(row: CardRow, character: Character, by: User, tab: str) -> Character:
    made = plan_of(row, character)
    lore = [entry for entry in documents.dump(made.sheet)["lore"] if entry["id"].startswith(row.lore_prefix)]
    drafts.save(character, [Edit(f"lore:{entry['id']}", entry) for entry in lore], by=by, tab=tab)
    _close(row, character, made.lorebook, {"lore": lore})
    return character


def _close(row: CardRow, character: Character, lorebook: str, document: dict[str, Any]) -> None:
    row.character, row.lorebook, row.document, row.taken_at = character, lorebook, document, timezone.now()
    row.save(update_fields=["character", "lorebook", "document", "taken_at"])


def _with_free_name(sheet: Sheet) -> Sheet:
    """Return the sheet under a name that no character has yet; prompts still use the sheet's own."""
    taken = set(Character.objects.filter(name__startswith=sheet.name[:MAX_STEM]).values_list("name", flat=True))
    if sheet.name not in taken:
        return sheet
    names = (f"{sheet.name[:MAX_STEM]} ({number})" for number in count(2))
    return replace(sheet, name=next(name for name in names if name not in taken), nickname=sheet.called)
