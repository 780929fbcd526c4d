"""Export a character: the sheet in each format (folder, card, lorebook), and the files that were imported for it."""

import base64
import json
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

from characters.authoring.drafts import services as drafts
from characters.cards import assets, books, imports, png
from characters.cards.books import Lorebook
from characters.cards.card import CARD_FILE, Card, Json, Version, other_in_picture
from characters.cards.merge import Origin, Registry, card_of
from characters.domain.sheet import Sheet
from characters.profiles import documents, folder
from characters.profiles.access import character_for, may_edit
from characters.profiles.models import Card as CardRow
from characters.profiles.models import Character, Predicate
from kgadmin.accounts.roles import AnyUser
from kgadmin.rest import archives
from kgadmin.rest.actions import Refused

ORIGINAL = "original"
ANY_CONTENT = "application/octet-stream"
_EMPTY = Card({"data": {}}, 3, "json")
_IN_PICTURE: dict[str, Version] = {"chara": 2, "ccv3": 3}


class Format(NamedTuple):
    """A file format: label and description for people, ending of the file's name, content type, and writer."""

    label: str
    description: str
    ending: str
    content_type: str
    write: Callable[[Sheet, Origin | None, Registry], bytes]


def as_json(raw: Any) -> bytes:
    """Return a card as indented JSON."""
    return json.dumps(raw, ensure_ascii=False, indent=2).encode() + b"\n"


def _folder(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    return archives.write({name: text.encode() for name, text in folder.texts_of(sheet).items()})


def _json(version: Version, sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    raw = card_of(sheet, _of_version(origin, version), version, registry)
    has_files_beside_it = version == 3 and origin and origin.card.form != "json"
    return as_json(assets.for_json(raw, origin.card) if has_files_beside_it and origin else raw)


def _picture(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    card = origin.card if origin else _EMPTY
    texts: dict[str, bytes] = {}
    for keyword, version in _IN_PICTURE.items():
        raw, files = assets.for_picture(card_of(sheet, _of_version(origin, version), version, registry), card)
        compact = json.dumps(raw, ensure_ascii=False, separators=(",", ":")).encode()
        texts |= {keyword: base64.b64encode(compact), **(files if version == 3 else {})}
    return png.with_texts(assets.main_picture(card) or png.plain(sheet.name), texts)


def _charx(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    raw, files = assets.for_archive(card_of(sheet, origin, 3, registry), origin.card if origin else _EMPTY)
    return archives.write(files | {CARD_FILE: as_json(raw)})


def _lorebook(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    book: Json | None = books.merged(None, (), sheet.lore, name=f"{sheet.name}’s lorebook")
    return as_json({"spec": books.SPEC, "data": book or {"extensions": {}, "entries": []}})


def _of_version(origin: Origin | None, version: Version) -> Origin | None:
    """Return the origin, or its picture's other card if that has this version and the same lorebook."""
    if origin is None or origin.card.form != "png" or origin.card.version == version:
        return origin
    other = other_in_picture(origin.card, version)
    if other is None or _lore(other) != _lore(origin.card):
        return origin
    return Origin(other, origin.taken)


def _lore(card: Card) -> list[str]:
    return [entry.content for entry in books.lore_of(card.data.get("character_book"))]


FORMATS: dict[str, Format] = {
    "folder": Format(
        "Folder",
        "character.md and background.yaml, zipped: the sheet, without pictures or other programs' data",
        "zip",
        "application/zip",
        _folder,
    ),
    "card-v3.json": Format(
        "Card V3, JSON", "the newest version of character cards", "v3.json", "application/json", partial(_json, 3)
    ),
    "card-v2.json": Format(
        "Card V2, JSON", "for programs without V3 support", "v2.json", "application/json", partial(_json, 2)
    ),
    "card-v1.json": Format(
        "Card V1, JSON",
        "for old programs: text and the first greeting",
        "v1.json",
        "application/json",
        partial(_json, 1),
    ),
    "card.png": Format("Card, PNG", "a picture containing the card, as V2 and V3", "png", "image/png", _picture),
    "card.charx": Format(
        "Card, CHARX", "the V3 card with its pictures and other files", "charx", "application/zip", _charx
    ),
    "lorebook.json": Format(
        "Lorebook, JSON", "all lore entries as a lorebook of V3", "lorebook.json", "application/json", _lorebook
    ),
}


class File(NamedTuple):
    """A file to download."""

    name: str
    content: bytes
    content_type: str

    def response(self) -> HttpResponse:
        """Return a response that downloads the file."""
        disposition = content_disposition_header(as_attachment=True, filename=self.name) or "attachment"
        return HttpResponse(self.content, content_type=self.content_type, headers={"Content-Disposition": disposition})


def sheet_of(character: Character) -> Sheet:
    """Return the sheet to export: the live one, or the draft of a character that was never published."""
    draft = getattr(character, "draft", None)
    return character.sheet or (draft.sheet if draft else Sheet(character.name, ""))


def file_of(character: Character, name: str) -> File:
    """Return the character's file in a format of `FORMATS`. Raises `KeyError`."""
    format_ = FORMATS[name]
    content = format_.write(sheet_of(character), _origin_of(character), Predicate.objects.registry())
    return File(f"{character.slug}.{format_.ending}", content, format_.content_type)


def file_for(user: AnyUser, slug: str, name: str) -> File:
    """Return the file that an address names: a format, or the original. 404 for what this user can't have.

    Only editors of the character get the original: it may contain what was removed before publishing.
    """
    character = exported_for(user, slug)
    if name in FORMATS:
        return file_of(character, name)
    row = original_of(character) if name == ORIGINAL and may_edit(user, character) else None
    if row is None:
        raise Http404("There is no such export. See the export page for available files.")
    return File(row.name, bytes(row.content), ANY_CONTENT)


def _origin_of(character: Character) -> Origin | None:
    row = character.cards.filter(kind=CardRow.Kind.CARD).first()
    if row is None:
        return None
    try:
        card = imports.read(bytes(row.content), row.name)
        return Origin(card, documents.load(row.document)) if isinstance(card, Card) else None
    except Refused:  # imported by an older version of this program; the sheet itself is complete
        return None


def original_of(character: Character) -> CardRow | None:
    """Return the card or folder that the character was imported from."""
    return character.cards.exclude(kind=CardRow.Kind.LOREBOOK).first()


def lorebook_of(character: Character, row: CardRow) -> File:
    """Return an imported lorebook in its own shape, with the live sheet's changes; the draft's if it isn't live."""
    lorebook = imports.read(bytes(row.content), row.name)
    if not isinstance(lorebook, Lorebook):
        raise Refused(f"{row.name} isn't a lorebook.")
    before = documents.load(documents.empty("") | row.document).lore
    live = character.sheet
    sheet = live if live and _is_in(live, row) else drafts.draft_of(character).sheet
    lore = [entry for entry in sheet.lore if entry.id.startswith(row.lore_prefix)]
    book = books.merged(lorebook.book, before, lore, shape=lorebook.shape, prefix=row.lore_prefix)
    raw = lorebook.raw | {"data": book} if lorebook.raw.get("spec") == books.SPEC else book
    return File(row.name, as_json(raw), "application/json")


def lorebooks_of(character: Character, *, may_edit: bool) -> list[tuple[CardRow, bool]]:
    """Return each imported lorebook, and whether it is live; those that aren't only if `may_edit`."""
    live = character.sheet
    rows = character.cards.filter(kind=CardRow.Kind.LOREBOOK).defer("content")
    listed = [(row, live is not None and _is_in(live, row)) for row in rows]
    return [(row, is_live) for row, is_live in listed if is_live or may_edit]


def _is_in(sheet: Sheet, row: CardRow) -> bool:
    return any(entry.id.startswith(row.lore_prefix) for entry in sheet.lore)


def exported_for(user: AnyUser, slug: str) -> Character:
    """Return a character that the user may export: 404 if it isn't published and the user may not edit it."""
    character = character_for(user, slug)
    if character.live_revision is None and not may_edit(user, character):
        raise Http404(f"{character.name} isn’t published yet. There is nothing to export.")
    return character
