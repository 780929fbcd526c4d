"""What in a message shows that it wants to make the character say, be or believe something. Pure; no Django.

`cues.txt` beside this module has the patterns, by the name that an operator reads. Each takes time that grows with the
length of the text only: what stands between two words is bounded.
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
"""Characters of a span that are shown."""
_SHORT = {
    "…": r"[^.!?\n]{0,40}?",
    r"\_": "_",
    "_?": r"\s{0,3}",
    "_": r"\s{1,3}",
    r"\w+": r"\w{1,24}",
    r"\w*": r"\w{0,24}",
}
"""What stands for what in the file; everything is bounded."""
_QUOTES = str.maketrans("’‘`´“”„«»", "''''" + '"' * 5)


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern that fits. `span` is the text that it fits, of the message as `plain` gives it."""

    family: str
    name: str
    span: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A cue that can be looked for."""

    family: str
    name: str
    parts: tuple[re.Pattern[str], ...]

    def find(self, text: str, low: str) -> Cue | None:
        """Its first place in a text."""
        for part in self.parts:
            if match := _at_a_word(part, low):
                start, end = match.span()
                return Cue(self.family, self.name, " ".join(text[start:end].split())[:LONGEST])
        return None


def plain(text: str) -> str:
    """One form of what looks alike: no hidden characters, straight quotes, plain letters for wide and ornate ones."""
    return unseen.without(unicodedata.normalize("NFKC", text)).translate(_QUOTES)


@lru_cache(maxsize=512)
def find(text: str) -> tuple[Cue, ...]:
    """The cues of a message, the first place of each. Kept for a while: a conversation is looked at again and again."""
    shown = plain(text)
    low = shown.lower()
    if len(low) != len(shown):
        shown = low
    return tuple(cue for pattern in patterns() if (cue := pattern.find(shown, low)))


@cache
def patterns() -> Sequence[Pattern]:
    """All patterns, in the order of the file."""
    blocks = ((heading.partition(" | "), lines) for heading, lines in read_blocks(FILE))
    return [Pattern(family, name, tuple(map(_compiled, lines))) for (family, _, name), lines in blocks]


def names() -> list[str]:
    """What the cues are called, in the order of the file."""
    return [pattern.name for pattern in patterns()]


def _compiled(line: str) -> re.Pattern[str]:
    return re.compile(re.sub("|".join(map(re.escape, _SHORT)), lambda found: _SHORT[found.group()], line))


def _at_a_word(part: re.Pattern[str], low: str) -> re.Match[str] | None:
    """The first match that doesn't begin inside a word. Said in the pattern, this would make the search much slower."""
    match = part.search(low)
    while match and match.start() and low[match.start() - 1].isalnum() and match.group()[:1].isalnum():
        match = part.search(low, match.start() + 1)
    return match
