"""Find the known entities that a text or a character's fact names, by lookup and without a model.

Names are compared without case and accents, at word boundaries, the longest first; possessives and plurals count as
the same name. A name that is also a common word ("Will", "Sunny") must be capitalised in the text.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice

from ahocorasick_rs import AhoCorasick, MatchKind

from characters.domain import dates, grammar, lexicon, words
from characters.domain.people import KIN, EntityKind
from characters.domain.sheet import Fact

MAX_FOUND = 5
MIN_LENGTH = 2
SIMILAR, MOST_WORDS = 0.8, 50
"""Share of equal letters (`difflib`) from which a word is a misspelt name, one letter in five; words of a message that
are compared. The last two letters must be right: Mario isn't Maria.
"""
_DOUBLED = re.compile(r"(.)\1+")
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")
_NAMED: frozenset[EntityKind] = frozenset({"person", "pet", "place", "organisation"})
_APOSTROPHES = "'’"
MAX_HEAD = 4
"""Most words at the start of a fact's object that count as a name of the fact."""
_HEAD_ENDS = re.compile(r"[,;:(]| (?:who|which|that|when|where|with|and|but|of|from|in|at|on|for|to)\b")
_DETERMINER = re.compile(r"^(?:an?|the|my|our|old|some)\s+", re.IGNORECASE)
_GOES_ON = re.compile(r" and [A-ZÀ-Þ]")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*")


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity as a turn knows it; `aliases` are its other names."""

    id: str
    name: str
    kind: EntityKind = "thing"
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """A name in a text, from `start` to `end`, and the ids of all known entities that have it."""

    entities: tuple[str, ...]
    text: str
    start: int
    end: int


class EntityMatcher:
    """Finds entities by all of their names in one pass. Building it takes about 1 ms per 1,000 names."""

    def __init__(self, entities: tuple[Entity, ...] = ()) -> None:
        self.by_id = {entity.id: entity for entity in entities}
        owners: dict[str, dict[str, None]] = {}
        self._proper: set[str] = set()
        """Names that only count when capitalised."""
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

    def find(self, text: str, limit: int = MAX_FOUND, *, misspelt: bool = False) -> tuple[NamedEntity, ...]:
        """Return the entities that `text` names, in order and once each; the longest of overlapping names wins. With
        `misspelt`, a word that is in no list also stands for the name that it nearly is ("Reedis").
        """
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
        if misspelt:
            matches += [each for each in self._misspelt(text, matches) if each.entities not in named]
        return tuple(sorted(matches, key=lambda each: each.start)[:limit])

    def _misspelt(self, text: str, matches: Sequence[NamedEntity]) -> Iterator[NamedEntity]:
        for match in islice(_LONG_WORD.finditer(text), MOST_WORDS):
            word = fold(match.group())
            is_matched = any(each.start < match.end() and match.start() < each.end for each in matches)
            if is_matched or words.rarity(word) < words.UNKNOWN:
                continue
            names = [name for name in self._names if name[0] == word[0] and name[-2:] == word[-2:]]
            if near := get_close_matches(word, names, n=1, cutoff=SIMILAR):
                owners = self._owners[self._names.index(near[0])]
                is_person = any(self.by_id[id_].kind == "person" for id_ in owners)
                if not is_person or _is_slip(word, near[0]):
                    yield NamedEntity(owners, match.group(), *match.span())

    def _is_meant(self, name: str, text: str, start: int) -> bool:
        """Return False for a common word without a capital, or with one only because it begins a sentence: there a
        possessive or a verb behind it tells the name ("Biscuit ate my shoe").
        """
        if name not in self._proper:
            return True
        begins = not text[:start].rstrip() or text[:start].rstrip()[-1] in ".!?\n"
        rest = text[start + len(name) :]
        is_subject = rest.lower().startswith(("'s", "’s")) or _GOES_ON.match(rest) is not None
        behind = rest.split(maxsplit=1)[:1]
        is_subject |= bool(behind) and grammar.is_verb(behind[0], plural=name in words.STOP)
        return text[start].isupper() and (not begins or is_subject)


def _is_slip(word: str, name: str) -> bool:
    """Return whether a word is a name with letters doubled or swapped; Karsten isn't Kirsten, nor is Joanna Johanna."""
    return _DOUBLED.sub(r"\1", word) == _DOUBLED.sub(r"\1", name) or sorted(word) == sorted(name)


def key(text: str) -> str:
    """Return the key by which an owner's entities are the same: folded, single spaces, no leading article."""
    folded = " ".join(fold(text).split())
    for article in ("the ", "a ", "an "):
        if folded.startswith(article) and len(folded) > len(article):
            return folded[len(article) :]
    return folded


def fold(text: str) -> str:
    """Return `text` without case and accents."""
    return _folded(text)[0]


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    plain = unicodedata.normalize("NFKD", character.casefold())
    return "".join(each for each in plain if not unicodedata.combining(each)).replace("’", "'")


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """Return the folded text, and for each of its characters the index in `text` that it comes from."""
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
    """Return a folded name with its plural and singular; nothing if it is too short."""
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
    """Return whether the match ends at word boundaries: "Luna's" is Luna, "o'Luna" isn't."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "_-" or _is_inside(text, start - 1)):
        return False
    if end == len(text):
        return True
    if text[end] in _APOSTROPHES:
        rest = text[end + 1 : end + 3]
        return not rest[:1].isalnum() or (rest[:1] == "s" and not rest[1:2].isalnum())
    return not (text[end].isalnum() or text[end] == "_" or (text[end] == "-" and text[end + 1 : end + 2].isalnum()))


def _is_inside(text: str, place: int) -> bool:
    """Return whether there is an apostrophe at `place`, behind a letter or digit."""
    return text[place] in _APOSTROPHES and place > 0 and text[place - 1].isalnum()


def _longest(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Return non-overlapping spans, in text order; of two that overlap, keep the longer, then the earlier."""
    chosen: list[tuple[int, int, int]] = []
    for span in sorted(spans, key=lambda each: (each[0] - each[1], each[0], each[2])):
        if all(span[1] <= other[0] or span[0] >= other[1] for other in chosen):
            chosen.append(span)
    return sorted(chosen)


def of_facts(facts: Iterable[Fact], character: str) -> tuple[Entity, ...]:
    """Return an entity for each fact that names something: by its object's head, names in it, and kin ("your father").

    The entity's id is the fact's id in the graph ("character:3/fact:ID").
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
    """Return whether `text` has an uncommon word, or two that aren't stop words: "fish tacos", not "people"."""
    tokens = words.tokens(text)
    return any(not words.is_common(word) for word in tokens) or len([w for w in tokens if w not in words.STOP]) > 1
