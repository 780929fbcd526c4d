"""Find noun phrases: where the object of a statement begins and ends, and which objects are vague."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from characters.domain import lexicon, words
from characters.domain.people import KIN_WORDS

MAX_WORDS = 6
MAX_LENGTH = 80
Span = tuple[int, int]

WORD = re.compile(
    r"\s*((?:[^\W_]\.){2,}|(?:mr|mrs|ms|dr|st|prof)\.(?=\s+[^\W\d_])|[^\W_]+(?:[-'&./+][^\W_]+)*['+#]?)",
    re.IGNORECASE,
)
"""A word with the white space before it; abbreviations keep their full stops."""
JOINT = re.compile(r"\s*(&)(?=\s)")
ENDS = lexicon.entries("phrase ends")

_NEVER_STARTS = lexicon.entries("phrase never starts")
_VAGUE = lexicon.entries("vague")
_POSSESSIVES = frozenset({"my", "our"})
_JOINERS = frozenset("of the de la du del di da le les upon on and & y am an der sur".split())
_ARTICLES = frozenset({"a", "an", "the"})
_IN_TITLES = frozenset("and in on to for with at from is are be you i my your this that who like".split())
"""Words that end a phrase, except in titles: "Interview with the Vampire"."""
_BETWEEN_NAMES = frozenset("and in at from with on".split())
_TO_GERUNDS = frozenset("going listening talking travelling traveling dancing".split())
_QUANTITIES = re.compile(
    r"""\s*(?:
        a\s+(?:few|couple|pair|bunch|lot|bit|little\s+bit|tiny\s+bit|little)\s+(?:of\s+)?
        |(?:lots|plenty|tons|loads)\s+of\s+
        |all\s+(?:kinds|sorts)\s+of\s+
        |(?:some|any)\s+kinds?\s+of\s+
        |most\s+
        |all\s+(?:the\s+|my\s+)?(?=\w{3,})(?!of)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_DETERMINER = re.compile(
    r"\s*(?:(the|an?|some|my|our|own|\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|(very|really|quite|super)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase without its determiners, from `start` to `end` of a text."""

    text: str
    start: int
    end: int
    owned: bool = False
    """Whether "my" or "our" comes before it."""
    article: bool = False
    """Whether a determiner comes before it: an article, "my", a number."""

    @property
    def head(self) -> str:
        """Head word, lower case: "bee stings" -> "stings", "fear of heights" -> "fear"."""
        return _head(self.text.lower())

    @property
    def is_name(self) -> bool:
        """Whether each longer word begins with a capital or a digit."""
        longer = [word for word in self.text.split() if len(word) > 3 or word.istitle()]
        return all(word[:1].isupper() or word[:1].isdigit() for word in longer)


def phrase(text: str, start: int) -> Phrase | None:
    """Return the noun phrase that begins at `start`; None if there is none, or if it is vague or too long."""
    place, owned, article = _skip_determiners(text, start)
    first = WORD.match(text, place)
    if first is None or first[1].lower() in _NEVER_STARTS:
        return None
    spans = _spans(text, place)
    if not spans or len(spans) > MAX_WORDS:
        return None
    result = Phrase(text[spans[0][0] : spans[-1][1]], spans[0][0], spans[-1][1], owned, article)
    return None if is_vague(result.text) or len(result.text) > MAX_LENGTH else result


def is_vague(text: str) -> bool:
    """Return whether an object says nothing: "stuff", "a lot", "questions", "it"."""
    plain = text.lower().strip(" '")
    if not any(each.isalpha() for each in plain) or plain in words.STOP or plain in _NEVER_STARTS:
        return True
    head = _head(plain)
    return (head in _VAGUE or lexicon.singular(head) in _VAGUE) and not text[:1].isupper()


def is_kin(text: str) -> bool:
    """Return whether this is a word for a relative or friend."""
    return lexicon.singular(text.lower()) in KIN_WORDS or text.lower() in KIN_WORDS


def _head(plain: str) -> str:
    return re.split(r"\s+of\s+", plain)[0].rpartition(" ")[2]


def _skip_determiners(text: str, start: int) -> tuple[int, bool, bool]:
    """Return where the phrase's own words begin, and whether "my" or "our", and any determiner, were skipped."""
    place, owned, article = start, False, False
    if quantity := _QUANTITIES.match(text, place):
        place, article = quantity.end(), True
    while match := _DETERMINER.match(text, place):
        following = WORD.match(text, match.end())
        if following is None or following[1].lower() in ENDS - _ARTICLES:
            break
        owned = owned or (match[1] or "").lower() in _POSSESSIVES
        article = article or match[1] is not None
        place = match.end()
    return place, owned, article


def _spans(text: str, start: int) -> list[Span]:
    spans: list[Span] = []
    at = start
    while match := WORD.match(text, at) or (JOINT.match(text, at) if spans else None):
        word = match[1].lower()
        if word in ENDS and not _goes_on(text, spans, match):
            break
        if word.endswith(("n't", "'m", "'ve", "'ll", "'re")):
            break
        spans.append(match.span(1))
        at = match.end()
        if word.endswith(".") and len(word) > 4:
            break
    while spans and text[slice(*spans[-1])].lower() in {"of", "&", *_ARTICLES}:
        spans.pop()
    return spans


def _goes_on(text: str, spans: Sequence[Span], match: re.Match[str]) -> bool:
    """Return whether a word that usually ends phrases continues this one: in a title, behind "of" or "listening"."""
    if not spans:
        return False
    word, before = match[1].lower(), text[slice(*spans[-1])].lower()
    if word in _ARTICLES:
        return before == "of" or (len(spans) == 1 and _is_gerund(before)) or _title_goes_on(text, spans, match)
    if word == "to" and len(spans) == 1 and before in _TO_GERUNDS:
        return True
    return word in _IN_TITLES and _title_goes_on(text, spans, match)


def _title_goes_on(text: str, spans: Sequence[Span], match: re.Match[str]) -> bool:
    """Match "Pride and Prejudice", "Interview with the Vampire": capitals on both sides."""
    first, last = text[slice(*spans[0])], text[slice(*spans[-1])]
    behind = WORD.match(text, match.end())
    if behind and behind[1] in _ARTICLES:
        behind = WORD.match(text, behind.end())
    is_title = first[:1].isupper() and (last[:1].isupper() or last.lower() in _JOINERS | _BETWEEN_NAMES)
    if not (is_title and behind and text[match.end() : match.end() + 1].isspace()):
        return False
    if match[1].lower() in _BETWEEN_NAMES and not _has_common_word(text, spans):
        return False
    return behind[1][:1].isupper() and behind[1].lower() not in {"i", "i'm", "i've"}


def _has_common_word(text: str, spans: Sequence[Span]) -> bool:
    """Tell titles, made of common words, from names of places and people, which "and" separates."""
    return any(words.is_common(text[slice(*span)].lower()) for span in spans)


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and len(word) > 5
