"""Kind F: what is left of a card, or a lorebook, after its import and its export; and whether what is none is refused.

The folder has files of any form, `invalid/` what must be refused, and `expected_json/NAME.KEYWORD.json` what the text
KEYWORD of the picture NAME says.
"""

import base64
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from characters.profiles import documents
from characters.profiles.cards import books, exporting, png, uploads, writing
from characters.profiles.cards.books import Lorebook
from characters.profiles.cards.errors import CardError
from characters.profiles.cards.merging import REQUIRED, Origin
from characters.profiles.cards.reading import Card, Json
from characters.profiles.cards.uploads import Folder
from kgadmin.operations.evaluation.files import EvaluationError
from kgadmin.operations.evaluation.world import registry

INVALID, EXPECTED = "invalid", "expected_json"
OTHER_FORMS = ("card-v2.json", "card-v3.json", "card.png", "card.charx")
PREFIX = "b0-"
_REQUIRED: Json = REQUIRED[3] | {"keys": [], "content": "", "enabled": True, "insertion_order": 100, "use_regex": False}
"""What a card and an entry of its lorebook must have, and what says nothing there."""
_OWN_FORMS = {"png": "card.png", "charx": "card.charx"}

Result = Mapping[str, Any]


def compare(folder: Path) -> Iterator[Result]:
    """A row per file: what it is, what its export holds, and in which places that differs."""
    if not folder.is_dir():
        raise EvaluationError(f"There is no folder {folder}.")
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and _is_for_import(path)]
    if not paths:
        raise EvaluationError(f"The folder {folder} has no files.")
    for path in paths:
        row = _refused(path) if path.parent.name == INVALID else _compared(path, folder / EXPECTED)
        yield {"id": path.relative_to(folder).as_posix(), **row}


def _is_for_import(path: Path) -> bool:
    named = path.suffix.lower() in uploads.ACCEPTED.split(", ")
    return path.parent.name == INVALID or (path.parent.name != EXPECTED and named)


def summary(results: Sequence[Result]) -> str:
    """How many of each kind are as they should be."""
    kinds = Counter(row["kind"] for row in results)
    right = Counter(row["kind"] for row in results if not row["differences"])
    says = {"card": "cards lossless", "lorebook": "lorebooks lossless", "folder": "folders lossless"}
    says |= {"invalid": "invalid ones refused"}
    expected = sum(row.get("expected", 0) for row in results)
    counts = [f"{right[kind]} of {count} {says[kind]}" for kind, count in sorted(kinds.items())]
    return ", ".join([*counts, f"{expected} equal to what was expected"])


def _refused(path: Path) -> Result:
    try:
        found = uploads.opened(path.read_bytes(), path.name)
        if not isinstance(found, Lorebook):
            uploads.planned(found)
    except CardError as error:
        return {"kind": "invalid", "said": str(error), "differences": []}
    return {"kind": "invalid", "said": "", "differences": ["it was taken"]}


def _compared(path: Path, expected: Path) -> Result:
    try:
        found = uploads.opened(path.read_bytes(), path.name)
        if isinstance(found, Lorebook):
            return _lorebook(found)
        return _folder(found) if isinstance(found, Folder) else _card(found, expected, path.stem)
    except CardError as error:
        return {"kind": "card", "differences": [f"it was refused: {error}"]}


def _card(card: Card, expected: Path, stem: str) -> Result:
    taken = documents.load(_stored(documents.dump(uploads.planned(card).sheet)))
    origin = Origin(card, taken)
    made = writing.written(_OWN_FORMS.get(card.form, f"card-v{card.version}.json"), taken, origin, registry())
    again = uploads.opened(made)
    differences = [*_differences_of_texts(card, made)] if isinstance(again, Card) else ["it is no card any more"]
    differences += [*_differences_elsewhere(card, origin)]
    wanted = {file: json.loads(file.read_text()) for file in sorted(expected.glob(f"{stem}.*.json"))}
    texts = _texts(made) if card.form == "png" else {}
    told = {file: texts[keyword] for file in wanted if (keyword := file.name.split(".")[-2]) in texts}
    differences += [f"it isn't {file.name}" for file, text in told.items() if wanted[file] != text]
    right = sum(wanted[file] == text for file, text in told.items())
    raw = again.raw if isinstance(again, Card) else {}
    return {"kind": "card", "exported": texts or {"card": raw}, "expected": right, "differences": differences}


def _differences_of_texts(before: Card, made: bytes) -> Iterator[str]:
    """Of every card in the file: what its export in the same form says otherwise."""
    again = uploads.opened(made)
    assert isinstance(again, Card)  # noqa: S101  for the type checker
    if before.form == "png":
        old, new = _texts(before.picture), _texts(made)
        yield from (each for keyword in old for each in differences(old[keyword], new.get(keyword), keyword))
    else:
        yield from differences(before.raw, again.raw)
        yield from (
            f"{name} is gone or changed" for name in before.files if before.files[name] != again.files.get(name)
        )
    if uploads.planned(again).sheet != uploads.planned(before).sheet:
        yield "importing the export makes another sheet"


def _differences_elsewhere(card: Card, origin: Origin) -> Iterator[str]:
    """What other forms lack, where they are made of the same card."""
    for form in OTHER_FORMS:
        again = uploads.opened(writing.written(form, origin.taken, origin, registry()))
        if not isinstance(again, Card) or (form == "card-v2.json" and card.form == "png"):
            continue  # a picture has a card of version 2 of its own
        for name, value in card.data.items():
            if name not in {"assets", "spec", "spec_version"}:
                yield from differences(value, again.data.get(name), f"{form}: {name}")


def _texts(picture: bytes) -> dict[str, Json]:
    found = png.texts(picture)
    return {keyword: json.loads(base64.b64decode(found[keyword])) for keyword in ("chara", "ccv3") if keyword in found}


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


def _lorebook(found: Lorebook) -> Result:
    lore = books.lore_of(found.book, found.shape, PREFIX)
    made = exporting.with_lore(found, lore, lore, PREFIX)
    again = uploads.opened(writing.as_json(made))
    found_again = books.lore_of(again.book, again.shape, PREFIX) if isinstance(again, Lorebook) else ()
    others = ["importing the export makes other entries"] if found_again != lore else []
    return {"kind": "lorebook", "exported": {"card": made}, "differences": [*differences(found.raw, made), *others]}


def _folder(found: Folder) -> Result:
    again = uploads.opened(writing.written("folder", found.sheet, None, registry()))
    is_same = isinstance(again, Folder) and again.sheet == found.sheet
    return {"kind": "folder", "differences": [] if is_same else ["importing the export makes another sheet"]}


def _stored(document: Any) -> Any:
    """As the database gives it back."""
    return json.loads(json.dumps(document))
