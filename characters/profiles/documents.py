"""The sheet as a document: checked, loaded and saved."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from dataclasses import asdict, dataclass
from typing import Any
from unicodedata import category

from pydantic import TypeAdapter, ValidationError

from characters.domain.facts import sentence
from characters.domain.sheet import Fact, LoreEntry, Predicate, Settings, Sheet
from characters.profiles import limits
from characters.turn.trace import OPTIONAL_STAGES
from kgadmin.rest.actions import Refused

MAX_FACTS = 5_000
MAX_IDENTITY = 20_000
MAX_TEXT = 2_000
MAX_NAME = 60
"""Characters of a predicate."""
MAX_TITLE = limits.MAX_NAME
"""Characters of a character's name."""
MAX_LORE = 2_000
MAX_GREETINGS = 100
MAX_KEYS = 100
MAX_LEARNED = 500

Place = tuple[int | str, ...]
"""Where something lies in a document: ("personas", 0, "name")."""

_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that look like spaces."""
_UNSEEN = {"Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp"}
_SHEET = TypeAdapter(Sheet)
_CARD_TEXTS = ("system_prompt", "post_history_instructions", "example_messages")
_PROBLEMS = {
    "missing": "it is missing.",
    "tuple_type": "it must be a list.",
    "string_type": "it must be text.",
    "unexpected_keyword_argument": "it is no key of a sheet.",
    "int_parsing": "it must be a whole number.",
    "int_from_float": "it must be a whole number.",
    "int_type": "it must be a whole number.",
    "float_parsing": "it must be a number.",
    "float_type": "it must be a number.",
    "bool_parsing": "it must be true or false.",
    "bool_type": "it must be true or false.",
    "dict_type": "it must be a mapping.",
    "mapping_type": "it must be a mapping.",
    "dataclass_type": "it must be a mapping.",
}


class SheetError(Refused):
    """A sheet that can't be taken. `problems` are sentences, each naming its place."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def _dotted(place: Place) -> str:
    return ".".join(map(str, place))


def load(document: dict[str, Any], said: Callable[[Place], str] = _dotted) -> Sheet:
    """The sheet in a document. Raises `SheetError`; `said` puts a place into words."""
    try:
        return _SHEET.validate_python(document, extra="forbid")
    except ValidationError as error:
        problems = [f"{said(each['loc'])}: {_PROBLEMS.get(each['type'], each['msg'])}" for each in error.errors()]
        raise SheetError(problems) from error


def empty(name: str) -> dict[str, Any]:
    """The document of a sheet in which nothing was written yet."""
    return dump(Sheet(name, ""))


def dump(sheet: Sheet) -> dict[str, Any]:
    """The document to store."""
    document: dict[str, Any] = _SHEET.dump_python(sheet, mode="json")
    return document


def fact_row(fact: Fact) -> dict[str, Any]:
    """A fact as a document has it."""
    return {**asdict(fact), "questions": list(fact.questions)}


def check(sheet: Sheet) -> None:
    """Raise `SheetError` with every problem of a sheet that is about to be published."""
    found = problems(sheet)
    if found:
        raise SheetError(found)


def problems(sheet: Sheet) -> list[str]:
    """Why a sheet can't be published: a sentence each, with its place."""
    found = [
        *_texts(sheet),
        *limits.problems(sheet),
        *_twice("fact id", (fact.id for fact in sheet.facts)),
        *_twice("persona", (persona.slug for persona in sheet.personas)),
        *_facts(sheet.facts),
        *_twice("concept", (concept.name for concept in sheet.concepts)),
        *_twice("lore", (entry.id for entry in sheet.lore)),
        *_lore(sheet.lore),
        *_settings(sheet.settings),
    ]
    if not is_visible(sheet.name):
        found.append("name: it is empty. Write the character's name.")
    if len(sheet.greetings) > MAX_GREETINGS:
        found.append(f"greetings: there are {len(sheet.greetings)}; at most {MAX_GREETINGS} are taken.")
    if not sheet.identity.strip():
        found.append("identity: it is empty. Every prompt begins with it.")
    if sum(persona.default for persona in sheet.personas) > 1:
        found.append("personas: more than one is the default. Keep one.")
    return found


def refuse_too_many(facts: Sized) -> None:
    """Raises `SheetError` where there are more than a sheet, finished or not, may have."""
    if len(facts) > MAX_FACTS:
        raise SheetError([f"facts: there are {len(facts):,}; at most {MAX_FACTS:,} are taken."])


def _facts(rows: tuple[Fact, ...]) -> Iterable[str]:
    if len(rows) > MAX_FACTS:
        yield f"facts: there are {len(rows):,}; at most {MAX_FACTS:,} are taken."
    for place, fact in enumerate(rows, start=1):
        if not fact.object.strip():
            yield f"facts, number {place}, {fact.predicate}: the object is empty."
        if not fact.predicate.replace("_", "").isalnum() or fact.predicate != fact.predicate.upper():
            said = f"{fact.predicate!r} is no predicate. Use capitals, like HAS_FATHER."
            yield f"facts, number {place}, {limits.shown(fact.object)}: {said}"
    for (predicate, text), count in Counter((fact.predicate, fact.object) for fact in rows).items():
        if count > 1:
            yield f"facts: {predicate} {limits.shown(text)} stands there {count} times."


def _lore(entries: tuple[LoreEntry, ...]) -> Iterable[str]:
    if len(entries) > MAX_LORE:
        yield f"lore: there are {len(entries)} entries; at most {MAX_LORE} are taken."
    for place, entry in enumerate(entries, start=1):
        if len(entry.keys) + len(entry.secondary_keys) > MAX_KEYS:
            yield f"lore, number {place}: it has more than {MAX_KEYS} keys. Make two entries of it."
        if not 0 <= entry.scan_depth <= 1_000:
            yield f"lore, number {place}: scan_depth {entry.scan_depth} is not between 0 and 1000."
        if entry.token_budget < 0:
            yield f"lore, number {place}: token_budget {entry.token_budget} is below 0."
        if not 0 <= entry.probability <= 100:
            yield f"lore, number {place}: probability {entry.probability} is not between 0 and 100."


def _settings(settings: Settings) -> Iterable[str]:
    for stage in settings.stages_off:
        if stage not in OPTIONAL_STAGES:
            yield f"settings.stages_off: {stage!r} can't be switched off. Use {', '.join(OPTIONAL_STAGES)}."
    if not 0 <= settings.most_learned <= MAX_LEARNED:
        yield f"settings.most_learned: {settings.most_learned} is not between 0 and {MAX_LEARNED}."
    knobs = settings.ambient
    knob_limits = (
        ("depth", knobs.depth, 1, 2),
        ("max_nodes", knobs.max_nodes, 1, 40),
        ("tokens", knobs.tokens, 20, 1000),
    )
    for name, value, least, most in (*knob_limits, ("threshold", knobs.threshold, 0, 1)):
        if not least <= value <= most:
            yield f"settings.ambient.{name}: {value} is not between {least} and {most}."
    for family, factor in knobs.families.items():
        if not 0 <= factor <= 3:
            yield f"settings.ambient.families.{family}: {factor} is not between 0 and 3."


def _texts(sheet: Sheet) -> Iterable[str]:
    lengths = [("name", sheet.name, MAX_TITLE), ("identity", sheet.identity, MAX_IDENTITY)]
    lengths += [(name, getattr(sheet, name), MAX_IDENTITY) for name in _CARD_TEXTS]
    lengths += [(f"greeting {place}", text, MAX_IDENTITY) for place, text in enumerate(sheet.greetings, start=1)]
    lengths += [(f"lore {entry.id}", entry.content, MAX_IDENTITY) for entry in sheet.lore]
    lengths += [(limits.place_of(fact), fact.object, MAX_TEXT) for fact in sheet.facts]
    lengths += [(f"{limits.place_of(fact)}, predicate", fact.predicate, MAX_NAME) for fact in sheet.facts]
    lengths += [(f"persona {persona.slug}", persona.instructions, MAX_TEXT) for persona in sheet.personas]
    for place, text, limit in lengths:
        if len(text) > limit:
            yield f"{place}: {len(text)} characters; at most {limit} are taken."
    for keys, text in strings(asdict(sheet)):
        if not is_storable(text):
            yield f"{_dotted(keys)}: it holds a null byte or half of a character, which no engine can store."


def strings(value: Any, keys: Place = ()) -> Iterator[tuple[Place, str]]:
    """Every text in a document, with its place."""
    if isinstance(value, str):
        yield keys, value
        return
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, inner in items:
        yield from strings(inner, (*keys, key))


def unstorable(value: Any) -> str:
    """Why no engine can store this value, with what it holds; empty where they can."""
    if isinstance(value, str):
        return "" if is_storable(value) else "it holds a null byte or half of a character, which can't be stored."
    if isinstance(value, float):
        return "" if math.isfinite(value) else "it holds a number without an end, which can't be stored."
    inner = [*value.keys(), *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((problem for each in inner if (problem := unstorable(each))), "")


def is_storable(text: str) -> bool:
    """Whether every engine can store `text`: no null byte, no lone surrogate."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def is_visible(text: str) -> bool:
    """Whether anything of the text can be seen."""
    return any(category(each) not in _UNSEEN and each not in _BLANK for each in text)


def _twice(what: str, names: Iterable[str]) -> Iterable[str]:
    return (f"{what} {name!r} stands there {count} times." for name, count in Counter(names).items() if count > 1)


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact with its family, and the sentence that a prompt says."""

    fact: Fact
    family: str
    sentence: str


def fact_rows(sheet: Sheet, registry: Mapping[str, Predicate]) -> list[FactRow]:
    """The facts of a sheet in its order; those of no registered predicate are of the family "other"."""
    rows = []
    for fact in sheet.facts:
        predicate = registry.get(fact.predicate)
        rows.append(FactRow(fact, predicate.family if predicate else "other", sentence(fact, predicate)))
    return rows
