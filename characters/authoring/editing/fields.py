"""Read the editor's forms as edits of the draft. A field's name is its part and a key: "fact:f7/object"."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import QueryDict

from characters.authoring.drafts import parts
from characters.authoring.drafts.parts import Document
from characters.authoring.drafts.services import Edit
from characters.domain.facts import NOTE
from characters.profiles import documents
from characters.profiles.documents import SheetError
from characters.turn.trace import OPTIONAL_STAGES

Fields = Mapping[str, Sequence[str]]


def edits(form: QueryDict, document: Document) -> list[Edit]:
    """Return an edit per part of the form that differs from the document. Raises `SheetError`, `UnknownPartError`."""
    values = ((part, _value(part, fields, document)) for part, fields in parts_of(form).items())
    return [Edit(part, value) for part, value in values if value != parts.get(document, part)]


def parts_of(form: QueryDict) -> dict[str, dict[str, Sequence[str]]]:
    """Return the form's fields, by part."""
    sent: dict[str, dict[str, Sequence[str]]] = {}
    for name, values in form.lists():
        part, slash, field = name.rpartition("/")
        if slash:
            sent.setdefault(part, {})[field] = [str(value).replace("\r\n", "\n") for value in values]
    return sent


def _value(part: str, fields: Fields, document: Document) -> Any:
    there = parts.get(document, part)
    kind = part.partition(":")[0]
    if kind not in _VALUES:
        raise parts.UnknownPartError(f"{part!r} isn't part of a sheet.")
    if kind in parts.KEYED and there is None:  # somebody removed it meanwhile
        there = {parts.KEYED[kind][1]: part.partition(":")[2]}
    return _VALUES[kind](fields, there)


def _first(fields: Fields, name: str) -> str:
    return next(iter(fields.get(name, ())), "")


def _given(fields: Fields, **readers: Callable[[str], Any]) -> dict[str, Any]:
    return {name: read(_first(fields, name)) for name, read in readers.items() if name in fields}


def lines(text: str) -> list[str]:
    """Return the lines that aren't empty, each once."""
    return list(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def _text(fields: Fields, there: Any) -> str:
    return _first(fields, "value")


def _lore(fields: Fields, there: Document) -> Document:
    entry = there | _given(fields, name=str.strip, content=str, keys=lines, secondary_keys=lines)
    if "has_switches" in fields:
        entry |= {"constant": "constant" in fields, "enabled": "enabled" in fields}
    if entry.get("secondary_keys") != there.get("secondary_keys"):
        entry["selective"] = bool(entry["secondary_keys"])
    return entry


def predicate_or_note(text: str) -> str:
    """Return the predicate that an author typed, or `NOTE` for nothing. Raises `SheetError`."""
    name = parts.predicate_name(text)
    if text.strip() and not name:
        raise SheetError([f"{text.strip()!r} isn't a predicate: it needs letters. Leave it empty for a sentence."])
    return name or NOTE


def _persona(fields: Fields, there: Document) -> Document:
    bases = {"bases": list(fields.get("bases", ()))} if "has_bases" in fields else {}
    texts = _given(fields, name=str.strip, instructions=str.strip, keywords=lines, model=str.strip)
    numbers = {
        name: _number(name, fields, kind) if _first(fields, name).strip() else None
        for name, kind in _OF_MODEL.items()
        if name in fields
    }
    return documents.without_empty(there | texts | numbers | bases)


def _concept(fields: Fields, there: Document) -> Document:
    names = map(parts.predicate_name, re.split(r"[\s,]+", _first(fields, "predicates")))
    return there | {"predicates": list(dict.fromkeys(filter(None, names)))}


def _settings(fields: Fields, there: Document) -> Document:
    ambient = there.get("ambient", {}) | {
        name: _number(name, fields, kind) for name, kind in _AMBIENT.items() if name in fields
    }
    families = {
        field.removeprefix("family."): _number(field, fields, float) for field in fields if field.startswith("family.")
    }
    if families:
        ambient["families"] = {family: factor for family, factor in families.items() if factor != 1}
    sent: Document = {"ambient": ambient}
    if "has_stages" in fields:
        sent["stages_off"] = [stage for stage in OPTIONAL_STAGES if stage not in fields.get("stages", ())]
    if "pronouns" in fields:
        sent["pronouns"] = _first(fields, "pronouns")
    if "questions" in fields:
        sent["questions"] = lines(_first(fields, "questions"))
    if "has_learning" in fields:
        sent["learning"] = "propose" if "learning" in fields else "off"
        sent["most_learned"] = _number("most_learned", fields, int)
    return there | sent


_OF_MODEL: dict[str, type[int] | type[float]] = {"temperature": float, "top_p": float, "max_tokens": int}
_AMBIENT: dict[str, type[int] | type[float]] = {"depth": int, "max_nodes": int, "tokens": int, "threshold": float}


def _number(name: str, fields: Fields, kind: type[int] | type[float]) -> float:
    text = _first(fields, name).strip().replace(",", ".")
    try:
        return kind(text)
    except ValueError as error:
        wanted = "a whole number" if kind is int else "a number"
        raise SheetError([f"{name.removeprefix('family.').replace('_', ' ')}: {text!r} isn't {wanted}."]) from error


_VALUES: dict[str, Callable[[Fields, Any], Any]] = {
    "name": _text,
    "identity": _text,
    "anchors": lambda fields, there: lines(_first(fields, "value")),
    "fact": lambda fields, there: (
        there | _given(fields, predicate=predicate_or_note, object=str.strip, questions=lines)
    ),
    "persona": _persona,
    "concept": _concept,
    "settings": _settings,
    "nickname": _text,
    "system_prompt": _text,
    "post_history_instructions": _text,
    "example_messages": _text,
    "greetings": lambda fields, there: [text for text in fields.get("value", ()) if text.strip()],
    "lore": _lore,
    parts.DEFAULT: _text,
}
