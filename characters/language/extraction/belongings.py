"""Clauses that say something of the person without beginning with "I": "my name is", "honesty matters to me"."""

import re
from collections.abc import Iterator, Mapping

from characters.domain import words
from characters.domain.people import FAVORITE, Statement, person_predicate
from characters.language.extraction import clauses, nouns, objects
from characters.language.extraction.objects import Reader
from characters.language.extraction.subjects import CONFIDENCE

_MY = re.compile(r"[\s,]*(?:my|our)\s+", re.IGNORECASE)
_MY_WHAT = re.compile(
    r"""[\s,]*(?:my|our)\ (?:
        (?P<name>(?:first\ |given\ )?name(?:'?s|\ is))
        |(?P<hobby>(?:\w+\ )?hobb(?:y|ies)\ (?:is|are|include))
        |(?P<dream>(?:\w+\ )?(?:dream|goal|ambition)\ is\ to)
        |(?P<language>(?:native|first|mother)\ (?:language|tongue)\ is)
        |(?P<job>(?:day\ )?job\ is|profession\ is)
        |(?P<home>home\ is\ in|home\ is(?!\ in))
        |(?P<origin>home\s?town\ is)
        |(?P<employer>(?:new\ |current\ |day\ )?job\ (?:is\ )?at)
        |(?P<age>age\ is)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_READERS: Mapping[str, tuple[str, Reader]] = {
    "name": ("NAMED", objects.named),
    "hobby": ("INTERESTED_IN", objects.interests),
    "dream": ("WANTS", objects.wish),
    "language": ("SPEAKS", objects.languages),
    "job": ("WORKS_AS", objects.occupation),
    "home": ("LIVES_IN", objects.place),
    "origin": ("FROM", objects.place),
    "employer": ("WORKS_AT", objects.employer),
    "age": ("HAS_AGE", objects.age),
}
_CALL_ME = re.compile(r"[\s,]*(?:please |just |you can |everyone calls me |)call me(?= [A-Z])")
_GREETED = re.compile(
    r"""\W*(?:(?:hi|hello|hey|hiya|howdy|yo|good\ (?:morning|evening|afternoon))\b[\w\s]{0,20}?[,.!\s-]+)
    (?:i'm|i\ am|im|this\ is|it's|the\ name's|my\ name's|name's)(?=\ [A-Z])""",
    re.IGNORECASE | re.VERBOSE,
)
_NAME_S = re.compile(r"[\s,]*(?:the |my )?name's(?= [A-Z])")
_MATTERS_MOST = re.compile(
    r"""[\s,]*(?:what\ matters(?:\ most)?(?:\ to\ me)?\ is
      |the\ most\ important\ thing(?:\ (?:to\ me|in\ life|in\ my\ life))?\ is
      |nothing\ (?:matters\ more|is\ more\ important)(?:\ to\ me)?\ than
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_WHAT = r"""[\s,]*(?:(?:and|but|so|because|though)\ )?
    (?P<what>(?!(?:it|that|this|what|he|she|they|you|your|there)\b)[A-Za-z]+(?:\ [a-z]+){0,2}?)
    (?:\ (?:really|just|simply|honestly|still))?"""
"""A short subject, without the words of the sentence around it."""
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
_CHANGED = re.compile(r"[\s,]*i(?:'ve| have)? changed my mind(?: about|[,:;]? (?:no|not|no more))\b", re.IGNORECASE)
_PARTED = re.compile(
    r"""[\s,]*(?:we|my\ (?:girlfriend|boyfriend|partner|ex)\ and\ i)\ (?:just\ |recently\ |have\ )?
    (?:broke\ up|split\ up|got\ divorced|separated)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def statements_at(text: str, start: int) -> Iterator[Statement]:
    """What the clause that begins here says so."""
    yield from _of_what_is_mine(text, start)
    yield from _of_favourites(text, start)
    yield from _of_values(text, start)
    yield from _of_dislikes(text, start)
    yield from _of_parting(text, start)
    yield from _of_changed_mind(text, start)
    if start == 0:
        yield from _of_introducing(text)


def _of_what_is_mine(text: str, start: int) -> Iterator[Statement]:
    """ "My name is", "my hobbies are", "call me"."""
    match = _MY_WHAT.match(text, start) or _CALL_ME.match(text, start)
    if match is None:
        return
    predicate, read = _READERS[match.lastgroup or "name"]
    kind = person_predicate(predicate).kind
    for phrase in read(text, match.end()):
        yield Statement(predicate, phrase.text, match.start(), phrase.end, kind=kind, confidence=CONFIDENCE)


def _of_favourites(text: str, start: int) -> Iterator[Statement]:
    """ "Dune is my favourite book", "my favourite book is Dune"."""
    match = _IS_FAVOURITE.match(text, start)
    if match and not nouns.is_vague(match["object"]):
        predicate = FAVORITE + match["what"].upper()
        yield Statement(predicate, match["object"], *match.span(), kind="topic", confidence=CONFIDENCE)
    mine = _MY.match(text, start)
    if mine:
        yield from clauses.favourites(text, mine.end())


def _of_values(text: str, start: int) -> Iterator[Statement]:
    """ "Honesty matters a lot to me", "nothing matters more to me than honesty"."""
    yield from _of_what(_MATTERS.match(text, start), "VALUES")
    match = _MATTERS_MOST.match(text, start)
    for phrase in objects.tastes(text, match.end()) if match else ():
        yield Statement("VALUES", phrase.text, phrase.start, phrase.end, kind="topic", confidence=CONFIDENCE)


def _of_dislikes(text: str, start: int) -> Iterator[Statement]:
    """ "Olives aren't my thing." """
    yield from _of_what(_NOT_MINE.match(text, start), "DISLIKES")


def _of_what(match: re.Match[str] | None, predicate: str) -> Iterator[Statement]:
    if match and not nouns.is_vague(match["what"]):
        what = match["what"] if match["what"].isupper() else match["what"].lower()
        yield Statement(predicate, what, match.start("what"), match.end(), kind="topic", confidence=CONFIDENCE)


def _of_introducing(text: str) -> Iterator[Statement]:
    """ "Hi, I'm Tariq": a name, if no common word is."""
    match = _GREETED.match(text) or _NAME_S.match(text)
    for phrase in objects.named(text, match.end()) if match else ():
        if not words.is_common(phrase.text.lower()):
            yield Statement("NAMED", phrase.text, phrase.start, phrase.end, kind="topic", confidence=CONFIDENCE)


def _of_changed_mind(text: str, start: int) -> Iterator[Statement]:
    """ "I changed my mind, no yoga": what was wanted isn't any more."""
    match = _CHANGED.match(text, start)
    for phrase in objects.thing(text, match.end()) if match else ():
        yield Statement("WANTS", phrase.text, phrase.start, phrase.end, kind="topic", confidence=CONFIDENCE, ends=True)


def _of_parting(text: str, start: int) -> Iterator[Statement]:
    """ "We broke up": whoever was the partner isn't any more."""
    match = _PARTED.match(text, start)
    if match:
        yield Statement("HAS_PARTNER", "", *match.span(), kind="person", confidence=CONFIDENCE, ends=True)
