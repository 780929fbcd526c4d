"""Find cues that a message tries to make the character say, be or believe something. Pure; no Django.

`cues.txt` beside this module has the patterns under the names that operators see. Matching is linear in the length of
the text, as every gap in a pattern is bounded.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from characters.domain import unseen
from characters.domain.lexicon import read_blocks

FILE = Path(__file__).with_name("cues.txt")
LONGEST = 120
"""Most characters of a span that are shown."""
_SHORT = {
    "…": r"[^.!?\n]{0,40}?",
    r"\_": "_",
    "_?": r"\s{0,3}",
    "_": r"\s{1,3}",
    r"\w+": r"\w{1,24}",
    r"\w*": r"\w{0,24}",
}
"""Shorthand of the file, and the bounded pattern that each stands for."""
_QUOTES = str.maketrans("’‘`´“”„«»", "''''" + '"' * 5)


@dataclass(frozen=True, slots=True)
class Cue:
    """A match of a pattern. `span` is the matched text of the message, as `plain` returns it."""

    family: str
    name: str
    span: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """The regular expressions of a cue."""

    family: str
    name: str
    parts: tuple[re.Pattern[str], ...]

    def find(self, text: str, low: str) -> Cue | None:
        """Return the first match in a text, or None; `low` is `text` in lower case."""
        for part in self.parts:
            if match := _at_a_word(part, low):
                start, end = match.span()
                return Cue(self.family, self.name, " ".join(text[start:end].split())[:LONGEST])
        return None


def plain(text: str) -> str:
    """Normalise lookalikes: no hidden characters, straight quotes, plain letters for wide and ornate ones."""
    return unseen.without(unicodedata.normalize("NFKC", text)).translate(_QUOTES)


@lru_cache(maxsize=512)  # a conversation is judged again and again
def find(text: str) -> tuple[Cue, ...]:
    """Return the cues of a message, each at its first match."""
    shown = plain(text)
    low = shown.lower()
    if len(low) != len(shown):
        shown = low
    return tuple(cue for pattern in patterns() if (cue := pattern.find(shown, low)))


@cache
def patterns() -> Sequence[Pattern]:
    """Return all patterns, in the order of the file."""
    blocks = ((heading.partition(" | "), lines) for heading, lines in read_blocks(FILE))
    return [Pattern(family, name, tuple(map(_compiled, lines))) for (family, _, name), lines in blocks]


def names() -> list[str]:
    """Return the names of the cues, in the order of the file."""
    return [pattern.name for pattern in patterns()]


def _compiled(line: str) -> re.Pattern[str]:
    return re.compile(re.sub("|".join(map(re.escape, _SHORT)), lambda found: _SHORT[found.group()], line))


def _at_a_word(part: re.Pattern[str], low: str) -> re.Match[str] | None:
    """Return the first match that doesn't begin inside a word."""
    # In the pattern, this condition would make the search much slower.
    match = part.search(low)
    while match and match.start() and low[match.start() - 1].isalnum() and match.group()[:1].isalnum():
        match = part.search(low, match.start() + 1)
    return match
