"""A character as a file: the folder's archive, a card as JSON, PNG or CHARX, or a lorebook."""

import base64
import json
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from characters.cards import archive, assets, books, card, png
from characters.cards.archive import CARD_FILE
from characters.cards.card import Card, Json, Version
from characters.cards.merge import Origin, Registry, card_of
from characters.domain.sheet import Sheet
from characters.profiles import folder

_EMPTY = Card({"data": {}}, 3, "json")
_IN_PICTURE: dict[str, Version] = {"chara": 2, "ccv3": 3}


class Format(NamedTuple):
    """A kind of file: its name and description for people, how its name ends, how it is sent and written."""

    label: str
    description: str
    ending: str
    content_type: str
    write: Callable[[Sheet, Origin | None, Registry], bytes]


def as_json(raw: Any) -> bytes:
    """A card's text."""
    return json.dumps(raw, ensure_ascii=False, indent=2).encode() + b"\n"


def _folder(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    return archive.write({name: text.encode() for name, text in folder.texts_of(sheet).items()})


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
    return archive.write(files | {CARD_FILE: as_json(raw)})


def _lorebook(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    book: Json | None = books.merged(None, (), sheet.lore, name=f"{sheet.name}’s lorebook")
    return as_json({"spec": books.SPEC, "data": book or {"extensions": {}, "entries": []}})


def _of_version(origin: Origin | None, version: Version) -> Origin | None:
    """A picture may hold the card twice: the one of this version is the original, where its lorebook is the same."""
    if origin is None or origin.card.form != "png" or origin.card.version == version:
        return origin
    other = card.other_in_picture(origin.card, version)
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
