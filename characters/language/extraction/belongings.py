"""Read clauses about the person that don't begin with "I": "my name is", "honesty matters to me"."""

import re
from collections.abc import Iterator

from characters.domain import words
from characters.domain.people import FAVORITE, Statement
from characters.language.extraction import clauses, nouns, objects
from characters.language.extraction.subjects import CONFIDENCE

_MY = re.compile(r"[\s,]*(?:my|our)\s+", re.IGNORECASE)
_GREETED = re.compile(
    r"""\W*(?:(?:hi|hello|hey|hiya|howdy|yo|good\ (?:morning|evening|afternoon))\b[\w\s]{0,20}?[,.!\s-]+)
    (?:i'm|i\ am|im|this\ is|it's|the\ name's|my\ name's|name's)(?=\ [A-Z])""",
    re.IGNORECASE | re.VERBOSE,
)
_NAME_S = re.compile(r"[\s,]*(?:the |my )?name's(?= [A-Z])")
_WHAT = r"""[\s,]*(?:(?:and|but|so|because|though)\ )?
    (?P<what>(?!(?:it|that|this|what|he|she|they|you|your|there)\b)[A-Za-z]+(?:\ [a-z]+){0,2}?)
    (?:\ (?:really|just|simply|honestly|still))?"""
"""A subject of at most three words."""
_NOT_MINE = re.compile(
    rf"""{_WHAT}\ (?:isn't|aren't|is\ not|are\ not|was\ never)\ (?:really\ |just\ )?
    (?:my\ thing|for\ me|my\ cup\ of\ tea)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_IS_FAVOURITE = re.compile(
    r"""[\s,]*(?P<object>(?!it|that|this|what|he|she|they|you)[A-Za-z][\w'-]+(?:\ [\w'-]+){0,2}?)
    \ (?:is|are)\ (?:definitely\ |still\ |by\ far\ )?
    my\ (?:all[- ]time\ |absolute\ )?(?:favou?rite|fave?)\ (?P<what>[a-z]+)\b""",
    re.VERBOSE,
)
_MATTERS = re.compile(
    rf"""{_WHAT}
    \ (?:(?:matters?|means?)(?:\ (?:a\ lot|so\ much|everything|the\ world|most|more\ than\ anything))?\ to\ me
      |(?:is|are)\ (?:very\ |really\ |so\ )?important\ to\ me
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_PARTED = re.compile(
    r"""[\s,]*(?:we|my\ (?:girlfriend|boyfriend|partner|ex)\ and\ i)\ (?:just\ |recently\ |have\ )?
    (?:broke\ up|split\ up|got\ divorced|separated)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def statements_at(text: str, start: int) -> Iterator[Statement]:
    """Yield what the clause at `start` states in these forms."""
    yield from clauses.of_person(text, start)
    yield from _of_favourites(text, start)
    yield from _of_what(_MATTERS.match(text, start), "VALUES")
    yield from _of_what(_NOT_MINE.match(text, start), "DISLIKES")
    if parted := _PARTED.match(text, start):
        yield Statement("HAS_PARTNER", "", *parted.span(), kind="person", confidence=CONFIDENCE, ends=True)
    if start == 0:
        yield from _of_introducing(text)


def _of_favourites(text: str, start: int) -> Iterator[Statement]:
    """Read "Dune is my favourite book", "my favourite book is Dune"."""
    match = _IS_FAVOURITE.match(text, start)
    if match and not nouns.is_vague(match["object"]):
        predicate = FAVORITE + match["what"].upper()
        yield Statement(predicate, match["object"], *match.span(), kind="topic", confidence=CONFIDENCE)
    mine = _MY.match(text, start)
    if mine:
        yield from clauses.favourites(text, mine.end())


def _of_what(match: re.Match[str] | None, predicate: str) -> Iterator[Statement]:
    if match and not nouns.is_vague(match["what"]):
        what = match["what"] if match["what"].isupper() else match["what"].lower()
        yield Statement(predicate, what, match.start("what"), match.end(), kind="topic", confidence=CONFIDENCE)


def _of_introducing(text: str) -> Iterator[Statement]:
    """Read "Hi, I'm Tariq": a name, unless it is a common word."""
    match = _GREETED.match(text) or _NAME_S.match(text)
    for phrase in objects.named(text, match.end()) if match else ():
        if not words.is_common(phrase.text.lower()):
            yield Statement("NAMED", phrase.text, phrase.start, phrase.end, kind="topic", confidence=CONFIDENCE)
