"""Card styles: "Age: 26", `Likes("coffee" + "cats")`, "[Species: elf; Age: 412]"."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from characters.language.suggestions.objects import Said, mine

MAX_LENGTH = 120
MAX_ITEMS = 20


@dataclass(frozen=True, slots=True)
class Label:
    """What a label says: its predicate, and whether its value is a list."""

    predicate: str
    many: bool = False


def _labels(predicate: str, names: str, *, many: bool = False) -> dict[str, Label]:
    return dict.fromkeys(names.split("|"), Label(predicate, many))


LABELS = {
    **_labels("HAS_AGE", "age"),
    **_labels("HAS_JOB", "occupation|job|profession|work|career"),
    **_labels("IS_A", "species|race|class"),
    **_labels("LIKES", "likes|like|loves|turn-ons", many=True),
    **_labels("DISLIKES", "dislikes|dislike", many=True),
    **_labels("HATES", "hates|pet peeves", many=True),
    **_labels("ENJOYS", "enjoys", many=True),
    **_labels("HAS_HOBBY", "hobbies|hobby|pastimes", many=True),
    **_labels("INTERESTED_IN", "interests", many=True),
    **_labels("HAS_TRAIT", "personality|traits|personality traits|character traits|mind|nature", many=True),
    **_labels("HAS_HABIT", "habits|habit|quirks|quirk", many=True),
    **_labels("SPEAKS", "languages|language|speaks|languages spoken", many=True),
    **_labels("COMES_FROM", "hometown|home town|origin|from"),
    **_labels("GREW_UP_IN", "grew up in|raised in"),
    **_labels("BORN_IN", "birthplace|place of birth|born in"),
    **_labels("BIRTHDAY", "birthday|date of birth|birth date|born"),
    **_labels("LIVES_IN", "residence|lives in|home|location|address"),
    **_labels("HAS_NATIONALITY", "nationality"),
    **_labels("HAS_HERITAGE", "ethnicity|heritage"),
    **_labels("HAS_RELIGION", "religion|faith"),
    **_labels("HAS_PRONOUNS", "pronouns"),
    **_labels("HAS_NICKNAME", "nickname|nicknames|alias|aliases|also known as|aka", many=True),
    **_labels("LOOKS_LIKE", "appearance|looks|features|distinguishing features", many=True),
    **_labels("HAS_FEAR", "fears|fear|phobias|afraid of", many=True),
    **_labels("HAS_GOAL", "goal|goals|motivation"),
    **_labels("HAS_DREAM", "dream|ambition"),
    **_labels("HAS_SECRET", "secret"),
    **_labels("HAS_SKILL", "skills|abilities|talents|strengths|skill", many=True),
    **_labels("HAS_ALLERGY", "allergies|allergy|allergic to", many=True),
    **_labels("HAS_DIET", "diet"),
    **_labels("HAS_MOTTO", "motto"),
    **_labels("HAS_PET", "pet|pets", many=True),
    **_labels("HAS_RIVAL", "rival|rivals", many=True),
    **_labels("HAS_FRIEND", "friends", many=True),
    **_labels("OWNS", "weapon|equipment|possessions", many=True),
    **_labels("COLLECTS", "collects", many=True),
    **_labels("MARRIED_TO", "spouse|married to"),
}
OF_BODY = ("eyes", "hair", "skin")
PROSE = frozenset("description background backstory history bio biography summary about story overview".split())
"""Labels behind which sentences stand."""

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
    """A label and its value, and where both stand. `items` are those of a call with quoted arguments."""

    name: str
    value: str
    start: int
    end: int
    items: tuple[str, ...] = ()


def labelled(line: str) -> list[Labelled]:
    """The labels of a line with their values; empty for prose."""
    calls = [
        Labelled(_plain(call["name"]), call["value"], *call.span(), tuple(re.findall(r'"([^"]*)"', call["value"])))
        for call in _CALL.finditer(line)
    ]
    if calls:
        return calls
    opened = re.match(r"\s*\[?\s*", line)
    at = opened.end() if opened else 0
    body = line[at:].rstrip().removesuffix("]") if "[" in line[:at] else line[at:].rstrip()
    found = []
    for start, end in _spans(body):
        pair = _LINE.fullmatch(body[start:end])
        if pair is None or len(pair["name"].split()) > 3:
            return []
        found.append(Labelled(_plain(pair["name"]), pair["value"], at + start, at + end))
    return found


def _spans(body: str) -> Iterator[tuple[int, int]]:
    start = 0
    for cut in _PARTS.finditer(body):
        yield start, cut.start()
        start = cut.end()
    yield start, len(body)


def _plain(name: str) -> str:
    return " ".join(name.lower().split())


def statements(said: Labelled, registered: Collection[str]) -> Iterator[Said]:
    """What the label says, by the table or by a predicate of that name."""
    label = LABELS.get(said.name) or _registered(said.name, registered)
    if said.name in OF_BODY:
        first = said.items[0] if said.items else _ITEMS.split(said.value)[0]
        if value := _sound(first):
            yield "LOOKS_LIKE", value if said.name in value.lower() else f"{value} {said.name}"
    elif label is not None:
        items = said.items or (_ITEMS.split(said.value.rstrip(" .")) if label.many else [said.value])
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
