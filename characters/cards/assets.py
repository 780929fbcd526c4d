"""A card's pictures and other files, on their way from one kind of file to another.

In a CHARX they lie beside the card (`embeded://path`), in a PNG in texts of its own (`__asset:path`), in JSON in the
card itself (data URLs). https://github.com/kwaroran/character-card-spec-v3, `assets`.
"""

import base64
import binascii
import mimetypes
from collections.abc import Mapping
from typing import Any

from characters.cards import archive, png
from characters.cards.reading import KEYWORDS, Card, Json

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
    """The card's files by path."""
    if card.form != "png":
        return dict(card.files)
    found: dict[str, bytes] = {}
    for chunk in png.chunks(card.picture):
        keyword, _, text = chunk.data.partition(b"\0")
        if chunk.kind == b"tEXt" and keyword.startswith(TEXT_PREFIX.encode()):
            try:
                content = base64.b64decode(text, validate=True)
            except binascii.Error:  # it stays in the picture; nothing else can be made of it
                continue
            found[keyword.decode("latin-1").removeprefix(TEXT_PREFIX)] = content
    return found


def contents(card: Card) -> list[bytes | str]:
    """Per asset what lies behind its address; the address where there is nothing here."""
    files = files_of(card)
    return [_content(str(each.get("uri") or ""), files) for each in _assets(card.data)]


def _content(uri: str, files: Mapping[str, bytes]) -> bytes | str:
    if uri.startswith("data:"):
        try:
            return base64.b64decode(uri.partition(",")[2], validate=True)
        except binascii.Error:
            return uri
    return files.get(uri.removeprefix(IN_ARCHIVE).removeprefix(IN_PICTURE), uri)


def main_picture(card: Card) -> bytes:
    """The PNG that shows the character; empty if the card has none."""
    if card.picture:
        return card.picture
    for asset in _assets(card.data):
        if asset.get("type") == "icon" and asset.get("name") == "main":
            content = card.files.get(str(asset.get("uri")).removeprefix(IN_ARCHIVE), b"")
            return content if png.is_whole(content) else b""
    return b""


def for_archive(raw: Json, card: Card) -> tuple[Json, dict[str, bytes]]:
    """The card and its files as a CHARX has them: one whose name could do harm there gets another."""
    found = files_of(card)
    files = {archive.safe(path): content for path, content in found.items()}
    raw = _with_uris(raw, lambda uri: _in_archive(uri, found))
    if not card.picture:
        return raw, files
    picture = png.without_texts(card.picture, [*KEYWORDS, *(f"{TEXT_PREFIX}{path}".lower() for path in found)])
    return _with_main(raw, picture, files)


def _in_archive(uri: str, files: Mapping[str, bytes]) -> str:
    path = uri.removeprefix(IN_ARCHIVE).removeprefix(IN_PICTURE)
    return IN_ARCHIVE + archive.safe(path) if path != uri and path in files else uri


def _with_main(raw: Json, picture: bytes, files: dict[str, bytes]) -> tuple[Json, dict[str, bytes]]:
    """The picture in which the card came becomes its main icon, where the card names no other that is there."""
    assets = _assets(raw["data"]) or [dict(_MAIN)]
    main = next((each for each in assets if each.get("type") == "icon" and each.get("name") == "main"), None)
    uri = str(main.get("uri") or "") if main else ""
    if main is None or not (uri in {"", DEFAULT} or uri.startswith(IN_ARCHIVE)):
        return raw, files
    if not uri.startswith(IN_ARCHIVE):
        path, changed = MAIN_FILE, {"uri": IN_ARCHIVE + MAIN_FILE, "ext": "png"}
    else:
        path = archive.safe(uri.removeprefix(IN_ARCHIVE))
        changed = {"uri": IN_ARCHIVE + path}
    assets = [each | changed if each is main else each for each in assets]
    return _with_data(raw, assets), {path: picture} | files


def for_picture(raw: Json, card: Card) -> tuple[Json, dict[str, bytes]]:
    """The card, and the texts of a PNG that hold its files."""
    files = {} if card.form == "png" else card.files
    short = {path: content for path, content in files.items() if _is_keyword(path)}
    texts = {f"{TEXT_PREFIX}{path}": base64.b64encode(content) for path, content in short.items()}
    return _with_uris(raw, lambda uri: _moved(uri, IN_ARCHIVE, IN_PICTURE, short)), texts


def _is_keyword(path: str) -> bool:
    return path.isascii() and path.isprintable() and len(path) + len(TEXT_PREFIX) <= MAX_KEYWORD


def for_json(raw: Json, card: Card) -> Json:
    """The card, its files written into it as far as there is room."""
    files = {path: content for path, content in files_of(card).items() if content}
    if sum(map(len, files.values())) > MAX_INLINE:
        return raw
    return _with_uris(raw, lambda uri: _inline(uri, files))


def _inline(uri: str, files: Mapping[str, bytes]) -> str:
    path = uri.removeprefix(IN_ARCHIVE).removeprefix(IN_PICTURE)
    if path == uri or path not in files:
        return uri
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(files[path]).decode()}"


def _moved(uri: str, before: str, after: str, files: Mapping[str, bytes]) -> str:
    path = uri.removeprefix(before)
    return after + path if uri.startswith(before) and path in files else uri


def _assets(data: Json) -> list[Json]:
    found = data.get("assets")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _with_uris(raw: Json, changed: Any) -> Json:
    """The card with other URIs; one that is of no use elsewhere stays."""
    if not _assets(raw.get("data", {})):
        return raw
    found = [
        each | {"uri": changed(each["uri"])} if isinstance(each, dict) and isinstance(each.get("uri"), str) else each
        for each in raw["data"]["assets"]
    ]
    return _with_data(raw, found)


def _with_data(raw: Json, assets: list[Any]) -> Json:
    return raw | {"data": raw["data"] | {"assets": assets}}
