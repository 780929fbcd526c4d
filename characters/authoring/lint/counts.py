"""Numbers that disagree: how many of something, how old, when somebody was born. What may happen again has no one year.

What is told here has a button that deletes, so only what can't both be true is told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from characters.authoring.lint.findings import Finding
from characters.authoring.lint.opposites import Registry, contradiction
from characters.domain import words
from characters.domain.facts import sentence
from characters.domain.sheet import Fact, Predicate
from characters.language.contradictions import denies, in_digits, numbers, subjects
from characters.language.suggestions.vocabulary import KIN, PETS

SERIES = 3
"""Sentences that differ in a number only, above which they tell a series."""

_HAVING = re.compile(r"\bI(?: have|'ve|’ve|(?: have|'ve|’ve) got| own) (?:(?:exactly|only|just) )?(\d+)\b")
_BEING = re.compile(r"\b(?:has|am|is|are|weighs?) (?:(?:exactly|only|just) )?(\d[\d.,]*\d|\d)\b")
_AGED = re.compile(r", (\d{1,3})(?=[,.]|$)")
_ONCE = re.compile(
    r"\b(?:was|were) (?:born|founded|established)\b|\bbirth(?:day|date)?\b|\bfounded (?!an? )|\bdied\b", re.IGNORECASE
)
"""What happens once, so that it has one date."""
_AGAIN = re.compile(r"\btimes?\b|%|\bpercent\b", re.IGNORECASE)
_ONE_OF_SEVERAL = frozenset(KIN) - {"father", "dad", "mother", "mom", "mum"} | PETS | {"friend", "pet", "child"}


def age(text: str) -> int | None:
    """ "26", "twenty-six years old" -> 26."""
    match = re.fullmatch(r"(\d{1,3})(?: years?(?: old)?)?", in_digits(text.strip()))
    return int(match[1]) if match else None


def other_numbers(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """Sentences of the same words that count the same things differently, or give another date of what is once."""
    by_words: dict[frozenset[str], list[_Counted]] = {}
    for counted in (_counted(fact, registry) for fact in facts):
        if counted.values and counted.stems:
            by_words.setdefault(counted.stems, []).append(counted)
    for group in by_words.values():
        if len(group) > SERIES:
            continue
        for first, other in combinations(group, 2):
            if first.values != other.values and denies(first.text) == denies(other.text):
                message = f"The numbers of “{first.text}” and “{other.text}” disagree."
                yield contradiction(message, [first.fact, other.fact])


@dataclass(frozen=True, slots=True)
class _Counted:
    """A fact with the numbers of which there can be one set, by the stems that say of what."""

    fact: Fact
    text: str
    stems: frozenset[str]
    values: tuple[str, ...]


def _counted(fact: Fact, registry: Registry) -> _Counted:
    predicate = registry.get(fact.predicate)
    text = sentence(fact, predicate)
    plain = in_digits(text)
    stems = subjects(plain)
    return _Counted(fact, text, stems, _values(plain, predicate) if _is_of_one(plain) else ())


def _values(plain: str, predicate: Predicate | None) -> tuple[str, ...]:
    """Those that can't be others as well; where the sentence has further ones, it says more than can be told here."""
    values = numbers(plain)
    if _ONCE.search(plain):
        return tuple(values)
    of_people = predicate is not None and (predicate.family in {"family", "friends"} or predicate.name == "HAS_PET")
    counting = _HAVING.search(plain) or _BEING.search(plain) or (_AGED.search(plain) if of_people else None)
    return tuple(values) if counting and len(values) == 1 and not _AGAIN.search(plain) else ()


def _is_of_one(plain: str) -> bool:
    """Whether it isn't about one of several: "My brother was born in 1990" may be another brother, unless named."""
    if not plain.startswith("My "):
        return True
    tokens = plain.split()
    several = not _ONE_OF_SEVERAL.isdisjoint(words.tokens(" ".join(tokens[1:4])))
    return not several or any(word[:1].isupper() for word in tokens[2:])
