"""What a message takes back of what its writer said before: "no, I meant Tuesday", "Pixel died"; English only."""

import re
from collections.abc import Collection

from characters.domain import lexicon, words
from characters.domain.dates import MONTHS, WEEKDAYS
from characters.domain.people import KIN_WORDS
from characters.language.sentences import Sentence, split
from characters.language.speech_acts import LONGEST, subject_stems

_I = (
    r"(?:^\W*|[,;:]\s*|\b(?:and|but|so)\s+|\b(?:i|we)(?:['’]ve|\s+(?:have|had|just|finally|also|already|recently))*\s+)"
)
"""What stands before a verb of which the writer is the subject, said or dropped: not "my sister", nor "never"."""
_AFTER = r"(?P<scope>(?:\s+[\w'’-]+){0,5})"
_BEFORE = r"(?P<scope>(?:(?!never\b)[\w'’-]+\s+){1,4})"
_ENDED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_I}(?:quit|gave up|given up|stopped(?=\s+\w+ing)|sold|cancel+ed|got rid of)\b{_AFTER}",
        r"\bchanged my mind\b\W*(?:about|on|no|not)\b(?P<scope>.*)",
        rf"{_BEFORE}(?:died|passed away|(?:is|are|was) dead)(?!\s+(?:tired|on|of|serious))\b",
        rf"{_BEFORE}(?:broke up|split up|divorced|separated)\b(?!\s+(?:the|an?|our|my)\b)",
        r"(?:\bnot|\bnever|(?<!could)n['’]?t)\b(?P<scope>[^.;!?]{0,60}?)\bany ?(?:more|longer)\b(?!\s+than)",
        rf"\bno longer\b{_AFTER}",
        rf"{_BEFORE}(?:is|was)(?: not| never|n['’]?t)(?: really| actually| even)? my (?:{lexicon.one_of(KIN_WORDS)})\b",
    )
)
"""Match what says that something isn't so any more; the scope names it."""
_SUPPOSED = re.compile(
    r"\b(?:if|unless|almost|nearly|imagine|pretend|says?|said|told|thought|dream|dreamt|dreamed|wish|wished)\b",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(r"\b[\w-]+['’]s\s+")
_SCOPE_ENDS = re.compile(r"\b(?:for|to|with|about|as|because)\b", re.IGNORECASE)
_DENIED = re.compile(
    r"(?P<verb>\b(?:do|does|did|have|has|had|can|could|wo|would|should)(?:n['’]?t| not)|can(?:['’]t|t|not))?"
    r"(?:(?(verb)|(?:\bnot|n['’]?t)\b))(?! only\b)(?P<scope>(?:\s+[\w'’-]+){1,4})",
    re.IGNORECASE,
)
"""What isn't so; what somebody doesn't do, can't or hasn't says less, and must name more of it."""
_CONDITION = re.compile(r"\b(?:if|when|while|because|since|unless|until)\b", re.IGNORECASE)
_MOVED = re.compile(
    rf"{_BEFORE}(?:(?:is|are|was|were|been|got|gets)\s+)?"
    r"(?:moved|pushed|put|postponed|delayed|rescheduled|brought)(?:\s+(?:back|forward|up|off))?\s+(?:to|till|until)\b"
    r"(?P<to>[^.;!?]{1,40})",
    re.IGNORECASE,
)
"""What takes place on another day: "Skye is pushed back to June"."""
ENOUGH_DONE = 2
"""Words that must be named of what somebody doesn't do."""
SELF_CONTAINED = 3
"""Subject words from which a correction says by itself what it is about."""
_MEANT = re.compile(r"\bi meant\b|\bi mean(?! (?:it|that|what|well)\b)|\bcorrection\b", re.IGNORECASE)
_NOT_SO = re.compile(r"^\W*(?:no|oops|sorry|wait|actually)\b", re.IGNORECASE)
_DATUM = re.compile(rf"\d|\b(?:{'|'.join((*WEEKDAYS, *MONTHS))})\b", re.IGNORECASE)
"""A day or a number: "no, on Tuesday" puts another one right."""


def ended(text: str) -> list[frozenset[str]]:
    """Return the subject stems of each thing that the message says to be so no more."""
    sentences = (each for each in split(text, LONGEST) if not each.is_question)
    scopes = (scope for each in sentences for scope in _scopes(each))
    return [frozenset(stems) for scope in scopes if (stems := subject_stems(scope))]


def is_among(text: str, ended_stems: Collection[frozenset[str]]) -> bool:
    """Return whether all subject words of a text are among those of one thing that ended."""
    stems = set(subject_stems(text))
    return bool(stems) and any(stems <= each for each in ended_stems)


def _scopes(sentence: Sentence) -> list[str]:
    text = _OF_ANOTHER.sub("", sentence.words.text)
    matches = (pattern.search(text) for pattern in _ENDED)
    earnest = (match for match in matches if match and not _SUPPOSED.search(text[: match.end()]))
    return [_SCOPE_ENDS.split(match["scope"].lstrip())[0] for match in earnest]


def puts_right(text: str, earlier: str) -> bool:
    """Return whether a message corrects the one before it: "no, I meant Tuesday"."""
    names_another = bool(_NOT_SO.search(text) and _DATUM.search(text) and _DATUM.search(earlier))
    stems = set(subject_stems(text)) - set(subject_stems(" ".join((*WEEKDAYS, *MONTHS))))
    is_of_it = len(stems) < SELF_CONTAINED or not stems.isdisjoint(subject_stems(earlier))
    return is_of_it and (names_another or bool(_MEANT.search(text)))


def ends(text: str, earlier: str) -> bool:
    """Return whether a later message says that something of an earlier one is over, or on another day: at least half
    of the words of what ended are its own.
    """
    before = set(subject_stems(earlier))
    gone = [*ended(text), *(_moved(text) if _DATUM.search(earlier) else ())]
    return any(2 * len(stems & before) >= len(stems) for stems in gone)


def denies(text: str, earlier: str) -> bool:
    """Return whether a later message says that something of an earlier one isn't so."""
    before = set(words.stems(earlier))
    return not _DENIED.search(earlier) and any(stems <= before for stems in _denied(text))


def _moved(text: str) -> list[frozenset[str]]:
    matches = (_MOVED.search(each.words.text) for each in split(text, LONGEST) if not each.is_question)
    scopes = (match["scope"] for match in matches if match and _DATUM.search(match["to"]))
    return [frozenset(stems) for scope in scopes if (stems := subject_stems(scope))]


def _denied(text: str) -> list[set[str]]:
    """Return the stems of what each clause denies: "it's not walnuts"."""
    sentences = (each.words.text for each in split(text, LONGEST) if not each.is_question)
    matches = (match for each in sentences if not _CONDITION.search(each) for match in _DENIED.finditer(each))
    denied = ((set(words.stems(match["scope"])), ENOUGH_DONE if match["verb"] else 1) for match in matches)
    return [stems for stems, least in denied if len(stems) >= least]


def strength(text: str) -> int:
    """Return how a message may correct earlier ones: 2 if it ends something, 1 if it may put anything right, or 0."""
    if ended(text) or _moved(text):
        return 2
    return int(bool(_denied(text) or _MEANT.search(text) or _NOT_SO.search(text)))
