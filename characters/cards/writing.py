"""A character as a file: the folder's archive, or a card as JSON, PNG or CHARX."""

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import replace
from typing import Any, NamedTuple

from characters.cards import archive, assets, books, png
from characters.cards.archive import CARD_FILE
from characters.cards.merging import Origin, Registry, card_of
from characters.cards.reading import Card, Json, Version, other_in_picture
from characters.domain.sheet import LoreEntry, Sheet
from characters.profiles import folder

_EMPTY = Card({"data": {}}, 3, "json")


class Form(NamedTuple):
    """A kind of file: what it is called, how its name ends, and how it is sent."""

    label: str
    says: str
    ending: str
    content_type: str


FORMS: dict[str, Form] = {
    "folder": Form(
        "Folder",
        "character.md and background.yaml, zipped: the sheet; no pictures, and nothing that other programs keep",
        "zip",
        "application/zip",
    ),
    "card-v3.json": Form("Card V3, JSON", "the newest version of character cards", "v3.json", "application/json"),
    "card-v2.json": Form("Card V2, JSON", "for programs that know no V3", "v2.json", "application/json"),
    "card-v1.json": Form(
        "Card V1, JSON", "for old programs: prose and the first greeting", "v1.json", "application/json"
    ),
    "card.png": Form("Card, PNG", "a picture that holds the card, as V2 and V3", "png", "image/png"),
    "card.charx": Form("Card, CHARX", "the V3 card with its pictures and other files", "charx", "application/zip"),
}


def written(form: str, sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    """The file. Raises `KeyError` for a form that there isn't."""
    return _WRITERS[form](sheet, origin, registry)


def as_json(raw: Any) -> bytes:
    """A card's text."""
    return json.dumps(raw, ensure_ascii=False, indent=2).encode() + b"\n"


def _folder(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    return archive.write({name: text.encode() for name, text in folder.texts_of(sheet).items()})


def _json(version: Version) -> Callable[[Sheet, Origin | None, Registry], bytes]:
    def write(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
        raw = card_of(*_of_version(sheet, origin, version), version, registry)
        is_moved = version == 3 and origin and origin.card.form != "json"
        return as_json(assets.for_json(raw, origin.card) if is_moved and origin else raw)

    return write


def _picture(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    card = origin.card if origin else _EMPTY
    texts: dict[str, bytes] = {}
    for keyword, version in _IN_PICTURE.items():
        raw = card_of(*_of_version(sheet, origin, version), version, registry)
        raw, extra = assets.for_picture(raw, card)
        texts |= {keyword: base64.b64encode(_compact(raw)), **(extra if version == 3 else {})}
    return png.with_texts(assets.main_picture(card) or png.plain(sheet.name), texts)


_IN_PICTURE: dict[str, Version] = {"chara": 2, "ccv3": 3}


def _compact(raw: Json) -> bytes:
    return json.dumps(raw, ensure_ascii=False, separators=(",", ":")).encode()


def _charx(sheet: Sheet, origin: Origin | None, registry: Registry) -> bytes:
    raw, files = assets.for_archive(card_of(sheet, origin, 3, registry), origin.card if origin else _EMPTY)
    return archive.write(files | {CARD_FILE: as_json(raw)})


def _of_version(sheet: Sheet, origin: Origin | None, version: Version) -> tuple[Sheet, Origin | None]:
    """A picture may hold the card twice: the one of this version is the original then."""
    if origin is None or origin.card.form != "png" or origin.card.version == version:
        return sheet, origin
    other = other_in_picture(origin.card, version)
    if other is None:
        return sheet, origin
    ids = books.same_entries(*(card.data.get("character_book") for card in (origin.card, other)))
    taken = {entry.id for entry in origin.taken.lore}
    before = replace(origin.taken, lore=tuple(_renumbered(origin.taken.lore, ids, taken)))
    return replace(sheet, lore=tuple(_renumbered(sheet.lore, ids, taken))), Origin(other, before)


def _renumbered(lore: Iterable[LoreEntry], ids: Mapping[str, str], taken: Set[str]) -> Iterator[LoreEntry]:
    """Entries as the other card numbers them; of those that were `taken`, what it doesn't have is no matter of its."""
    for entry in lore:
        if entry.id in ids or entry.id not in taken:
            yield replace(entry, id=ids.get(entry.id, f"new-{entry.id}"))


_WRITERS: dict[str, Callable[[Sheet, Origin | None, Registry], bytes]] = {
    "folder": _folder,
    "card-v3.json": _json(3),
    "card-v2.json": _json(2),
    "card-v1.json": _json(1),
    "card.png": _picture,
    "card.charx": _charx,
}
