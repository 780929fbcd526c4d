"""Write chat as the parser was taught to read: "im" as "I'm", "dont" as "don't", names in capitals; with offsets."""

import re
from dataclasses import dataclass

from characters.domain import lexicon
from characters.language.extraction import people
from characters.language.sentences import HIDDEN

_SHORT = {"i": "I", "w/": "with", "w": "with"} | dict(each.split(":") for each in lexicon.entries("spellings of chats"))
"""Spellings of chats."""
_SHORTENED = re.compile(
    rf"(?<![\w'])(?:w/(?=\s)|(?:{lexicon.one_of(frozenset(_SHORT))})(?![\w/]|\.\w|'[^mvld]))", re.IGNORECASE
)
_IS = re.compile(
    r"(?<=\w)(?<!\bit)(?<!\bthat)(?<!here)(?<!\bwhat)(?<!\bwho)(?<!\blet)'s(?="
    r"\s+(?:an?|the|\d+|called|named|from|at|in|into|really|so|just|now|not|always|allergic|also"
    rf"|still|very|{lexicon.one_of(lexicon.entries('diets'))}|\w+ing)\b)",
    re.IGNORECASE,
)
"""What stands for "is" behind a name or noun, which the parser takes for a possessive."""
_UNPAIRED = re.compile("[\ud800-\udfff]")
"""Halves of characters, which no encoder takes."""
_FILLER = re.compile(r"(?<=\w)\s+(?:btw|lol|lmao|haha+|tbh|ngl|imh?o)\b", re.IGNORECASE)
"""Words of chats that say nothing, and lead the parser astray."""
_KIN_IS = re.compile(
    rf"(?:\bmy |^\W*)(?:{lexicon.one_of(people.KIN_WORDS)})(s)"
    r"(?=\s+(?:an?|the|allergic|into|obsessed|from|called|named|\w+ing)\b)",
    re.IGNORECASE,
)
"""The same without its apostrophe: "my daughters obsessed with trains"."""
_WORD = re.compile(r"(?<![\w'-])[a-z]{3,}(?![\w'-])")


@dataclass(frozen=True, slots=True)
class Edited:
    """A sentence as it is parsed; `places[i]` is where its character i stands in what was written."""

    text: str
    places: list[int]


def edited(text: str) -> Edited:
    """Return a sentence in edited English. Hidden parts are blanks."""
    plain = _UNPAIRED.sub(" ", text.replace(HIDDEN, " "))
    changes = [(*match.span(), "") for match in _FILLER.finditer(plain)]
    changes += [(*match.span(), " is") for match in _IS.finditer(plain)]
    changes += [(*match.span(1), " is") for match in _KIN_IS.finditer(plain)]
    changes += [(*match.span(), _SHORT.get(match[0].lower(), match[0])) for match in _SHORTENED.finditer(plain)]
    parts, places, at = [], [], 0
    for start, end, new in sorted(changes):
        if start >= at:
            parts += [plain[at:start], new]
            places += [*range(at, start), *[start] * (len(new) - 1), *[end - 1] * bool(new)]
            at = end
    result = "".join([*parts, plain[at:]])
    if result.replace("I", "") == result.replace("I", "").lower():
        result = _WORD.sub(lambda match: match[0].title() if people.is_rare(match[0]) else match[0], result)
    return Edited(result, [*places, *range(at, len(plain)), len(plain)])
