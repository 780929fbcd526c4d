"""Resolve "he" and "she" to the one relative of that gender whom the message has just named, or to nobody.

A pronoun stays unresolved if the message has a second relative of that gender, or names somebody else in between. Other
messages are never looked at.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from characters.domain import lexicon, words
from characters.domain.people import PRONOUN_OF_WORD, PRONOUNS
from characters.language.extraction import names
from characters.language.extraction.names import Mine
from characters.language.extraction.subjects import Subject
from characters.language.sentences import HIDDEN, Stretch

CONFIDENCE = 0.8
MAX_SENTENCES = 6
"""Most sentences in a chain about the same "he"."""

_PRONOUN = re.compile(
    r"[\s,]*(?:(?:and|but|so|now|well|also|actually|luckily|sadly|nowadays|these days),?\s+)*(?P<who>he|she)(?=[\s'])",
    re.IGNORECASE,
)
_OTHER_SUBJECT = re.compile(
    r"[\s,]*(?:he|she|they|it|you|who|everyone|everybody|someone|somebody|nobody|people)\b", re.IGNORECASE
)
_KIN = lexicon.one_of(names.KIN_WORDS)
_OF_A_JOB = rf"(?:{lexicon.alternatives('occupations')})"
_SOMEBODY = re.compile(
    rf"""\b(?:(?:man|woman|guy|girl|boy|lady|dude|bloke|chap|fella|gentleman|kid|child|baby|toddler|teen|teenager
      |person|stranger|ex|ex-\w+|{_KIN}|{lexicon.alternatives("pets")})s?
    |men|women|children|people)\b
    |(?<!\bis\ a\ )(?<!\bis\ an\ )(?<!\bwas\ a\ )(?<!\bwas\ an\ )(?<!'s\ a\ )(?<!'s\ an\ )(?<!\bas\ a\ )(?<!\bas\ an\ )
     (?<!\bbecame\ a\ )(?<!\bbecame\ an\ )\b{_OF_A_JOB}s?\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NAME = re.compile(r"\b[A-Z][\w-]*(?:\s[A-Z][\w-]*)*")
_BEFORE_PLACES = re.compile(r"\b(?:in|at|near|around|the|an?|on|(?:moved|back) to|(?:is|was|comes?|came) from)\s+$")


@dataclass(frozen=True, slots=True)
class _Relative:
    """A mention of a relative, and the index of its sentence."""

    mine: Mine
    sentence: int
    pronoun: str
    """Empty if the word doesn't tell."""


class Relatives:
    """The relatives that a message names."""

    def __init__(self, sentences: Sequence[Stretch]) -> None:
        self._texts = [sentence.text for sentence in sentences]
        self._named = [
            _Relative(mine, place, _pronoun(mine))
            for place, text in enumerate(self._texts)
            for mine in names.mine(text)
        ]

    def subject_at(self, text: str, start: int, sentence: int) -> Subject | None:
        """Return whom the pronoun at `start` means; `text` is the asserted part of the sentence of that index."""
        match = _PRONOUN.match(text, start)
        if match is None:
            return None
        at, pronoun = match.start("who"), match["who"].lower()
        relative = self._only(pronoun, sentence, at)
        if relative is None or not self._leads_to(relative, pronoun, sentence, at):
            return None
        return Subject(self._name(relative), "person", match.end(), confidence=CONFIDENCE)

    def _name(self, relative: _Relative) -> str:
        """Return the relative's name if the message has it anywhere, else the word for them."""
        same = (each.mine for each in self._named if each.mine.kin == relative.mine.kin and each.mine.names)
        return next(same, relative.mine).subject

    def _only(self, pronoun: str, sentence: int, at: int) -> _Relative | None:
        """Return the last mention before `at` of the only relative of that gender; None if there are two."""
        fitting = [relative for relative in self._named if relative.pronoun == pronoun]
        names = {relative.mine.subject for relative in fitting if relative.mine.names}
        is_one = len({relative.mine.kin for relative in fitting}) == 1 and len(names) <= 1
        before = [each for each in fitting if (each.sentence, each.mine.start) < (sentence, at)]
        if not is_one or not before or any(relative.mine.many for relative in fitting):
            return None
        return before[-1]

    def _leads_to(self, relative: _Relative, pronoun: str, sentence: int, at: int) -> bool:
        """Return whether all sentences in between begin with the pronoun, and nobody else is named."""
        between = self._texts[relative.sentence + 1 : sentence]
        if len(between) >= MAX_SENTENCES:
            return False
        same = (match and match["who"].lower() == pronoun for match in map(_PRONOUN.match, between))
        if not all(same):
            return False
        read = [self._without_relatives(place) for place in range(relative.sentence, sentence)]
        return not any(map(_names_somebody, [*read, self._without_relatives(sentence)[:at]]))

    def _without_relatives(self, sentence: int) -> str:
        """Hide the relatives of known gender in a sentence: the pronoun clearly means them, or can't."""
        text = self._texts[sentence]
        for relative in self._named:
            if relative.sentence == sentence and relative.pronoun:
                start, end = relative.mine.start, relative.mine.end
                text = text[:start] + HIDDEN * (end - start) + text[end:]
        return text


def is_somebody_else(text: str, start: int) -> bool:
    """Return whether the clause at `start` begins with another subject, such as "they"."""
    return bool(_OTHER_SUBJECT.match(text, start))


def _pronoun(mine: Mine) -> str:
    return PRONOUN_OF_WORD.get(mine.word) or PRONOUNS.get(mine.kin, "")


def _names_somebody(text: str) -> bool:
    """Return whether a text names anybody whom a later pronoun could mean."""
    if _SOMEBODY.search(text):
        return True
    return any(_is_of_somebody(text, match) for match in _NAME.finditer(text))


def _is_of_somebody(text: str, match: re.Match[str]) -> bool:
    first = match.group().split()[0].lower()
    if first in lexicon.entries("no place") or _BEFORE_PLACES.search(text[: match.start()]):
        return False
    begins = not text[: match.start()].strip(" \t\"'*-\x01")
    return first not in words.STOP and not (begins and words.is_common(first))
