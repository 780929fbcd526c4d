"""Proper names: of people and pets, and of places; with capitals, or typed without them."""

import re

from characters.domain import lexicon, words
from characters.language.extraction.nouns import ENDS, JOINT, MAX_LENGTH, WORD, Phrase, Span

MAX_WORDS = 3

_FIRST_PERSON = frozenset({"i", "i'm", "i've", "i'll", "i'd"})
_NAME_ENDS = re.compile(r"\s*[^\w\s.'&-]")
_IN_PLACES = frozenset("of the de la du del di da le les upon & y der sur".split())
_THE = re.compile(
    r"""\s*the\s+(?:
        (?:netherlands|philippines|us|u\.s\.|usa|uk|u\.k\.|states|united|bronx|hague|bahamas|maldives|czech|midwest|uae
        |highlands|alps|bay\ area|gambia|congo|cotswolds|hebrides|ozarks|azores|algarve|pacific\ northwest|deep\ south
        |south\ west|outer)\b
        |(?:[A-Z]\w+\s+)+
         (?:islands?|republic|coast|district|area|emirates|valley|isles?|mountains|peninsula)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Places that are named with an article."""
_ON_THIS = re.compile(r"\s+on\s+(?:this|that)\b")


def name(text: str, start: int, *, lower: bool = False) -> Phrase | None:
    """The proper name that begins at `start`, at most three words; `lower`: also an unknown word in lower case."""
    spans: list[Span] = []
    at = start
    while len(spans) < MAX_WORDS and (match := WORD.match(text, at)):
        if match[1].endswith("'s") or not (_is_capital(match[1]) or (lower and not spans and _is_rare(match[1]))):
            break
        spans.append(match.span(1))
        at = match.end()
        if _NAME_ENDS.match(text[at:]):
            break
    return _joined(text, spans)


def place(text: str, start: int) -> Phrase | None:
    """A place's name: capitals, or words that no list of common words has ("seattle")."""
    article = re.match(r"\s*the\s+", text[start:], re.IGNORECASE)
    if article and not _THE.match(text[start:]):
        return None
    start += article.end() if article else 0
    result = _joined(text, _capitals(text, start) or _unknown(text, start))
    if result is None or result.text.lower() in lexicon.entries("no place") or _ON_THIS.match(text[result.end :]):
        return None
    return result


def _joined(text: str, spans: list[Span]) -> Phrase | None:
    if not spans or spans[-1][1] - spans[0][0] > MAX_LENGTH:
        return None
    return Phrase(text[spans[0][0] : spans[-1][1]].rstrip("."), spans[0][0], spans[-1][1])


def _is_capital(word: str) -> bool:
    plain = word.lower()
    return word[:1].isupper() and plain not in _FIRST_PERSON and (plain not in words.STOP or len(word) > 4)


def _is_rare(word: str) -> bool:
    """Whether a word without a capital is likely a name: no list has it, and no ending makes it a verb or a plural."""
    if word[:1].isupper() or not word.isalpha() or len(word) < 2:
        return False
    plain = word.lower()
    return words.rarity(plain) >= words.UNKNOWN and not plain.endswith(("ed", "ing", "ly", "s"))


def _capitals(text: str, start: int) -> list[Span]:
    """Spans of a run of words with capitals and the joiners between them ("Rio de Janeiro")."""
    spans: list[Span] = []
    waiting: list[Span] = []
    at = start
    while match := WORD.match(text, at) or JOINT.match(text, at):
        word = match[1]
        if word[:1].isupper() and word.lower() not in {"i", "i'm", "i've"}:
            spans += [*waiting, match.span(1)]
            waiting = []
        elif spans and word.lower() in _IN_PLACES:
            waiting.append(match.span(1))
        else:
            break
        at = match.end()
    return spans


def _unknown(text: str, start: int) -> list[Span]:
    """A run of words of which the last is no common word ("new york")."""
    spans: list[Span] = []
    at = start
    while len(spans) < MAX_WORDS and (match := WORD.match(text, at)):
        if match[1].lower() in ENDS or match[1].lower() in words.STOP or not match[1].replace("-", "").isalpha():
            break
        spans.append(match.span(1))
        at = match.end()
    while spans and not _ends_places(text[slice(*spans[-1])].lower()):
        spans.pop()
    return spans if len(spans) < MAX_WORDS else []


def _ends_places(word: str) -> bool:
    return words.rarity(word) >= words.UNKNOWN or word in lexicon.entries("towns")
