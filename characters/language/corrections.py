"""What a message takes back of what its writer said before: "no, I meant Tuesday", "Pixel died"; English only."""

import re

from characters.language.sentences import texts
from characters.language.speech_acts import subject_stems

_NO_MORE = re.compile(
    r"(?:\b(?:not|never|no)|n['’]?t)\b[^.;!?]{0,60}\bany ?(?:more|longer)\b|\bno longer\b", re.IGNORECASE
)
_ENDED = re.compile(
    r"\b(?:quit|(?:gave|given) up|stopped|sold|cancel+ed|called (?:\w+ )?off|broke up|split up|divorced|separated"
    r"|died|passed away|(?:is|are|was) dead|got rid of|changed my mind)\b",
    re.IGNORECASE,
)
"""Match what says that something isn't so any more."""
SHARE = 0.5
"""Share of the subject words of what ended that an earlier message has."""
_MEANT = re.compile(
    r"\b(?:no|sorry|oops|actually|wait)\b\W+(?:\w+\W+)?(?:i mean|it['’]?s|it (?:is|was)|that['’]?s|not\b)"
    r"|\bi meant\b|\bcorrection\b",
    re.IGNORECASE,
)
"""Matches what puts the message before it right."""


def ended(text: str) -> list[frozenset[str]]:
    """Return the subject stems of each sentence that says that something isn't so any more."""
    ending = (sentence for sentence in texts(text) if _NO_MORE.search(sentence) or _ENDED.search(sentence))
    return [frozenset(subject_stems(_ENDED.sub(" ", sentence))) for sentence in ending]


def puts_right(text: str) -> bool:
    """Return whether a message corrects the one before it: "no, I meant Tuesday"."""
    return bool(_MEANT.search(text))


def takes_back(text: str, earlier: str) -> bool:
    """Return whether a later message says that something of an earlier one isn't so any more: their words meet."""
    before = set(subject_stems(earlier))
    return any(len(stems & before) >= SHARE * len(stems) > 0 for stems in ended(text))


def corrects(text: str) -> bool:
    """Return whether a message takes back or puts right anything."""
    return any(pattern.search(text) for pattern in (_NO_MORE, _ENDED, _MEANT))
