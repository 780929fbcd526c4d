"""Parts of a sheet's document, which are saved one by one: "identity", "fact:f7", "anchors", "fact order" ..."""

import hashlib
import json
import re
from typing import Any

from kgadmin.rest.actions import Refused

Document = dict[str, Any]

KEYED = {
    "fact": ("facts", "id"),
    "persona": ("personas", "slug"),
    "concept": ("concepts", "name"),
    "lore": ("lore", "id"),
}
"""Kind of part (before the colon) to the document's list that holds it, and the key that identifies a row."""
SINGLE = (
    "name",
    "identity",
    "anchors",
    "settings",
    "nickname",
    "system_prompt",
    "post_history_instructions",
    "example_messages",
    "greetings",
)
ORDER = "fact order"
DEFAULT = "default persona"
"""Part that holds the default persona's slug: with a flag in each persona, choosing one would change two parts."""


class UnknownPartError(Refused):
    """Raised for a part that no sheet has."""


def get(document: Document, part: str) -> Any:
    """Return the part's value, or None for a row that doesn't exist."""
    if part in SINGLE:
        return document.get(part)
    if part == ORDER:
        return [row["id"] for row in document["facts"]]
    if part == DEFAULT:
        return next((row["slug"] for row in document["personas"] if row.get("default")), "")
    listed, key, name = _rows(document, part)
    value = next((row for row in listed if row[key] == name), None)
    return _part_of(part, value) if value else None


def put(document: Document, part: str, value: Any) -> Document:
    """Return the document with `value` as the part: None removes a row, and a new row is appended."""
    if part in SINGLE:
        return document | {part: value}
    if part == ORDER:
        return document | {"facts": _ordered(document["facts"], value)}
    if part == DEFAULT:
        return document | {"personas": _with_default(document["personas"], value)}
    there, key, name = _rows(document, part)
    listed = KEYED[part.partition(":")[0]][0]
    if value is not None and listed == "personas":
        value = _without_default(value) | {"default": get(document, DEFAULT) == name}
    rows = [row if row[key] != name else value for row in there]
    if all(row[key] != name for row in there):
        rows.append(value)
    return document | {listed: [row for row in rows if row is not None]}


def digest(value: Any) -> str:
    """Return a short hash of a part's value, by which a stored report notices a change."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def rows(document: Document) -> dict[str, Any]:
    """Return the value of every row of the document's lists, by part."""
    named = {f"{kind}:{row[key]}": row for kind, (name, key) in KEYED.items() for row in document.get(name) or []}
    return {part: _part_of(part, row) for part, row in named.items()}


def problem(part: str, value: Any) -> str:
    """Return why `value` can't be the part's, or an empty string; the document's check validates the rest."""
    kind, _, name = part.partition(":")
    if part == ORDER and not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        return "it must be a list of fact ids."
    if part == DEFAULT and not isinstance(value, str):
        return "it must be the slug of a persona, or empty."
    if kind in KEYED and value is not None and (not isinstance(value, dict) or value.get(KEYED[kind][1]) != name):
        return f"its {KEYED[kind][1]} must be {name!r}."
    return ""


def predicate_name(text: str) -> str:
    """Return the predicate's name for what an author typed: "grew up in" is GREW_UP_IN."""
    return re.sub(r"\W+", "_", text.strip()).strip("_").upper()


def _rows(document: Document, part: str) -> tuple[list[dict[str, Any]], str, str]:
    kind, _, name = part.partition(":")
    if kind not in KEYED or not name:
        raise UnknownPartError(f"{part!r} isn't part of a sheet.")
    listed, key = KEYED[kind]
    return document.get(listed) or [], key, name


def _with_default(personas: list[dict[str, Any]], slug: str) -> list[dict[str, Any]]:
    if slug and all(row["slug"] != slug for row in personas):
        raise UnknownPartError(f"There is no persona {slug!r} to be the default.")
    return [row | {"default": row["slug"] == slug} for row in personas]


def _part_of(part: str, row: dict[str, Any]) -> dict[str, Any]:
    return _without_default(row) if part.startswith("persona:") else row


def _without_default(persona: dict[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in persona.items() if name != "default"}


def _ordered(facts: list[dict[str, Any]], ids: list[str]) -> list[dict[str, Any]]:
    """Sort facts by `ids`; a fact that isn't in `ids` stays behind the one that it followed."""
    place = {fact_id: number for number, fact_id in enumerate(ids)}
    last, keys = -1, []
    for number, fact in enumerate(facts):
        last = place.get(fact["id"], last)
        keys.append((last, fact["id"] not in place, number))
    return [fact for _, fact in sorted(zip(keys, facts, strict=True), key=lambda each: each[0])]
