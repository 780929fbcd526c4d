"""A character card out of a file: JSON, PNG or CHARX, of version 1, 2 or 3 of the specification.

https://github.com/malfoyslastname/character-card-spec-v2, https://github.com/kwaroran/character-card-spec-v3
"""

import base64
import binascii
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal

from characters.cards import archive, png
from characters.cards.archive import CARD_FILE
from characters.cards.errors import CardError
from characters.profiles.documents import is_visible, unstorable

Form = Literal["json", "png", "charx"]
Version = Literal[1, 2, 3]
Json = dict[str, Any]

MAX_FILE = 60_000_000
MAX_JSON = 8_000_000
"""Bytes of a card's text. A picture or another asset is no part of it."""
MAX_LEVELS = 100
"""Of lists in lists."""
MAX_ENTRIES = 10_000
"""Entries of a lorebook."""
SPECS: dict[str, Version] = {"chara_card_v2": 2, "chara_card_v3": 3}
_PICTURES = {b"GIF8": "GIF", b"\xff\xd8\xff": "JPEG", b"RIFF": "WebP"}
"""By how their files begin."""
KEYWORDS = ("ccv3", "chara")
"""Of a picture's texts; the first that is there counts."""

TEXTS = (
    "name description personality scenario first_mes mes_example creator_notes system_prompt "
    "post_history_instructions creator character_version nickname"
).split()
FIRST_VERSION = ("description", "personality", "scenario", "first_mes", "mes_example")
"""What version 1 had beside the name; a lorebook has a name, too."""
LISTS = ("alternate_greetings", "group_only_greetings", "tags", "source")


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it came. `raw` is its whole JSON, `data` the part that describes the character."""

    raw: Json
    version: Version
    form: Form
    files: dict[str, bytes] = field(default_factory=dict)
    """Of a CHARX: everything beside its card.json, by name."""
    picture: bytes = b""
    """The whole PNG that it came in."""
    notes: tuple[str, ...] = ()
    """Sentences about what else the file holds, and isn't taken."""

    @property
    def data(self) -> Json:
        """Version 1 has everything at the top."""
        data: Json = self.raw if self.version == 1 else self.raw["data"]
        return data

    def text(self, name: str) -> str:
        """One of its texts; empty if it has none."""
        return str(self.data.get(name) or "")


def read(content: bytes) -> Card:
    """The card in a file, whatever its name says. Raises `CardError`."""
    if len(content) > MAX_FILE:
        raise CardError(too_large(len(content)))
    if content.startswith(png.SIGNATURE):
        return _of_picture(content)
    if archive.is_archive(content):
        return _of_archive(content)
    _refuse_others(content)
    raw = parse(content)
    return Card(raw, checked(raw), "json")


def _refuse_others(content: bytes) -> None:
    """Say of a file that can't be JSON what it is."""
    if not content.strip():
        raise CardError("The file is empty.")
    kind = next((kind for start, kind in _PICTURES.items() if content.startswith(start)), "")
    if kind:
        raise CardError(f"The file is a {kind} picture, which holds no card. A card’s picture is a PNG: ask for that.")


def too_large(size: int) -> str:
    """The sentence for a file that isn't taken because of its size."""
    return f"The file has {size // 1_000_000} MB; at most {MAX_FILE // 1_000_000} are taken."


def _of_picture(content: bytes) -> Card:
    texts = png.texts(content)
    found: list[tuple[Json, Version]] = []
    broken: dict[str, CardError] = {}
    for keyword in KEYWORDS:
        try:
            if keyword in texts:
                raw = _unpacked(texts[keyword])
                found.append((raw, checked(raw)))
        except CardError as error:
            broken[keyword] = error
    if not found:
        nothing = CardError("The picture holds no character card: it has no text named chara or ccv3.")
        raise next(iter(broken.values()), nothing)
    notes = tuple(
        f"The picture holds two cards, and the one named {keyword} can’t be read, so the other one is taken: {error}"
        for keyword, error in broken.items()
    )
    return Card(*found[0], "png", picture=content, notes=notes)


def other_in_picture(card: Card, version: Version) -> Card | None:
    """The card of another version that its picture holds beside it, if that can be read."""
    for packed in map(png.texts(card.picture).get, KEYWORDS):
        try:
            raw = _unpacked(packed or b"")
            if checked(raw) == version:
                return Card(raw, version, "png", picture=card.picture)
        except CardError:
            continue
    return None


def _unpacked(packed: bytes) -> Json:
    if len(packed) > MAX_JSON * 2:
        raise CardError(f"The card in the picture is larger than {MAX_JSON // 1_000_000} MB.")
    try:
        return parse(base64.b64decode(packed, validate=False))
    except binascii.Error as error:
        raise CardError("The card in the picture can't be read: it isn't base64.") from error


def _of_archive(content: bytes) -> Card:
    files = archive.read(content)
    if CARD_FILE not in files:
        raise CardError(f"The archive holds no {CARD_FILE}, so it is no character card.")
    raw = parse(files.pop(CARD_FILE))
    return Card(raw, checked(raw), "charx", files)


def parse(text: bytes) -> Json:
    """The JSON object in a text. Raises `CardError`."""
    if len(text) > MAX_JSON:
        raise CardError(f"The card's text has {len(text) // 1_000_000} MB; at most {MAX_JSON // 1_000_000} are taken.")
    try:
        raw = json.loads(text.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise CardError("The card isn't UTF-8 text. Save it as UTF-8.") from error
    except json.JSONDecodeError as error:
        raise CardError(f"The card isn't JSON: {error.msg}, line {error.lineno}, column {error.colno}.") from error
    except RecursionError as error:
        raise CardError("The card nests too deeply.") from error
    except ValueError as error:  # a number of thousands of digits
        raise CardError("The card holds a number that is too long to be one.") from error
    if not isinstance(raw, dict):
        raise CardError("The card is no JSON object.")
    if _is_deep(raw):
        raise CardError("The card nests too deeply.")
    return raw


def _is_deep(raw: Json) -> bool:
    """Whether there are more levels than a card needs, and than can be written again."""
    level: list[Any] = [raw]
    for _ in range(MAX_LEVELS):
        level = [
            inner
            for each in level
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
    return bool(level)


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(name: str) -> float:
    raise CardError(f"The card holds {name}, which is no number in JSON.")


def checked(raw: Json) -> Version:
    """The version of the specification. Raises `CardError` for what none of them describes."""
    version = _version(raw)
    data = raw if version == 1 else raw.get("data")
    if not isinstance(data, dict):
        raise CardError("The card has no `data`, so it describes nobody.")
    problems = [*_problems(data), *_problems_of_book(data.get("character_book"))]
    if problems:
        raise CardError(" ".join(problems[:5]))
    check_storable(raw)
    return version


def check_storable(raw: Json) -> None:
    """Raise `CardError` for text that no engine can store."""
    if unstorable(raw):
        raise CardError("The card holds a null byte or half of a character, which no engine can store.")


def _version(raw: Json) -> Version:
    spec = raw.get("spec")
    if spec is None and "data" not in raw and "name" in raw and not raw.keys().isdisjoint(FIRST_VERSION):
        return 1
    if not isinstance(spec, str) or spec not in SPECS:
        said = f"says it is of {spec!r}" if spec else "doesn't say of which specification it is"
        raise CardError(f"The card {said}. Cards are of {' or '.join(SPECS)}, or of version 1 with a name at the top.")
    return SPECS[spec]


def _problems(data: Json) -> Iterator[str]:
    if not isinstance(data.get("name"), str) or not data["name"].strip():
        yield "The card has no name."
    elif not is_visible(data["name"]):
        yield "The card’s name has no character that can be seen."
    for name in TEXTS[1:]:
        if not isinstance(data.get(name) or "", str):
            yield f"`{name}` must be text."
    for name in LISTS:
        if not _is_list_of(data.get(name), lambda each: isinstance(each, str)):
            yield f"`{name}` must be a list of texts."


def _problems_of_book(book: Any) -> Iterator[str]:
    if book is None:
        return
    entries = book.get("entries") if isinstance(book, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        yield "`character_book` must have `entries`, a list."
        return
    if len(entries) > MAX_ENTRIES:
        yield f"The lorebook has {len(entries)} entries; at most {MAX_ENTRIES} are taken."
    for place, entry in enumerate(entries, start=1):
        if not isinstance(entry.get("content") or "", str) or not _is_list_of(entry.get("keys"), _is_key):
            yield f"Entry {place} of the lorebook must have `keys`, a list of texts, and `content`, a text."
            return


def _is_key(value: Any) -> bool:
    return isinstance(value, str)


def _is_list_of(value: Any, fits: Callable[[Any], bool]) -> bool:
    return value is None or (isinstance(value, list) and all(map(fits, value)))
