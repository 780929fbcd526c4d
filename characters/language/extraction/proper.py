"""Find proper names of people, pets and places, capitalised or typed in lower case."""

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
"""Places whose names take an article."""
_ON_THIS = re.compile(r"\s+on\s+(?:this|that)\b")


def name(text: str, start: int, *, lower: bool = False) -> Phrase | None:
    """Return the name of up to three words at `start`; with `lower`, its first may be a rare lower-case word."""
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
    """Return the place name at `start`: capitalised, or ending in a word that is in no word list ("seattle")."""
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
    """Return whether a lower-case word is likely a name: in no word list, and without an ending like "ed" or "s"."""
    if word[:1].isupper() or not word.isalpha() or len(word) < 2:
        return False
    plain = word.lower()
    return words.rarity(plain) >= words.UNKNOWN and not plain.endswith(("ed", "ing", "ly", "s"))


def _capitals(text: str, start: int) -> list[Span]:
    """Return the spans of capitalised words and the joiners between them ("Rio de Janeiro")."""
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
    """Return the spans of words of which the last is a town or an unknown word ("new york")."""
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
