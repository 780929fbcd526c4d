"""The folder form of a sheet: `character.md` (identity) and `background.yaml` (everything else).

`facts:` (or `core_facts:`) is a list of predicate and object, or of plain sentences. `personas`, `anchors`, `concepts`
and `settings` are further keys. `runtime_facts` wait in the document until they can be reviewed.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from characters.profiles.documents import SheetError, dump, load
from characters.turn.facts import NOTE
from characters.turn.sheet import Sheet

IDENTITY_FILE = "character.md"
BACKGROUND_FILE = "background.yaml"
MAX_BYTES = 1_000_000
_KEYS = {"name", "facts", "core_facts", "runtime_facts", "personas", "anchors", "concepts", "settings"}


@dataclass(frozen=True, slots=True)
class Folder:
    """A sheet read from a folder, and sentences about what was not taken as it stands."""

    sheet: Sheet
    notes: tuple[str, ...] = ()


def read_folder(folder: Path, *, known: Sheet | None = None) -> Folder:
    """Read a sheet. Facts that `known` has with the same predicate and object keep their ids.

    Raises `SheetError`, each problem with file and line where there is one.
    """
    identity = _text(folder / IDENTITY_FILE)
    background = _yaml(folder / BACKGROUND_FILE)
    unknown = [f"{BACKGROUND_FILE}: {key!r} is no key of a sheet." for key in background if key not in _KEYS]
    if unknown:
        raise SheetError(unknown)
    facts = [*_facts(background, "facts"), *_facts(background, "core_facts")]
    runtime = list(_facts(background, "runtime_facts"))
    document = {
        "name": background.get("name") or folder.name.capitalize(),
        "identity": identity.strip(),
        "facts": list(_with_ids(facts, known)),
        "runtime_facts": [{"predicate": p, "object": o} for p, o in runtime],
        **{key: background[key] for key in ("personas", "anchors", "concepts", "settings") if background.get(key)},
    }
    notes = f"{len(runtime)} runtime facts are kept in the sheet, unused until they can be reviewed."
    return Folder(load(document), (notes,) if runtime else ())


def write_folder(sheet: Sheet, folder: Path) -> None:
    """Write a sheet; reading it again gives the same sheet."""
    document = dump(sheet)
    background: dict[str, Any] = {
        "name": document["name"],
        "facts": [_fact_row(row) for row in document["facts"]],
        "runtime_facts": [_fact_row(row) for row in document["runtime_facts"]],
        **{key: document[key] for key in ("personas", "anchors", "concepts", "settings")},
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / IDENTITY_FILE).write_text(f"{sheet.identity}\n")
    stream = io.StringIO()
    _parser().dump({key: value for key, value in background.items() if value}, stream)
    (folder / BACKGROUND_FILE).write_text(stream.getvalue())


def _fact_row(row: dict[str, Any]) -> dict[str, str] | str:
    if row["predicate"] == NOTE:
        return str(row["object"])
    return {"predicate": row["predicate"], "object": row["object"]}


def _parser() -> YAML:
    parser = YAML(typ="rt")
    parser.preserve_quotes = True
    parser.width = 4096
    parser.indent(mapping=2, sequence=4, offset=2)
    return parser


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SheetError([f"{path}: it can't be read ({error.strerror})."]) from error
    if len(raw) > MAX_BYTES:
        raise SheetError([f"{path.name}: {len(raw)} bytes; at most {MAX_BYTES} are taken."])
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise SheetError([f"{path.name}, line {line}: it isn't UTF-8. Save it as UTF-8."]) from error


def _yaml(path: Path) -> dict[str, Any]:
    text = _text(path)
    try:
        # An alias may stand for itself many times over, and nothing in a sheet needs one.
        content = _parser().load(text) if not _has_alias(text) else None
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise SheetError([f"{path.name}{place}: {error.problem}."]) from error
    except (YAMLError, RecursionError, ValueError) as error:
        raise SheetError([f"{path.name}: it can't be read as YAML."]) from error
    if content is None and _has_alias(text):
        raise SheetError([f"{path.name}: anchors and aliases (& and *) are not taken."])
    if not isinstance(content, dict):
        raise SheetError([f"{path.name}: it must be a mapping with keys such as `facts:`."])
    return content


def _has_alias(text: str) -> bool:
    from ruamel.yaml.tokens import AliasToken, AnchorToken  # noqa: PLC0415  only where YAML is read

    return any(isinstance(token, AliasToken | AnchorToken) for token in _tokens(text))


def _tokens(text: str) -> Iterator[Any]:
    scanner = YAML(typ="safe", pure=True)
    return iter(scanner.scan(text))


def _facts(background: dict[str, Any], key: str) -> Iterator[tuple[str, str]]:
    rows = background.get(key) or []
    if not isinstance(rows, list):
        raise SheetError([f"{BACKGROUND_FILE}: {key} must be a list."])
    problems = []
    for place, row in enumerate(rows):
        line = rows.lc.item(place)[0] + 1 if hasattr(rows, "lc") else place + 1
        if isinstance(row, dict) and {"predicate", "object"} <= row.keys():
            yield str(row["predicate"]).strip().upper(), str(row["object"]).strip()
        elif isinstance(row, str):
            yield NOTE, row.strip()
        else:
            problems.append(f"{BACKGROUND_FILE}, line {line}: a fact needs `predicate` and `object`, or is a sentence.")
    if problems:
        raise SheetError(problems)


def _with_ids(facts: list[tuple[str, str]], known: Sheet | None) -> Iterator[dict[str, str]]:
    """Short ids: those that the same facts had, else the next free number."""
    ids = {(fact.predicate, fact.object): fact.id for fact in known.facts} if known else {}
    taken = set(ids.values())
    number = max((int(fact_id[1:]) for fact_id in taken if fact_id[1:].isdigit()), default=0)
    for predicate, text in facts:
        fact_id = ids.pop((predicate, text), "")
        if not fact_id:
            number += 1
            fact_id = f"f{number}"
        yield {"id": fact_id, "predicate": predicate, "object": text}
