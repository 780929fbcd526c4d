"""The entities that a character's own facts name: names in an object, its head, and her kin ("your father")."""

import re
from collections.abc import Iterable, Iterator

from characters.domain import dates, words
from characters.domain.entities import Entity
from characters.domain.people import KIN
from characters.domain.sheet import Fact

MAX_WORDS = 4
_HEAD_ENDS = re.compile(r"[,;:(]| (?:who|which|that|when|where|with|and|but|of|from|in|at|on|for|to)\b")
_DETERMINER = re.compile(r"^(?:an?|the|my|our|old|some)\s+", re.IGNORECASE)
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*")


def entities(facts: Iterable[Fact], character: str) -> tuple[Entity, ...]:
    """One entity per fact that names something: its id is the fact's id in the graph ("character:3/fact:ID")."""
    return tuple(
        Entity(f"{character}/fact:{fact.id}", names[0], "topic", tuple(names[1:]))
        for fact in facts
        if (names := list(dict.fromkeys(_names(fact))))
    )


def _names(fact: Fact) -> Iterator[str]:
    head = _DETERMINER.sub("", _HEAD_ENDS.split(fact.object, maxsplit=1)[0].strip())
    if head and len(head.split()) <= MAX_WORDS and _says_something(head):
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
