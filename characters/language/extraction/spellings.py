"""Write chat as the parser was taught to read: "im" as "I'm", "dont" as "don't", names in capitals; with offsets."""

import re
from dataclasses import dataclass

from characters.domain import lexicon
from characters.language.extraction import people
from characters.language.sentences import HIDDEN

_SHORT = {"i": "I", "w": "with"} | dict(each.split(":") for each in lexicon.entries("spellings of chats"))
"""Spellings of chats."""
_EDITED = re.compile(rf"(?<![\w'])(?:{'|'.join(_SHORT)})(?![\w'/])|(?<![\w'])i(?=')|\bw/(?=\s?\w)", re.IGNORECASE)
_IS = re.compile(
    r"(?<=\w)(?<!\bit)(?<!\bthat)(?<!here)(?<!\bwhat)(?<!\bwho)(?<!\blet)'s(?="
    r"\s+(?:an?|the|\d+|called|named|from|at|in|into|really|so|just|now|not|always|allergic|also"
    rf"|still|very|{lexicon.one_of(lexicon.entries('diets'))}|\w+ing)\b)",
    re.IGNORECASE,
)
"""What stands for "is" behind a name or noun, which the parser takes for a possessive."""
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
    parts, places, at = [], [], 0
    plain = text.replace(HIDDEN, " ")
    is_ = [match.span(1) for match in _KIN_IS.finditer(plain)] + [match.span() for match in _IS.finditer(plain)]
    for start, end in sorted([*is_, *(match.span() for match in _EDITED.finditer(plain))]):
        if start < at:
            continue
        written = plain[start:end].lower()
        new = " is" if (start, end) in is_ else _SHORT.get(written, "with" if written == "w/" else "I")
        parts += [plain[at:start], new]
        places += [*range(at, start), *([start] * (len(new) - 1)), end - 1]
        at = end
    parts.append(plain[at:])
    places += [*range(at, len(plain)), len(plain)]
    result = "".join(parts)
    if text == text.lower() or result.replace("I", "") == result.replace("I", "").lower():
        result = _WORD.sub(lambda match: match[0].title() if people.is_rare(match[0]) else match[0], result)
    return Edited(result, places)
