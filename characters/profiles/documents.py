"""The sheet as a document: loading, saving, and checking before publishing."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from characters.domain import unseen
from characters.domain.facts import sentence
from characters.domain.sheet import Fact, Persona, Predicate, Sheet
from characters.turn.trace import OPTIONAL_STAGES
from kgadmin.rest.actions import Refused

MAX_FACTS = 5_000
MAX_IDENTITY = 20_000
MAX_TEXT = 2_000
MAX_PREDICATE = 60
MAX_ID = 60
MAX_NAME = 100
"""Characters of a name, a keyword, an anchor, the slug of a persona."""
MAX_QUESTION = 500
MAX_QUESTIONS = 100
"""Most questions of one fact, or to click in the playground."""
MAX_LORE = 2_000
MAX_LORE_NAME = 200
MAX_KEYS = 100
MAX_KEY = 2_000
"""Characters of a lore entry's key, which may be a regular expression."""
MAX_GREETINGS = 100
MAX_LEARNED = 500
MAX_MODEL = 200
MAX_TOKENS = 8_192
"""Most tokens of a persona's replies."""
MAX_LISTED = 200
"""Most anchors, concepts, personas; keywords or bases of one persona, predicates of one concept."""
OPTIONAL = ("model", "temperature", "top_p", "max_tokens")
"""Keys of a persona's row that it has only where its author filled them in."""
SHOWN = 40
"""Characters of a text that a sentence quotes."""

Place = tuple[int | str, ...]
"""A place in a document: ("personas", 0, "name")."""

_SHEET = TypeAdapter(Sheet)
_PROBLEMS = {
    "missing": "it is missing.",
    "tuple": "it must be a list.",
    "string": "it must be text.",
    "unexpected": "it isn't a key of a sheet.",
    "int": "it must be a whole number.",
    "float": "it must be a number.",
    "bool": "it must be true or false.",
    "dict": "it must be a mapping.",
    "mapping": "it must be a mapping.",
    "dataclass": "it must be a mapping.",
}
"""Sentences on a value of the wrong type, by the first word of pydantic's kind of error."""

_FILLED, _LINE, _SLUG = r"\S", r"^[^\x01-\x1f\x7f\x85\u2028\u2029]*$", r"^[-A-Za-z0-9_]+$"
_ID, _PREDICATE = r"^\S+$", r"^[\p{Lu}\p{Lo}\p{N}_]+$"
_SHAPES = {
    _FILLED: "it is empty.",
    _LINE: "it contains a line break or another control character. Write it on one line.",
    _SLUG: "{shown} isn't a slug. Use a-z, 0-9, - and _ only, without spaces.",
    _ID: "{shown} isn't an id: it can't contain spaces.",
    _PREDICATE: "{shown} isn't a predicate. Use capitals, like HAS_FATHER.",
}
_UNFIT = {
    "string_too_long": "{length} characters; at most {max_length} are allowed.",
    "too_long": "there are {length:,}; at most {max_length:,} are allowed.",
    "greater_than": "{input} is too low: it must be above {gt}.",
    "greater_than_equal": "{input} is too low: it is at least {ge}.",
    "less_than_equal": "{input} is too high: it is at most {le}.",
}
"""Sentences on a value that can't be published, by pydantic's kind of error."""

Line = Annotated[str, Field(max_length=MAX_NAME, pattern=_LINE)]
Prose = Annotated[str, Field(max_length=MAX_IDENTITY)]
Id = Annotated[str, Field(max_length=MAX_ID, pattern=_ID)]
Question = Annotated[str, Field(max_length=MAX_QUESTION, pattern=_LINE)]
Questions = Annotated[tuple[Question, ...], Field(max_length=MAX_QUESTIONS)]
Keys = Annotated[tuple[Annotated[str, Field(max_length=MAX_KEY)], ...], Field(max_length=MAX_KEYS)]
Listed = Field(max_length=MAX_LISTED)


class _Published(BaseModel):
    """Limits of a published sheet; a draft may exceed them."""

    model_config = ConfigDict(from_attributes=True)


class _Fact(_Published):
    id: Id
    predicate: Annotated[str, Field(max_length=MAX_PREDICATE, pattern=_PREDICATE)]
    object: Annotated[str, Field(max_length=MAX_TEXT, pattern=_FILLED)]
    questions: Questions


class _Persona(_Published):
    slug: Annotated[str, Field(max_length=MAX_NAME, pattern=_SLUG)]
    name: Line
    instructions: Annotated[str, Field(max_length=MAX_TEXT)]
    bases: Annotated[tuple[Annotated[str, Field(max_length=MAX_ID, pattern=_SLUG)], ...], Listed]
    keywords: Annotated[tuple[Line, ...], Listed]
    model: Annotated[str, Field(max_length=MAX_MODEL, pattern=_LINE)]
    temperature: Annotated[float | None, Field(ge=0, le=2)]
    top_p: Annotated[float | None, Field(gt=0, le=1)]
    max_tokens: Annotated[int | None, Field(ge=1, le=MAX_TOKENS)]


class _Concept(_Published):
    name: Line
    predicates: Annotated[tuple[Annotated[str, Field(max_length=MAX_PREDICATE, pattern=_LINE)], ...], Listed]


class _LoreEntry(_Published):
    id: Id
    content: Prose
    name: Annotated[str, Field(max_length=MAX_LORE_NAME)]
    keys: Keys
    secondary_keys: Keys
    scan_depth: Annotated[int, Field(ge=0, le=1_000)]
    probability: Annotated[float, Field(ge=0, le=100)]
    token_budget: Annotated[int, Field(ge=0)]


class _Ambient(_Published):
    depth: Annotated[int, Field(ge=1, le=2)]
    max_nodes: Annotated[int, Field(ge=1, le=40)]
    tokens: Annotated[int, Field(ge=20, le=1_000)]
    threshold: Annotated[float, Field(ge=0, le=1)]
    families: dict[str, Annotated[float, Field(ge=0, le=3)]]


class _Settings(_Published):
    ambient: _Ambient
    questions: Questions
    most_learned: Annotated[int, Field(ge=0, le=MAX_LEARNED)]


class _Sheet(_Published):
    name: Line
    identity: Annotated[str, Field(max_length=MAX_IDENTITY, pattern=_FILLED)]
    facts: Annotated[tuple[_Fact, ...], Field(max_length=MAX_FACTS)]
    personas: Annotated[tuple[_Persona, ...], Listed]
    anchors: Annotated[tuple[Line, ...], Listed]
    concepts: Annotated[tuple[_Concept, ...], Listed]
    settings: _Settings
    nickname: Line
    system_prompt: Prose
    post_history_instructions: Prose
    example_messages: Prose
    greetings: Annotated[tuple[Prose, ...], Field(max_length=MAX_GREETINGS)]
    lore: Annotated[tuple[_LoreEntry, ...], Field(max_length=MAX_LORE)]


_NAMED: dict[str, Callable[[Any], str]] = {
    "facts": lambda fact: f"fact {fact.predicate[:MAX_ID]} {shown(fact.object)}",
    "personas": lambda persona: f"persona {shown(persona.slug)}",
    "concepts": lambda concept: f"concept {shown(concept.name)}",
    "lore": lambda entry: f"lore {shown(entry.id)}",
}
"""How a sentence names a row of these lists."""


class SheetError(Refused):
    """A sheet that is refused. `problems` are sentences, each naming its place."""

    def __init__(self, problems: list[str], *, status: int = 0) -> None:
        super().__init__(" ".join(problems), status=status)
        self.problems = problems


def load(document: dict[str, Any], named: Callable[[Place], str] = lambda place: ".".join(map(str, place))) -> Sheet:
    """Return the sheet of a document. Raises `SheetError`; `named` puts a place into words."""
    try:
        return _SHEET.validate_python(document, extra="forbid")
    except ValidationError as error:
        kinds = ((fault["loc"], fault["type"].partition("_")[0], fault["msg"]) for fault in error.errors())
        raise SheetError([f"{named(place)}: {_PROBLEMS.get(kind, text)}" for place, kind, text in kinds]) from error


def empty(name: str) -> dict[str, Any]:
    """Return the document of an empty sheet."""
    return dump(Sheet(name, ""))


def dump(sheet: Sheet) -> dict[str, Any]:
    """Return the document to store."""
    document: dict[str, Any] = _SHEET.dump_python(sheet, mode="json")
    return document | {"personas": [without_empty(row) for row in document["personas"]]}


def fact_row(fact: Fact) -> dict[str, Any]:
    """Return a fact as a document row."""
    return {**asdict(fact), "questions": list(fact.questions)}


def persona_row(persona: Persona) -> dict[str, Any]:
    """Return a persona as a document row."""
    row: dict[str, Any] = dump(Sheet("", "", personas=(persona,)))["personas"][0]
    return row


def without_empty(row: dict[str, Any]) -> dict[str, Any]:
    """Return a persona's row without the `OPTIONAL` keys that are empty."""
    return {key: value for key, value in row.items() if key not in OPTIONAL or value not in {"", None}}


def check(sheet: Sheet) -> None:
    """Raise `SheetError` with every problem of a sheet that is about to be published."""
    if listed := problems(sheet):
        raise SheetError(listed)


def problems(sheet: Sheet) -> list[str]:
    """Return why a sheet can't be published: a sentence each, with its place."""
    listed = [
        *_unfit(sheet),
        *_twice("fact id", (fact.id for fact in sheet.facts)),
        *_twice("fact", (f"{fact.predicate} {fact.object}" for fact in sheet.facts)),
        *_twice("persona", (persona.slug for persona in sheet.personas)),
        *_twice("concept", (concept.name for concept in sheet.concepts)),
        *_twice("lore", (entry.id for entry in sheet.lore)),
    ]
    if not is_visible(sheet.name):
        listed.append("name: it is empty. Write the character's name.")
    if unknown := set(sheet.settings.stages_off).difference(OPTIONAL_STAGES):
        listed.append(f"settings.stages_off: {', '.join(sorted(unknown))} can't be switched off.")
    if sum(persona.default for persona in sheet.personas) > 1:
        listed.append("personas: only one can be the default.")
    return listed


def _unfit(sheet: Sheet) -> Iterable[str]:
    try:
        _Sheet.model_validate(sheet)
    except ValidationError as error:
        for fault in error.errors():
            yield f"{_place(sheet, fault['loc'])}: {_sentence(fault)}"


def _place(sheet: Sheet, keys: Place) -> str:
    """Return a place in words: "fact LIKES “rain”, questions, number 2"."""
    match keys:
        case (str(part), int(row), *rest) if part in _NAMED:
            words = [_NAMED[part](getattr(sheet, part)[row]), *rest]
        case _:
            words = [*keys]
    return ", ".join(f"number {word + 1}" if isinstance(word, int) else word for word in words)


def _sentence(error: ErrorDetails) -> str:
    context, value = error.get("ctx", {}), error["input"]
    template = _SHAPES.get(context.get("pattern", "")) or _UNFIT.get(error["type"], error["msg"])
    length = len(value) if isinstance(value, Sized) else 0
    return template.format(shown=shown(str(value)), input=value, length=length, **context)


def refuse_too_many(facts: Sized) -> None:
    """Raise `SheetError` if there are more facts than any sheet, finished or not, may have."""
    if len(facts) > MAX_FACTS:
        raise SheetError([f"facts: there are {len(facts):,}; at most {MAX_FACTS:,} are allowed."])


def strings(value: Any, keys: Place = ()) -> Iterator[tuple[Place, str]]:
    """Yield every text in a document, with its place."""
    if isinstance(value, str):
        yield keys, value
        return
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, inner in items:
        yield from strings(inner, (*keys, key))


def unstorable(value: Any) -> str:
    """Return why this value can't be stored, as a sentence; empty if it can."""
    if isinstance(value, str):
        return "" if is_storable(value) else "it contains a null byte or half of a character, which can't be stored."
    if isinstance(value, float):
        return "" if math.isfinite(value) else "it contains an infinite number, which can't be stored."
    inner = [*value.keys(), *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((problem for each in inner if (problem := unstorable(each))), "")


def is_storable(text: str) -> bool:
    """Return whether every engine can store `text`: no null byte, no lone surrogate."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)


def is_visible(text: str) -> bool:
    """Return whether any of the text is visible."""
    return bool(unseen.without(text).strip())


def shown(text: str) -> str:
    """Return the text as a sentence quotes it."""
    line = " ".join(text.split())
    return f"“{line[:SHOWN]}…”" if len(line) > SHOWN else f"“{line}”"


def _twice(what: str, names: Iterable[str]) -> Iterable[str]:
    return (f"{what} {shown(name)} stands there {count} times." for name, count in Counter(names).items() if count > 1)


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact with its family, and its sentence in a prompt."""

    fact: Fact
    family: str
    sentence: str


def fact_rows(sheet: Sheet, registry: Mapping[str, Predicate]) -> list[FactRow]:
    """Return the facts of a sheet in order; unregistered predicates have the family "other"."""
    rows = []
    for fact in sheet.facts:
        predicate = registry.get(fact.predicate)
        rows.append(FactRow(fact, predicate.family if predicate else "other", sentence(fact, predicate)))
    return rows
