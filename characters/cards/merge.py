"""Write a sheet as a card: what has changed since the import goes into the original, all else stays."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass

from characters.cards import books, plan
from characters.cards.books import CARD, OURS, extensions_of
from characters.cards.card import FIRST_VERSION, Card, Json, Version
from characters.cards.plan import OUR_PARTS, SENTENCES
from characters.domain.facts import sentence
from characters.domain.sheet import Predicate, Sheet
from characters.profiles import documents

REQUIRED: dict[Version, Json] = {
    1: {name: "" for name in ("name", *FIRST_VERSION)},
    2: {name: "" for name in ("name", *FIRST_VERSION)}
    | {"creator_notes": "", "system_prompt": "", "post_history_instructions": "", "alternate_greetings": [], "tags": []}
    | {"creator": "", "character_version": "", "extensions": {}},
}
REQUIRED[3] = REQUIRED[2] | {"group_only_greetings": []}
"""Fields that a card of each version must have, with defaults."""
TOGETHER = frozenset({"first_mes", "alternate_greetings"})
"""Fields that are made from one part of a sheet: if one has changed, all are written."""
_SPECS: dict[Version, tuple[str, str]] = {2: ("chara_card_v2", "2.0"), 3: ("chara_card_v3", "3.0")}

Registry = Mapping[str, Predicate]


@dataclass(frozen=True, slots=True)
class Origin:
    """The card that a character was imported from, and the sheet that the import made of it."""

    card: Card
    taken: Sheet


def card_of(sheet: Sheet, origin: Origin | None, version: Version, registry: Registry) -> Json:
    """Return the full JSON of the card in this version."""
    data = _filled(_data(sheet, origin, registry), version)
    if version == 1:
        return data if origin and origin.card.version == 1 else {name: data[name] for name in REQUIRED[1]}
    raw: Json = {}
    if origin and origin.card.version > 1:
        raw = deepcopy({key: value for key, value in origin.card.raw.items() if key != "data"})
        old = origin.card.data  # some programs write the card's fields once more at the top
        raw |= {key: data[key] for key in raw.keys() & data.keys() & old.keys() if raw[key] == old[key]}
    if not origin or origin.card.version != version:
        raw["spec"], raw["spec_version"] = _SPECS[version]
    return {"spec": raw.pop("spec"), "spec_version": raw.pop("spec_version", _SPECS[version][1]), "data": data} | raw


def _data(sheet: Sheet, origin: Origin | None, registry: Registry) -> Json:
    before = origin.taken if origin else None
    data: Json = deepcopy(origin.card.data) if origin else {}
    now = _fields(sheet)
    was = _fields(before) if before else {}
    changed = {name for name, value in now.items() if before is None or was[name] != value}
    changed |= TOGETHER if changed & TOGETHER else set()
    data |= {name: value for name, value in now.items() if name in changed}
    _merge_ours(data, before, sheet, _merge_prose(data, before, sheet, registry))
    lore = before.lore if before else ()
    book = books.merged(data.get("character_book"), lore, sheet.lore, name=f"{sheet.name}’s lorebook")
    if book is not None:
        data["character_book"] = book
    if not sheet.nickname and origin is None:
        del data["nickname"]
    return data


def _fields(sheet: Sheet) -> Json:
    """Return the parts of a sheet that have a field of their own in a card."""
    return {
        "name": sheet.name,
        "first_mes": sheet.greetings[0] if sheet.greetings else "",
        "mes_example": sheet.example_messages,
        "system_prompt": sheet.system_prompt,
        "post_history_instructions": sheet.post_history_instructions,
        "alternate_greetings": list(sheet.greetings[1:]),
        "nickname": sheet.nickname,
    }


def _merge_prose(data: Json, before: Sheet | None, sheet: Sheet, registry: Registry) -> list[str]:
    """Write the changed parts of the identity, and the facts; return the facts' sentences."""
    sentences = [sentence(fact, registry.get(fact.predicate)) for fact in sheet.facts]
    if before and (before.identity, before.facts) == (sheet.identity, sheet.facts):
        return list(plan.stored_parts(data).get(SENTENCES, []))
    if before and before.facts:
        data["description"] = plan.own_description(data)
    if before is None or before.identity != sheet.identity:
        parts = plan.prose_of(sheet.identity)._asdict()
        data |= {name: text for name, text in parts.items() if str(data.get(name) or "").strip() != text}
    data["description"] = plan.with_facts(str(data.get("description") or ""), sentences)
    return sentences


def _merge_ours(data: Json, before: Sheet | None, sheet: Sheet, sentences: list[str]) -> None:
    """Write what a card has no field for into its extensions, so that an import here restores it."""
    empty = documents.empty(sheet.name)
    old, new = documents.dump(before) if before else empty, documents.dump(sheet)
    stored = plan.stored_parts(data)
    if all(old[part] == new[part] for part in OUR_PARTS) and sentences == stored.get(SENTENCES, []):
        return
    ours = {key: value for key, value in stored.items() if key not in {*OUR_PARTS, SENTENCES}}
    ours |= {part: new[part] for part in OUR_PARTS if new[part] != empty[part]}
    data["extensions"] = extensions_of(data) | {OURS: ours | ({SENTENCES: sentences} if sentences else {})}


def _filled(data: Json, version: Version) -> Json:
    made = data | {name: deepcopy(value) for name, value in REQUIRED[version].items() if data.get(name) is None}
    book = made.get("character_book")
    if version > 1 and isinstance(book, dict):
        required = {name: value for name, value in CARD.required.items() if version == 3 or name != "use_regex"}
        rows = [deepcopy(required) | row for row in book.get("entries") or []]
        made["character_book"] = {"extensions": {}} | book | {"entries": rows}
    return made
