"""Read character cards from JSON, PNG or CHARX, of version 1, 2 or 3 of the specification.

https://github.com/malfoyslastname/character-card-spec-v2, https://github.com/kwaroran/character-card-spec-v3
"""

import base64
import binascii
import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from characters.cards import png
from characters.profiles.documents import is_visible, unstorable
from kgadmin.rest.actions import Refused

Form = Literal["json", "png", "charx"]
Version = Literal[1, 2, 3]
Json = dict[str, Any]

CARD_FILE = "card.json"
"""Name of the card's file in a CHARX."""
MAX_FILE = 60_000_000
MAX_JSON = 8_000_000
"""Bytes of a card's JSON, without its picture and files beside it."""
MAX_LEVELS = 100
"""Levels of nested lists and objects."""
MAX_ENTRIES = 10_000
"""Entries of a lorebook."""
MAX_TEXT = 100_000
"""Characters of a text that becomes part of the sheet; what is only kept for export may be longer."""
SPECS: dict[str, Version] = {"chara_card_v2": 2, "chara_card_v3": 3}
KEYWORDS = ("ccv3", "chara")
"""Keywords of a picture's texts that hold a card; the first one present counts."""
FIRST_VERSION = ("description", "personality", "scenario", "first_mes", "mes_example")
"""Fields of version 1 beside the name, which alone could be a lorebook's."""


def _is_named(name: str) -> str:
    if not is_visible(name):
        raise ValueError("The card has no visible name.")
    return name


_Text = Annotated[str, Field(max_length=MAX_TEXT)]


class _Entry(BaseModel):
    content: str | None = None
    keys: list[str] | str | None = None


class _Book(BaseModel):
    entries: list[_Entry] = Field(max_length=MAX_ENTRIES)


class _Data(BaseModel):
    """The fields that are read; a card may leave out all but the name."""

    name: Annotated[_Text, AfterValidator(_is_named)]
    description: _Text | None = None
    personality: _Text | None = None
    scenario: _Text | None = None
    first_mes: _Text | None = None
    mes_example: _Text | None = None
    system_prompt: _Text | None = None
    post_history_instructions: _Text | None = None
    nickname: _Text | None = None
    alternate_greetings: list[_Text] | None = None
    character_book: _Book | None = None
    assets: list[Json] | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A card as imported. `raw` is its full JSON, `data` the part that describes the character."""

    raw: Json
    version: Version
    form: Form
    files: dict[str, bytes] = field(default_factory=dict)
    """Files of a CHARX beside its card.json, by name."""
    picture: bytes = b""
    """The PNG that held the card."""

    @property
    def data(self) -> Json:
        """The part that describes the character; in version 1 that is everything."""
        data: Json = self.raw if self.version == 1 else self.raw["data"]
        return data

    def text(self, name: str) -> str:
        """Return one of the card's texts, or an empty string."""
        return str(self.data.get(name) or "")


def of_picture(content: bytes) -> Card:
    """Return the card in a PNG. Raises `Refused`."""
    texts = png.texts(content, KEYWORDS)
    if not texts:
        raise Refused("The picture holds no character card: it has no text named chara or ccv3.")
    raw = _unpacked(next(texts[keyword] for keyword in KEYWORDS if keyword in texts))
    return Card(raw, version_of(raw), "png", picture=content)


def other_in_picture(card: Card, version: Version) -> Card | None:
    """Return the card of this version that the card's picture holds as well, if it can be read."""
    for packed in png.texts(card.picture, KEYWORDS).values():
        try:
            raw = _unpacked(packed)
            if version_of(raw) == version:
                return Card(raw, version, "png", picture=card.picture)
        except Refused:
            continue
    return None


def _unpacked(packed: bytes) -> Json:
    try:
        return parse(base64.b64decode(packed, validate=False))
    except binascii.Error as error:
        raise Refused("The card in the picture can't be read: it isn't base64.") from error


def of_archive(files: dict[str, bytes]) -> Card:
    """Return the card in the files of a CHARX. Raises `Refused`."""
    raw = parse(files[CARD_FILE])
    others = {path: content for path, content in files.items() if path != CARD_FILE}
    return Card(raw, version_of(raw), "charx", others)


def parse(text: bytes) -> Json:
    """Return the JSON object in a text. Raises `Refused`."""
    if len(text) > MAX_JSON:
        raise Refused(f"The card's text has {len(text) // 1_000_000} MB; the limit is {MAX_JSON // 1_000_000} MB.")
    try:
        raw = json.loads(text.decode("utf-8-sig"))
        too_deep = _levels(raw) > MAX_LEVELS
    except ValueError as error:
        raise Refused(f"The file isn't JSON in UTF-8: {error}.") from error
    except RecursionError:
        too_deep = True
    if too_deep:
        raise Refused("The card nests too deeply.")
    if not isinstance(raw, dict):
        raise Refused("The card isn't a JSON object.")
    if problem := unstorable(raw):
        raise Refused(f"The card can't be stored: {problem}")
    return raw


def _levels(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_levels, inner), default=0)


def version_of(raw: Json) -> Version:
    """Return the version of the specification that a card follows. Raises `Refused` if it follows none."""
    spec = raw.get("spec")
    if spec is None and "data" not in raw and "name" in raw and not raw.keys().isdisjoint(FIRST_VERSION):
        version: Version = 1
    elif isinstance(spec, str) and spec in SPECS:
        version = SPECS[spec]
    else:
        problem = f"names the specification {spec!r}" if spec else "doesn't name its specification"
        raise Refused(f"The card {problem}. Supported are {' and '.join(SPECS)}, and version 1 with a name at the top.")
    _check(_Data, raw if version == 1 else raw.get("data"))
    return version


def check_book(entries: list[Any]) -> None:
    """Check a lorebook's entries. Raises `Refused` for invalid ones."""
    _check(_Book, {"entries": entries})


def _check(model: type[BaseModel], document: Any) -> None:
    try:
        model.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "data"
        raise Refused(f"The file doesn't match its specification: `{place}`: {first['msg']}.") from error
