"""The table of verbs (rules.txt): the predicate of each, and the reader of its object. The first match decides."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from characters.domain import lexicon
from characters.language.suggestions.nouns import CLASS_ENDS, being, having, studied
from characters.language.suggestions.objects import (
    Read,
    all_or_none,
    clause,
    is_language,
    is_played,
    is_trait,
    items,
    phrase_of,
)

BE = r"(?:am|are|is|'m|'re|'s)"
_ADVERBS = (
    r"(?:(?:still|also|now|secretly|currently|originally|really|truly|deeply|genuinely|absolutely|quietly|fiercely|both"
    r"|only|an? avid|mostly|particularly|especially|clearly|simply|openly|privately)\s+)*"
)
_DETERMINED = r"(?:an?|the|my|your|his|her|our|their|some|two|three|four|five|several|many|\d+)\s"
_PLACE = rf"{_DETERMINED}|[A-Z]"
_PLACE_ENDS = (
    r"\s+(?:and|with|alongside|together)\s|\s+(?:in|at) (?=\d)|\s+(?:on|in) (?:my|your|his|her) own|\s+alone\b"
    r"|\s+(?:for|to)\s"
)
_SECTIONS = {"NATIONS": "nationalities", "DIETS": "habits of eating", "CONDITIONS": "lasting conditions"}
_place = partial(phrase_of, behind=_PLACE_ENDS, needs=_PLACE)
_READERS: Mapping[str, Callable[[str], Read]] = {
    "items": items,
    "phrase": phrase_of,
    "clause": clause,
    "place": _place,
    "dwelling": partial(_place, without=lexicon.entries("not lived in")),
    "named place": partial(phrase_of, behind=_PLACE_ENDS, needs=r"(?:the )?[A-Z]"),
    "name": partial(phrase_of, needs=_PLACE),
    "maker": partial(phrase_of, needs=_PLACE, behind=r"\s+(?:at|in|to|as|for)\s"),
    "nickname": partial(phrase_of, needs=r"(?:[Tt]he )?[A-Z]", behind=r"\s+(?:by|to|in|for)\s"),
    "occupation": partial(phrase_of, behind=CLASS_ENDS.pattern),
    "heirloom": partial(phrase_of, needs=_DETERMINED),
    "vehicle": partial(phrase_of, without=("crazy", "wall", "mad")),
    "age": partial(phrase_of, behind=r"\s+years?\b|\s+and\b"),
    "state": partial(phrase_of, behind=r"\s+and\b"),
    "languages": partial(items, only=is_language),
    "played": partial(items, only=is_played),
    "traits": partial(all_or_none, only=is_trait),
    "being": lambda _: being,
    "having": lambda _: having,
    "studied": lambda _: studied,
}
"""Readers of objects by their name in the table; each is made for a predicate."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A verb, matched right behind the subject of a clause, and the reader of what follows."""

    verb: re.Pattern[str]
    read: Read


def _rules() -> Iterator[Rule]:
    parts = {name: lexicon.alternatives(section) for name, section in _SECTIONS.items()}
    table = lexicon.read_patterns(Path(__file__).with_name("rules.txt"), BE=BE, DETERMINED=_DETERMINED, **parts)
    for (predicate, reader), pattern in table:
        verb = re.compile(rf"\s*{_ADVERBS}(?:{pattern})(?![\w'])", re.IGNORECASE)
        yield Rule(verb, _READERS[reader](predicate))


RULES = tuple(_rules())
