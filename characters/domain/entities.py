"""Which known entities does a text name, and which does a character's own fact? Lookups, without a model.

Names are compared folded (case, accents), at word borders, the longest first; a possessive and a plural are the same
name. A name that is also a common word ("Will", "Sunny") must stand in the text with its capital.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ahocorasick_rs import AhoCorasick, MatchKind

from characters.domain import dates, lexicon, words
from characters.domain.people import KIN, EntityKind
from characters.domain.sheet import Fact

MAX_FOUND = 5
MIN_LENGTH = 2
_NAMED: frozenset[EntityKind] = frozenset({"person", "pet", "place", "organisation"})
_APOSTROPHES = "'’"
MAX_HEAD = 4
"""Words of a fact's object that are a name of it."""
_HEAD_ENDS = re.compile(r"[,;:(]| (?:who|which|that|when|where|with|and|but|of|from|in|at|on|for|to)\b")
_DETERMINER = re.compile(r"^(?:an?|the|my|our|old|some)\s+", re.IGNORECASE)
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*")


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as a turn knows it; `aliases` are further names."""

    id: str
    name: str
    kind: EntityKind = "thing"
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """A known entity that the text names, from `start` to `end`; several entities may have one name."""

    entities: tuple[str, ...]
    text: str
    start: int
    end: int


class EntityMatcher:
    """Finds entities by all their names at once. Building takes about 1 ms per 1,000 names."""

    def __init__(self, entities: tuple[Entity, ...] = ()) -> None:
        self.entities = entities
        owners: dict[str, dict[str, None]] = {}
        self._proper: set[str] = set()
        """Names that count only with a capital."""
        for entity in entities:
            is_name = entity.kind in _NAMED
            for name in (form for text in (entity.name, *entity.aliases) for form in _forms(fold(text))):
                if name in words.STOP and not is_name:
                    continue
                owners.setdefault(name, {})[entity.id] = None
                if is_name and words.is_common(name):
                    self._proper.add(name)
        self._names = tuple(owners)
        self._owners = [tuple(ids) for ids in owners.values()]
        self._automaton = AhoCorasick(self._names, matchkind=MatchKind.Standard)

    def find(self, text: str, limit: int = MAX_FOUND) -> tuple[NamedEntity, ...]:
        """The entities that `text` names, in its order, each once; of overlapping names the longest."""
        if not self._names:
            return ()
        folded, places = _folded(text)
        borders = [
            (start, end, index)
            for index, start, end in self._automaton.find_matches_as_indexes(folded, overlapping=True)
            if _is_bounded(folded, start, end)
        ]
        matches: list[NamedEntity] = []
        named: set[tuple[str, ...]] = set()
        for start, end, index in _longest(borders):
            first, last = places[start], places[end - 1] + 1
            owners = self._owners[index]
            if owners in named or not self._is_meant(self._names[index], text, first):
                continue
            named.add(owners)
            matches.append(NamedEntity(owners, text[first:last], first, last))
        return tuple(matches[:limit])

    def _is_meant(self, name: str, text: str, start: int) -> bool:
        """A common word names somebody only where it stands with a capital, and not because a sentence begins."""
        if name not in self._proper:
            return True
        begins = not text[:start].rstrip() or text[:start].rstrip()[-1] in ".!?\n"
        is_possessive = text[start + len(name) : start + len(name) + 2].lower() in {"'s", "’s"}
        return text[start].isupper() and (not begins or is_possessive)


def key(text: str) -> str:
    """Under which key an owner's entities are the same: folded, white space as one blank, no article in front."""
    folded = " ".join(fold(text).split())
    for article in ("the ", "a ", "an "):
        if folded.startswith(article) and len(folded) > len(article):
            return folded[len(article) :]
    return folded


def fold(text: str) -> str:
    """Without case and accents."""
    return _folded(text)[0]


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    plain = unicodedata.normalize("NFKD", character.casefold())
    return "".join(each for each in plain if not unicodedata.combining(each)).replace("’", "'")


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """The text folded, and for each of its characters the place in `text` that it comes from."""
    if text.isascii():
        return text.lower(), range(len(text))
    folded: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        plain = _fold_character(character)
        folded.append(plain)
        places.extend([place] * len(plain))
    return "".join(folded), places


def _forms(name: str) -> Iterable[str]:
    """A folded name, its plural and its singular; nothing for what is too short."""
    name = " ".join(name.split())
    if len(name) < MIN_LENGTH or not any(each.isalnum() for each in name):
        return ()
    last = name.rpartition(" ")[2]
    forms = {name}
    if last.isalpha():
        forms.add(_plural(name))
        if last.endswith("s") and len(last) > 4 and not last.endswith(("ss", "us", "is")):
            forms.add(lexicon.singular(name))
    return sorted(forms)


def _plural(name: str) -> str:
    if name.endswith("y") and len(name) > 2 and name[-2] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(("s", "x", "z", "ch", "sh")) else f"{name}s"


def _is_bounded(text: str, start: int, end: int) -> bool:
    """Whether no word goes on at either end; "Luna's" is Luna, and "o'Luna" isn't."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "_-" or _is_inside(text, start - 1)):
        return False
    if end == len(text):
        return True
    if text[end] in _APOSTROPHES:
        rest = text[end + 1 : end + 3]
        return not rest[:1].isalnum() or (rest[:1] == "s" and not rest[1:2].isalnum())
    return not (text[end].isalnum() or text[end] == "_" or (text[end] == "-" and text[end + 1 : end + 2].isalnum()))


def _is_inside(text: str, place: int) -> bool:
    """Whether this is an apostrophe between two letters."""
    return text[place] in _APOSTROPHES and place > 0 and text[place - 1].isalnum()


def _longest(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Those that don't overlap, in the text's order; of two that do the longer, then the earlier one."""
    chosen: list[tuple[int, int, int]] = []
    for span in sorted(spans, key=lambda each: (each[0] - each[1], each[0], each[2])):
        if all(span[1] <= other[0] or span[0] >= other[1] for other in chosen):
            chosen.append(span)
    return sorted(chosen)


def of_facts(facts: Iterable[Fact], character: str) -> tuple[Entity, ...]:
    """One entity per fact that names something: by its object's head, names in it, and kin ("your father").

    Its id is the fact's id in the graph ("character:3/fact:ID").
    """
    return tuple(
        Entity(f"{character}/fact:{fact.id}", names[0], "topic", tuple(names[1:]))
        for fact in facts
        if (names := list(dict.fromkeys(_names(fact))))
    )


def _names(fact: Fact) -> Iterator[str]:
    head = _DETERMINER.sub("", _HEAD_ENDS.split(fact.object, maxsplit=1)[0].strip())
    if head and len(head.split()) <= MAX_HEAD and _says_something(head):
        yield head
    for match in _NAME.finditer(fact.object):
        name = match.group()
        if match.start() and not words.is_common(name.lower()) and name.lower() not in dates.TIME_WORDS:
            yield name
    kin = KIN.get(fact.predicate.removeprefix("HAS_"), ()) if fact.predicate.startswith("HAS_") else ()
    for word in kin:
        yield f"your {word}"


def _says_something(text: str) -> bool:
    """Whether any of its words is rarer than the most common ones: "fish tacos", but not "people"."""
    tokens = words.tokens(text)
    return any(not words.is_common(word) for word in tokens) or len([w for w in tokens if w not in words.STOP]) > 1
