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


def statements_at(said: str, start: int) -> Iterator[Statement]:
    """What the clause that begins here says so."""
    yield from _of_what_is_mine(said, start)
    yield from _of_favourites(said, start)
    yield from _of_values(said, start)
    yield from _of_dislikes(said, start)
    yield from _of_parting(said, start)
    yield from _of_changed_mind(said, start)
    if start == 0:
        yield from _of_introducing(said)


def _of_what_is_mine(said: str, start: int) -> Iterator[Statement]:
    """ "My name is", "my hobbies are", "call me"."""
    found = _MY_WHAT.match(said, start) or _CALL_ME.match(said, start)
    if found is None:
        return
    predicate, read = _READERS[found.lastgroup or "name"]
    kind = person_predicate(predicate).kind
    for phrase in read(said, found.end()):
        yield Statement(predicate, phrase.text, found.start(), phrase.end, kind=kind, confidence=CONFIDENCE)


def _of_favourites(said: str, start: int) -> Iterator[Statement]:
    """ "Dune is my favourite book", "my favourite book is Dune"."""
    found = _IS_FAVOURITE.match(said, start)
    if found and not nouns.is_vague(found["object"]):
        predicate = FAVORITE + found["what"].upper()
        yield Statement(predicate, found["object"], *found.span(), kind="topic", confidence=CONFIDENCE)
    mine = _MY.match(said, start)
    if mine:
        yield from clauses.favourites(said, mine.end())


def _of_values(said: str, start: int) -> Iterator[Statement]:
    """ "Honesty matters a lot to me", "nothing matters more to me than honesty"."""
    yield from _of_what(_MATTERS.match(said, start), "VALUES")
    found = _MATTERS_MOST.match(said, start)
    for phrase in objects.tastes(said, found.end()) if found else ():
        yield Statement("VALUES", phrase.text, phrase.start, phrase.end, kind="topic", confidence=CONFIDENCE)


def _of_dislikes(said: str, start: int) -> Iterator[Statement]:
    """ "Olives aren't my thing." """
    yield from _of_what(_NOT_MINE.match(said, start), "DISLIKES")


def _of_what(found: re.Match[str] | None, predicate: str) -> Iterator[Statement]:
    if found and not nouns.is_vague(found["what"]):
        what = found["what"] if found["what"].isupper() else found["what"].lower()
        yield Statement(predicate, what, found.start("what"), found.end(), kind="topic", confidence=CONFIDENCE)


def _of_introducing(said: str) -> Iterator[Statement]:
    """ "Hi, I'm Tariq": a name, if no common word is."""
    found = _GREETED.match(said) or _NAME_S.match(said)
    for phrase in objects.named(said, found.end()) if found else ():
        if not words.is_common(phrase.text.lower()):
            yield Statement("NAMED", phrase.text, phrase.start, phrase.end, kind="topic", confidence=CONFIDENCE)


def _of_changed_mind(said: str, start: int) -> Iterator[Statement]:
    """ "I changed my mind, no yoga": what was wanted isn't any more."""
    found = _CHANGED.match(said, start)
    for phrase in objects.thing(said, found.end()) if found else ():
        yield Statement("WANTS", phrase.text, phrase.start, phrase.end, kind="topic", confidence=CONFIDENCE, ends=True)


def _of_parting(said: str, start: int) -> Iterator[Statement]:
    """ "We broke up": whoever was the partner isn't any more."""
    found = _PARTED.match(said, start)
    if found:
        yield Statement("HAS_PARTNER", "", *found.span(), kind="person", confidence=CONFIDENCE, ends=True)
