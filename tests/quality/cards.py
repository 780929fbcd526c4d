"""Kind F: what is left of a card, or a lorebook, after its import and its export; and whether what is none is refused.

Both are done as the pages do them, in a database of their own. The folder has files of any form, `invalid/` what must
be refused, and `expected_json/NAME.KEYWORD.json` what the text KEYWORD of the picture NAME says.
"""

import base64
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from characters.cards import assets, exports, imports, png
from characters.cards.books import Lorebook
from characters.cards.card import KEYWORDS, Card, Json, Version, other_in_picture
from characters.cards.exports import FORMATS
from characters.cards.merge import REQUIRED
from characters.domain.sheet import Sheet
from characters.profiles import services as profiles
from characters.profiles.models import Card as Row
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.rest.actions import Refused
from tests.quality.files import EvaluationError
from tests.quality.scratch import empty_database, scratch_world

INVALID, EXPECTED = "invalid", "expected_json"
VERSIONS: Mapping[str, Version] = {
    "card-v1.json": 1,
    "card-v2.json": 2,
    "card-v3.json": 3,
    "card.png": 3,
    "card.charx": 3,
}
"""Every form of a card, and the version that is read out of it."""
WITH_FILES = frozenset({"card-v3.json", "card.png", "card.charx"})
_REQUIRED: Json = REQUIRED[3] | {"keys": [], "content": "", "enabled": True, "insertion_order": 100, "use_regex": False}
"""What a card and an entry of its lorebook must have, and what says nothing there."""
_OWN_FORMS = {"png": "card.png", "charx": "card.charx"}
_OF_THE_FILE = frozenset({"assets", "spec", "spec_version"})

Result = Mapping[str, Any]


def compare(folder: Path) -> Iterator[Result]:
    """A row per file: what it is, what its export holds, and in which places that differs."""
    if not folder.is_dir():
        raise EvaluationError(f"There is no folder {folder}.")
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.parent.name != EXPECTED]
    if not paths:
        raise EvaluationError(f"The folder {folder} has no files.")
    with empty_database():
        rows = [{"id": path.relative_to(folder).as_posix(), **_compared(path, folder / EXPECTED)} for path in paths]
    yield from rows
    pictures = {path.stem for path in paths if path.suffix.lower() == ".png"}
    for path in sorted((folder / EXPECTED).glob("*")):
        if path.name.rsplit(".", 2)[0] not in pictures:
            yield {"id": f"{EXPECTED}/{path.name}", "kind": "other", "differences": ["there is no picture of its name"]}


def summary(results: Sequence[Result]) -> str:
    """How many of each kind are as they should be."""
    kinds = Counter(row["kind"] for row in results)
    right = Counter(row["kind"] for row in results if not row["differences"])
    says = {"card": "cards lossless", "lorebook": "lorebooks lossless", "folder": "folders lossless"}
    says |= {"invalid": "invalid ones refused", "other": "others are no files for import"}
    expected, exports = (sum(row.get(name, 0) for row in results) for name in ("expected", "exports"))
    counts = [f"{right[kind]} of {count} {says[kind]}" for kind, count in sorted(kinds.items())]
    return ", ".join([*counts, f"{expected} equal to what was expected, {exports} exports read again"])


def _compared(path: Path, expected: Path) -> Result:
    with scratch_world() as somebody:
        return _imported(path, expected, somebody)


def _imported(path: Path, expected: Path, by: User) -> Result:
    is_invalid = path.parent.name == INVALID
    if not is_invalid and path.suffix.lower() not in imports.ACCEPTED.split(", "):
        return {"kind": "other", "differences": []}
    try:
        row = imports.upload(name=path.name, content=path.read_bytes(), by=by)
        character = _taken(row, by)
    except Refused as error:
        if is_invalid:
            return {"kind": "invalid", "said": str(error), "differences": []}
        return {"kind": "card", "differences": [f"it was refused: {error}"]}
    if is_invalid:
        return {"kind": "invalid", "said": "", "differences": ["it was taken"]}
    try:
        return _taken_again(row, character, by, expected, path.stem)
    except Refused as error:
        return {"kind": "card", "differences": [f"its export can't be read again: {error}"]}


def _taken_again(row: Row, character: Character, by: User, expected: Path, stem: str) -> Result:
    upload = imports.read(bytes(row.content), row.name)
    if isinstance(upload, Lorebook):
        return _lorebook(upload, row, character)
    return _card(upload, character, by, expected, stem) if isinstance(upload, Card) else _folder(character, by)


def _taken(row: Row, by: User) -> Character:
    if row.kind != Row.Kind.LOREBOOK:
        return imports.take(row, by=by)
    reader = profiles.begin(name="Reader", sheet=Sheet("Reader", "You are Reader."), by=by)
    return imports.take(row, by=by, character=reader)


def _card(card: Card, character: Character, by: User, expected: Path, stem: str) -> Result:
    own_form = _OWN_FORMS.get(card.form, f"card-v{card.version}.json")
    made = {form: exports.file_of(character, form).content for form in (*VERSIONS, "folder")}
    again = {form: _card_in(made[form]) for form in VERSIONS}
    differing = [*_differences_of_texts(card, again[own_form])]
    for form in VERSIONS:
        differing += [f"{form}: {each}" for each in _differences_elsewhere(card, form, again[form])]
    differing += [*_differences_of_sheets(character, by, {form: made[form] for form in {own_form, "folder"}})]
    texts = _texts(made[own_form]) if card.form == "png" else {}
    wanted = {path.name: path for path in sorted(expected.glob(f"{stem}.*.json"))} if card.form == "png" else {}
    unequal = [name for name, path in wanted.items() if texts.get(name.split(".")[-2]) != json.loads(path.read_text())]
    return {
        "kind": "card",
        "exported": texts or {"card": again[own_form].raw},
        "expected": len(wanted) - len(unequal),
        "exports": len(made),
        "differences": [*differing, *(f"it isn't {name}" for name in unequal)],
    }


def _differences_of_texts(before: Card, after: Card) -> Iterator[str]:
    """Of every card in the file, and of every file in it: what its export in the same form says otherwise."""
    if before.form == "png":
        old, new = _texts(before.picture), _texts(after.picture)
        yield from (each for keyword in old for each in differences(old[keyword], new.get(keyword), keyword))
    else:
        yield from differences(before.raw, after.raw)
    files = assets.files_of(after)
    for name, content in assets.files_of(before).items():
        if files.get(name) != content:
            yield f"{name} is gone or changed"


def _differences_elsewhere(card: Card, form: str, after: Card) -> Iterator[str]:
    """What another form says otherwise, where it is made of the same card."""
    version = VERSIONS[form]
    origin = (other_in_picture(card, version) if card.form == "png" else None) or card
    names = origin.data.keys() & REQUIRED[1].keys() if version == 1 else origin.data.keys() - _OF_THE_FILE
    for name in sorted(names):
        yield from differences(origin.data[name], after.data.get(name), name)
    if form in WITH_FILES:
        yield from _differences_of_assets(origin, after)


def _differences_of_assets(before: Card, after: Card) -> Iterator[str]:
    """Assets by what they are: the file behind an address, or the address where there is none.

    Where a picture held no file for an address, another form has the picture itself.
    """
    old, new = (_contents(card) for card in (before, after))
    for number, content in enumerate(old):
        now = new[number] if number < len(new) else ""
        if now != content and not (isinstance(content, str) and isinstance(now, bytes)):
            yield f"asset {number + 1} is gone or changed"


def _contents(card: Card) -> list[bytes | str]:
    """Per asset the file behind its address; the address where there is none."""
    files = assets.files_of(card)
    return [_content(str(asset.get("uri") or ""), files) for asset in card.data.get("assets") or []]


def _content(uri: str, files: Mapping[str, bytes]) -> bytes | str:
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2], validate=True)
    return files.get(uri.removeprefix(assets.IN_ARCHIVE).removeprefix(assets.IN_PICTURE), uri)


def _card_in(content: bytes) -> Card:
    card = imports.read(content)
    if not isinstance(card, Card):
        raise EvaluationError("An export as a card is none.")
    return card


def _differences_of_sheets(character: Character, by: User, made: Mapping[str, bytes]) -> Iterator[str]:
    sheet = exports.sheet_of(character)
    for form, content in made.items():
        again = imports.upload(name=f"again.{FORMATS[form].ending}", content=content, by=by)
        planned = imports.plan_of(again).sheet  # under another name, since the character is there
        if replace(planned, name=sheet.name, nickname=sheet.nickname) != sheet:
            yield f"importing the export as {form} makes another sheet"


def _texts(picture: bytes) -> dict[str, Json]:
    texts = png.texts(picture, KEYWORDS)
    return {keyword: json.loads(base64.b64decode(text)) for keyword, text in texts.items()}


def differences(before: Any, after: Any, place: str = "") -> Iterator[str]:
    """The places in which an export differs; a required field that was missing may stand there, saying nothing."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            if key not in after:
                yield f"{place}.{key} is gone"
            elif before.get(key) is not None or not _says_nothing(key, after[key]):
                yield from differences(before.get(key), after[key], f"{place}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (left, right) in enumerate(zip(before, after, strict=True)):
            yield from differences(left, right, f"{place}[{number}]")
    elif before != after:
        yield f"{place or 'the whole'} differs"


def _says_nothing(name: str, value: Any) -> bool:
    return name in _REQUIRED and value == _REQUIRED[name]


def _lorebook(book: Lorebook, row: Row, character: Character) -> Result:
    row.refresh_from_db()
    made = exports.lorebook_of(character, row).content
    again = imports.read(made, row.name)
    if not isinstance(again, Lorebook):
        return {"kind": "lorebook", "differences": ["its export is no lorebook"]}
    is_same = imports.plan_of_file(made, row.name, None, row.lore_prefix).sheet == imports.plan_of(row).sheet
    others = [] if is_same else ["importing the export makes other entries"]
    return {
        "kind": "lorebook",
        "exported": {"card": again.raw},
        "exports": 1,
        "differences": [*differences(book.raw, again.raw), *others],
    }


def _folder(character: Character, by: User) -> Result:
    made = {"folder": exports.file_of(character, "folder").content}
    return {"kind": "folder", "exports": 1, "differences": [*_differences_of_sheets(character, by, made)]}
