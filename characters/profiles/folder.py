"""The folder form of a sheet: `character.md` (identity) and `background.yaml` (everything else).

`facts:` (or `core_facts:`) is a list of predicate and object, or of plain sentences. `personas`, `anchors`, `concepts`,
`settings` and fields of cards (`greetings`, `lore` ...) are further keys. `runtime_facts` stay in the document until
they can be reviewed.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from characters.domain.facts import NOTE
from characters.domain.sheet import Fact, LoreEntry, Sheet
from characters.profiles import documents, sheet_yaml
from characters.profiles.documents import Place, SheetError, dump, load, unstorable
from characters.profiles.sheet_yaml import YamlError

IDENTITY_FILE = "character.md"
BACKGROUND_FILE = "background.yaml"
MAX_BYTES = 1_000_000
PARTS = tuple(
    field.name for field in fields(Sheet) if field.name not in {"name", "identity", "facts", "runtime_facts", "schema"}
)
_KEYS = {"name", "facts", "core_facts", "runtime_facts", *PARTS}
_LORE = dump(Sheet("", "", lore=(LoreEntry("", ""),)))["lore"][0]
"""Default values of an entry, which the YAML leaves out."""
_FACT_KEYS = {"predicate", "object", "questions"}
Facts = Sequence[Fact]


@dataclass(frozen=True, slots=True)
class Folder:
    """A sheet read from a folder, with sentences about what was changed or left out."""

    sheet: Sheet
    notes: tuple[str, ...] = ()


def read_folder(folder: Path, *, known: Sheet | None = None) -> Folder:
    """Read a sheet; facts keep the ids they have in `known`. Raises `SheetError`, with file and line if known."""
    identity = _text(folder / IDENTITY_FILE)
    background = _text(folder / BACKGROUND_FILE)
    before = (known.facts,) if known else ()
    return parse(identity, background, name=folder.resolve().name.capitalize(), known=before)


def parse(identity: str, text: str, *, name: str, known: Sequence[Facts] = (), unfinished: bool = False) -> Folder:
    """Return the sheet of two texts, called `name` unless the YAML in `text` names it.

    Facts keep the ids they have in `known`, of which earlier sheets take precedence. The objects of `unfinished` facts
    may be empty. Raises `SheetError`.
    """
    background = _yaml(text)
    facts = [fact for key in ("facts", "core_facts") for fact in _facts(background, key, unfinished=unfinished)]
    runtime = _facts(background, "runtime_facts")
    document = {
        "name": background.get("name", name),
        "identity": identity.strip(),
        "facts": list(_with_ids(facts, known)),
        "runtime_facts": [{"predicate": row["predicate"], "object": row["object"]} for row in runtime],
        **{key: background[key] for key in PARTS if key in background},
    }
    count = "1 runtime fact is" if len(runtime) == 1 else f"{len(runtime)} runtime facts are"
    notes = (f"{count} stored in the sheet, not used until reviewed.",) if runtime else ()
    for keys, value in documents.strings(background):
        if problem := unstorable(value):
            raise SheetError([f"{_place(background, keys)}: {problem}"])
    sheet = load(document, partial(_place, background))
    if problem := unstorable(dump(sheet)):  # "nan" is a number only now
        raise SheetError([f"{BACKGROUND_FILE}: {problem}"])
    return Folder(sheet, notes)


def texts_of(sheet: Sheet) -> dict[str, str]:
    """Return the files of a sheet by name; reading them again gives the same sheet."""
    document = dump(sheet)
    background: dict[str, Any] = {
        "name": document["name"],
        "facts": [fact_row(row) for row in document["facts"]],
        "runtime_facts": [fact_row(row) for row in document["runtime_facts"]],
        **{key: document[key] for key in PARTS},
        "lore": [lore_row(row) for row in document["lore"]],
    }
    return {
        IDENTITY_FILE: f"{sheet.identity}\n",
        BACKGROUND_FILE: sheet_yaml.write({key: value for key, value in background.items() if value}),
    }


def fact_row(row: dict[str, Any]) -> dict[str, Any] | str:
    """Return a fact as the YAML has it: a plain sentence, or a mapping."""
    if row["predicate"] == NOTE and not row.get("questions"):
        return str(row["object"])
    asked = {"questions": row["questions"]} if row.get("questions") else {}
    return {"predicate": row["predicate"], "object": row["object"], **asked}


def lore_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a lore entry as the YAML has it, without default values."""
    return {key: value for key, value in row.items() if key in {"id", "content"} or value != _LORE[key]}


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SheetError([f"{path}: it can't be read ({error.strerror})."]) from error
    if len(raw) > MAX_BYTES:
        raise SheetError([f"{path.name}: {len(raw)} bytes; at most {MAX_BYTES} are allowed."])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise SheetError([f"{path.name}, line {line}: it isn't UTF-8. Save it as UTF-8."]) from error


def _yaml(text: str) -> dict[str, Any]:
    try:
        background = sheet_yaml.read(text)
    except YamlError as error:
        raise SheetError([f"{_at(error.line, error.column)}: {error.problem}"]) from error
    unknown = [f"{_place(background, (key,))} isn't a key of a sheet." for key in background if key not in _KEYS]
    if unknown:
        raise SheetError(unknown)
    for key in [key for key, value in background.items() if value == ""]:
        del background[key]
    return background


def _at(line: int | None = None, column: int | None = None) -> str:
    named = f"{BACKGROUND_FILE}, line {line}" if line else BACKGROUND_FILE
    return f"{named}, column {column}" if column else named


def _place(background: dict[str, Any], keys: Place) -> str:
    """Return a place in words: "background.yaml, line 7: personas, number 1, name"."""
    words = ", ".join(f"number {key + 1}" if isinstance(key, int) else str(key) for key in keys)
    return f"{_at(*(sheet_yaml.place_of(background, keys) or ()))}: {words}"


def _facts(background: dict[str, Any], key: str, *, unfinished: bool = False) -> list[dict[str, Any]]:
    rows = background.get(key) or []
    if not isinstance(rows, list):
        raise SheetError([f"{_place(background, (key,))} must be a list."])
    documents.refuse_too_many(rows)
    facts = [_fact(row, unfinished=unfinished) for row in rows]
    needs = "a fact needs `predicate` and `object`, both text, and may have `questions`, a list; or it is a sentence."
    problems = [
        f"{_at(*(sheet_yaml.place_of(background, (key, number)) or ()))}: {needs}"
        for number, fact in enumerate(facts)
        if fact is None
    ]
    if problems:
        raise SheetError(problems)
    return [fact for fact in facts if fact is not None]


def _fact(row: Any, *, unfinished: bool) -> dict[str, Any] | None:
    if isinstance(row, str) and (row.strip() or unfinished):
        return {"predicate": NOTE, "object": row.strip(), "questions": []}
    if not isinstance(row, dict) or not {"predicate", "object"} <= row.keys() <= _FACT_KEYS:
        return None
    predicate, text, asked = row["predicate"], row["object"], row.get("questions") or []
    needed = [predicate, *(asked if isinstance(asked, list) else [None]), *([] if unfinished else [text])]
    if not isinstance(text, str) or not all(isinstance(each, str) and each.strip() for each in needed):
        return None
    return {
        "predicate": predicate.strip().upper(),
        "object": text.strip(),
        "questions": [question.strip() for question in asked],
    }


def _with_ids(facts: list[dict[str, Any]], known: Sequence[Facts]) -> Iterator[dict[str, Any]]:
    """Add ids: of the same known fact, else of an unmatched one with this predicate or object, else a new id."""
    ids = [""] * len(facts)
    for before in known:
        for key in _SAME:
            left = _by(before, key, taken={*ids})
            for place, fact in enumerate(facts):
                same = left.get(key(fact["predicate"], fact["object"]))
                if not ids[place] and same:
                    ids[place] = same.pop(0)
    number = max((int(fact.id[1:]) for before in known for fact in before if fact.id[1:].isdecimal()), default=0)
    new = (f"f{place}" for place in count(number + 1))
    return ({"id": fact_id or next(new), **fact} for fact_id, fact in zip(ids, facts, strict=True))


def _by(before: Facts, key: Callable[[str, str], Hashable], taken: set[str]) -> dict[Hashable, list[str]]:
    ids: dict[Hashable, list[str]] = {}
    for fact in before:
        if fact.id not in taken:
            ids.setdefault(key(fact.predicate, fact.object), []).append(fact.id)
    return ids


_SAME: tuple[Callable[[str, str], Hashable], ...] = (
    lambda predicate, text: (predicate, text),
    lambda predicate, text: predicate,
    lambda predicate, text: (text,),
)
"""Keys by which a fact is recognised after a change, the most certain first."""
