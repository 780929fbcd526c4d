"""Pictures and other files of a card (https://github.com/kwaroran/character-card-spec-v3, `assets`).

A CHARX has files beside the card (`embeded://path`), a PNG in texts (`__asset:path`), JSON in the card (data URLs).
"""

import base64
import binascii
import mimetypes
from collections.abc import Callable, Collection

from characters.cards import png
from characters.cards.card import KEYWORDS, Card, Json
from kgadmin.rest import archives

IN_ARCHIVE, IN_PICTURE = "embeded://", "__asset:"
TEXT_PREFIX = "chara-ext-asset_:"
DEFAULT = "ccdefault:"
MAIN_FILE = "assets/icon/images/main.png"
MAX_KEYWORD = 79
"""Bytes of a PNG's keyword."""
MAX_INLINE = 5_000_000
"""Bytes of files that are written into JSON."""
_MAIN: Json = {"type": "icon", "uri": DEFAULT, "name": "main", "ext": "png"}


def files_of(card: Card) -> dict[str, bytes]:
    """Return the card's files, by path, but not those of a PNG that aren't base64 or whose path isn't safe."""
    if card.form != "png":
        return dict(card.files)
    files: dict[str, bytes] = {}
    for chunk in png.chunks(card.picture):
        keyword, _, text = chunk.data.partition(b"\0")
        path = keyword.decode("latin-1").removeprefix(TEXT_PREFIX)
        if chunk.kind == b"tEXt" and keyword.startswith(TEXT_PREFIX.encode()) and archives.is_safe(path):
            try:
                files[path] = base64.b64decode(text, validate=True)
            except binascii.Error:
                continue
    return files


def main_picture(card: Card) -> bytes:
    """Return the PNG that shows the character; empty if the card has none."""
    if card.picture:
        return card.picture
    icon = _main_icon(card.data.get("assets") or [])
    content = card.files.get(_path(icon), b"") if icon else b""
    return content if png.is_complete(content) else b""


def for_archive(raw: Json, card: Card) -> tuple[Json, dict[str, bytes]]:
    """Return the card and its files for a CHARX. A PNG that held the card becomes the main icon, if it has no other."""
    files = files_of(card)
    raw = _with_uris(raw, files, lambda path: IN_ARCHIVE + path)
    assets = raw["data"].get("assets") or [_MAIN]
    main = _main_icon(assets)
    is_elsewhere = main and _uri(main) not in ("", DEFAULT) and (not _path(main) or _path(main) in files)
    if not card.picture or main is None or is_elsewhere:
        return raw, files
    changed = main | {"uri": IN_ARCHIVE + MAIN_FILE, "ext": "png"}
    picture = png.with_texts(card.picture, {}, without={*KEYWORDS, *(f"{TEXT_PREFIX}{path}".lower() for path in files)})
    return _with_assets(raw, [changed if asset is main else asset for asset in assets]), files | {MAIN_FILE: picture}


def for_picture(raw: Json, card: Card) -> tuple[Json, dict[str, bytes]]:
    """Return the card, and the PNG texts that hold its files; a card from a PNG has these in its picture already."""
    files = {
        path: content
        for path, content in card.files.items()
        if path.isascii() and path.isprintable() and len(path) + len(TEXT_PREFIX) <= MAX_KEYWORD
    }
    texts = {f"{TEXT_PREFIX}{path}": base64.b64encode(content) for path, content in files.items()}
    return _with_uris(raw, files, lambda path: IN_PICTURE + path), texts


def for_json(raw: Json, card: Card) -> Json:
    """Return the card with its files written into it, if they have at most `MAX_INLINE` bytes together."""
    files = files_of(card)
    if sum(map(len, files.values())) > MAX_INLINE:
        return raw

    def data_url(path: str) -> str:
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        return f"data:{kind};base64,{base64.b64encode(files[path]).decode()}"

    return _with_uris(raw, files, data_url)


def _uri(asset: Json) -> str:
    return str(asset.get("uri") or "")


def _path(asset: Json) -> str:
    """Return the path of the card's file that an asset names; empty if the asset lies elsewhere."""
    uri = _uri(asset)
    path = uri.removeprefix(IN_ARCHIVE).removeprefix(IN_PICTURE)
    return path if path != uri else ""


def _main_icon(assets: list[Json]) -> Json | None:
    return next((asset for asset in assets if asset.get("type") == "icon" and asset.get("name") == "main"), None)


def _with_uris(raw: Json, files: Collection[str], uri_of: Callable[[str], str]) -> Json:
    """Return the card with new addresses of its files; other assets keep theirs."""
    assets = raw.get("data", {}).get("assets")
    if not assets:
        return raw
    return _with_assets(
        raw, [asset | {"uri": uri_of(_path(asset))} if _path(asset) in files else asset for asset in assets]
    )


def _with_assets(raw: Json, assets: list[Json]) -> Json:
    return raw | {"data": raw["data"] | {"assets": assets}}
