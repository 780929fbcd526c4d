"""Read labels of character cards: "Age: 26", `Likes("coffee" + "cats")`, "[Species: elf; Age: 412]"."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from characters.domain.lexicon import read_blocks
from characters.language.suggestions.objects import PredicateAndObject, mine

MAX_LENGTH = 120
MAX_ITEMS = 20


@dataclass(frozen=True, slots=True)
class Label:
    """The predicate of a label, and whether its value is a list."""

    predicate: str
    many: bool = False


LABELS = {
    name: Label(heading.removesuffix(" | many"), heading.endswith(" | many"))
    for heading, names in read_blocks(Path(__file__).with_name("labels.txt"))
    for name in names
}
OF_BODY = ("eyes", "hair", "skin")
PROSE = frozenset("description background backstory history bio biography summary about story overview".split())
"""Labels that are followed by sentences."""

_CALL = re.compile(r"(?P<name>[A-Za-z][\w /-]{1,30}?)\s*\(\s*(?P<value>(?:\"[^\"]*\"\s*[+,]?\s*)+)\)")
_LINE = re.compile(r"(?P<name>[A-Za-z{][\w '/{}-]{1,30}?)\s*[:=]\s*(?P<value>\S.*)", re.DOTALL)
_PARTS = re.compile(r"\s*[;|]\s*(?=[A-Za-z][\w ]{1,24}?\s*:)")
_ITEMS = re.compile(r"\s*[,;+]\s*(?:and\s+)?|\s+(?:and|&)\s+")
_NOTHING = re.compile(
    r"""\W*|(?:n/?a|none|unknown|tbd|tba|todo|various|varies|any|undefined|null|unspecified|not\ specified|classified
    |yes|no|see\ \w+|optional|depends?)\b.*""",
    re.IGNORECASE | re.VERBOSE,
)
_PLACEHOLDER = re.compile(r"\{\{|\[[^\]]*\]?|<[^>]*>?|\.\.\.|___|\x01|\b(?:insert|user's choice)\b")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label and its value, with their span. `items` are the quoted arguments of a call."""

    name: str
    value: str
    start: int
    end: int
    items: tuple[str, ...] = ()


def labelled(line: str) -> list[Labelled]:
    """Return the labels of a line with their values; empty for prose."""
    calls = [
        Labelled(_plain(call["name"]), call["value"], *call.span(), tuple(re.findall(r'"([^"]*)"', call["value"])))
        for call in _CALL.finditer(line)
    ]
    if calls:
        return calls
    bracket = re.match(r"\s*\[?\s*", line)
    at = bracket.end() if bracket else 0
    body = line[at:].rstrip().removesuffix("]") if "[" in line[:at] else line[at:].rstrip()
    pairs_found = []
    for start, end in _spans(body):
        pair = _LINE.fullmatch(body[start:end])
        if pair is None or len(pair["name"].split()) > 3:
            return []
        pairs_found.append(Labelled(_plain(pair["name"]), pair["value"], at + start, at + end))
    return pairs_found


def _spans(body: str) -> Iterator[tuple[int, int]]:
    start = 0
    for cut in _PARTS.finditer(body):
        yield start, cut.start()
        start = cut.end()
    yield start, len(body)


def _plain(name: str) -> str:
    return " ".join(name.lower().split())


def statements(labelled_value: Labelled, registered: Collection[str]) -> Iterator[PredicateAndObject]:
    """Yield what the label says, by the table or by a registered predicate of its name."""
    label = LABELS.get(labelled_value.name) or _registered(labelled_value.name, registered)
    if labelled_value.name in OF_BODY:
        first = labelled_value.items[0] if labelled_value.items else _ITEMS.split(labelled_value.value)[0]
        if value := _sound(first):
            yield "LOOKS_LIKE", value if labelled_value.name in value.lower() else f"{value} {labelled_value.name}"
    elif label is not None:
        items = labelled_value.items or (
            _ITEMS.split(labelled_value.value.rstrip(" .")) if label.many else [labelled_value.value]
        )
        for item in items[:MAX_ITEMS]:
            if value := _sound(item):
                yield label.predicate, value


def _registered(name: str, registered: Collection[str]) -> Label | None:
    capitals = re.sub(r"\W+", "_", name.replace("favourite", "favorite")).upper()
    for predicate in (capitals, f"HAS_{capitals}"):
        if predicate in registered and predicate not in {"NOTE", "HAS_NAME"}:
            return Label(predicate)
    return None


def _sound(value: str) -> str:
    value = " ".join(value.split()).strip(" ,;\"'“”").rstrip(".")
    if len(value) > MAX_LENGTH or _NOTHING.fullmatch(value) or _PLACEHOLDER.search(value):
        return ""
    return mine(value)
