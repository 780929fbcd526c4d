"""Numbers that disagree: how many of something, how old, when somebody was born. What may happen again has no one year.

What is told here has a button that deletes, so only what can't both be true is told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from characters.authoring.lint.findings import Finding
from characters.authoring.lint.opposites import Registry, contradiction, denies, subjects
from characters.domain import words
from characters.domain.facts import sentence
from characters.domain.sheet import Fact, Predicate
from characters.language.suggestions.vocabulary import KIN, PETS

SERIES = 3
"""Sentences that differ in a number only, above which they tell a series."""

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {
    **{word: value for value, word in enumerate([*_ONES, *_TEENS], start=1)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
}
_NUMBER_WORD = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:-(?P<ones>{'|'.join(_ONES)}))?|(?P<word>{'|'.join([*_TEENS, *_ONES])}))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_HAVING = re.compile(r"\bI(?: have|'ve|’ve|(?: have|'ve|’ve) got| own) (?:(?:exactly|only|just) )?(\d+)\b")
_BEING = re.compile(r"\b(?:has|am|is|are|weighs?) (?:(?:exactly|only|just) )?(\d[\d.,]*\d|\d)\b")
_AGED = re.compile(r", (\d{1,3})(?=[,.]|$)")
_ONCE = re.compile(
    r"\b(?:was|were) (?:born|founded|established)\b|\bbirth(?:day|date)?\b|\bfounded (?!an? )|\bdied\b", re.IGNORECASE
)
"""What happens once, so that it has one date."""
_AGAIN = re.compile(r"\btimes?\b|%|\bpercent\b", re.IGNORECASE)
_ONE_OF_SEVERAL = frozenset(KIN) - {"father", "dad", "mother", "mom", "mum"} | PETS | {"friend", "pet", "child"}


def in_digits(said: str) -> str:
    """ "I have two sisters" -> "I have 2 sisters"."""
    return _NUMBER_WORD.sub(lambda found: str(_value(found)), said)


def _value(found: re.Match[str]) -> int:
    parts = (found["tens"], found["ones"], found["word"])
    return sum(_VALUES[part.lower()] for part in parts if part)


def age(text: str) -> int | None:
    """ "26", "twenty-six years old" -> 26."""
    found = re.fullmatch(r"(\d{1,3})(?: years?(?: old)?)?", in_digits(text.strip()))
    return int(found[1]) if found else None


def numbers(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """Sentences of the same words that count the same things differently, or give another date of what is once."""
    by_words: dict[frozenset[str], list[_Counted]] = {}
    for each in (_counted(fact, registry) for fact in facts):
        if each.values and each.stems:
            by_words.setdefault(each.stems, []).append(each)
    for group in by_words.values():
        if len(group) > SERIES:
            continue
        for one, other in combinations(group, 2):
            if one.values != other.values and denies(one.said) == denies(other.said):
                said = f"The numbers of “{one.said}” and “{other.said}” disagree."
                yield contradiction(said, [one.fact, other.fact])


@dataclass(frozen=True, slots=True)
class _Counted:
    """A fact with the numbers of which there can be one set, by the stems that say of what."""

    fact: Fact
    said: str
    stems: frozenset[str]
    values: tuple[str, ...]


def _counted(fact: Fact, registry: Registry) -> _Counted:
    predicate = registry.get(fact.predicate)
    said = sentence(fact, predicate)
    plain = in_digits(said)
    stems = subjects(plain)
    return _Counted(fact, said, stems, _values(plain, predicate) if _is_of_one(plain) else ())


def _values(plain: str, predicate: Predicate | None) -> tuple[str, ...]:
    """Those that can't be others as well; where the sentence has further ones, it says more than can be told here."""
    found = [each.replace(",", "") for each in _NUMBER.findall(plain)]
    if _ONCE.search(plain):
        return tuple(found)
    of_people = predicate is not None and (predicate.family in {"family", "friends"} or predicate.name == "HAS_PET")
    counting = _HAVING.search(plain) or _BEING.search(plain) or (_AGED.search(plain) if of_people else None)
    return tuple(found) if counting and len(found) == 1 and not _AGAIN.search(plain) else ()


def _is_of_one(plain: str) -> bool:
    """Whether it isn't about one of several: "My brother was born in 1990" may be another brother, unless named."""
    if not plain.startswith("My "):
        return True
    tokens = plain.split()
    several = not _ONE_OF_SEVERAL.isdisjoint(words.tokens(" ".join(tokens[1:4])))
    return not several or any(word[:1].isupper() for word in tokens[2:])
