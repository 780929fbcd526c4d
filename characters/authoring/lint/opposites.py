"""Find contradictions of a sheet: a thing liked and disliked, said and denied."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from characters.authoring.lint.findings import Finding, keeping_one
from characters.domain import words
from characters.domain.facts import NOTE, predicate_words, sentence
from characters.domain.sheet import Fact, Predicate
from characters.language.contradictions import NOT, denies, subjects
from characters.language.suggestions import patterns

Registry = Mapping[str, Predicate]
Read = Mapping[str, Sequence[Fact]]
"""Statements of each note by its id, as facts with the same id."""

FOR = frozenset({"LIKES", "LOVES", "ENJOYS", "PREFERS", "CARES_ABOUT", "INTERESTED_IN"})
FAVORITE = "FAVORITE_"
AGAINST = frozenset({"DISLIKES", "HATES"})
LEAST_STEMS = 2
"""Content words with which a denial is compared with any sentence; with fewer, only with the names of predicates."""
MOST = 3
"""Contradictions of one statement that are reported; mending them shows the others."""
_PARTLY = re.compile(
    r"\b(?:only|just|always|often|usually|every|all|any ?more|no longer|yet|until|unless|except"
    r"|alone|enough|really|if)\b",
    re.IGNORECASE,
)
_FORMERLY = re.compile(
    r"\b(?:used to|once|formerly|years ago|as a (?:child|kid|boy|girl)|when I was|would|last|until|before)\b",
    re.IGNORECASE,
)
_FLATLY = re.compile(
    r"I (?:do not|don't|can't|cannot|can not|never|have (?:no|never|not)|haven't|am (?:no|not)|did not|didn't)"
    r" (?:(?:have|had|own|got|ever|an?|any|the|to) )*(?P<what>[\w'-]+)",
    re.IGNORECASE,
)
"""A denial of having or doing something, with the word for it right behind: "I have no sister"."""
_HAVING = frozenset(words.stem(word) for word in ("have", "own", "ever"))
_PIECE = re.compile(r"[\w'’]+|[^\w\s]")
_BREAKS = frozenset("and or which most especially above although though".split())
"""Words after which details follow; others say which thing is meant: the sea in winter is another sea."""
_BREAKS_OF_FAVORITE = _BREAKS | frozenset("but with without on in at before after when while because if".split())
"""The same words for a favorite: what stands before one of these is liked."""


@dataclass(frozen=True, slots=True)
class _Phrased:
    """A fact in words: the content stems of its sentence, and of the names of the predicates that it states."""

    fact: Fact
    text: str
    stems: frozenset[str]
    named: frozenset[frozenset[str]]


def read(facts: Iterable[Fact], registry: Registry, name: str) -> Read:
    """Return what the notes of the character called `name` say, without those that no pattern understands."""
    statements = {
        fact.id: [
            Fact(fact.id, match.predicate, match.object)
            for match in patterns.extract(fact.object, names=[name], registered=registry)
        ]
        for fact in facts
        if fact.predicate == NOTE
    }
    return {fact_id: read for fact_id, read in statements.items() if read}


def stated(facts: Iterable[Fact], notes: Read) -> list[tuple[Fact, Fact]]:
    """Return each statement with the fact that makes it: itself, or the note."""
    return [(statement, fact) for fact in facts for statement in notes.get(fact.id, [fact])]


def likings(facts: Sequence[Fact], notes: Read) -> Iterator[Finding]:
    """Yield things that are liked and disliked, even if one side gives more details."""
    by_first: dict[str, list[tuple[Fact, Fact, list[str]]]] = {}
    for statement, fact in stated(facts, notes):
        if statement.predicate in AGAINST:
            pieces = _pieces(statement.object)
            by_first.setdefault(_first(pieces), []).append((statement, fact, pieces))
    for statement, fact in stated(facts, notes):
        if statement.predicate not in FOR and not statement.predicate.startswith(FAVORITE):
            continue
        pieces = _pieces(statement.object, _BREAKS_OF_FAVORITE if statement.predicate.startswith(FAVORITE) else _BREAKS)
        disliked = (each for each in by_first.get(_first(pieces), ()) if _is_one_thing(pieces, each[2]))
        for against, other, others in islice(disliked, MOST):
            if other.id != fact.id:
                yield contradiction(_both(statement, fact, against, other, alike=pieces == others), [fact, other])


def _both(statement: Fact, fact: Fact, against: Fact, other: Fact, *, alike: bool) -> str:
    if NOTE in {fact.predicate, other.predicate}:
        return f"{_quoted(fact)} and {_quoted(other)} contradict each other."
    what = f"“{statement.object}”" if alike else f"“{statement.object}” and “{against.object}”"
    return f"{statement.predicate} and {against.predicate} both say {what}."


def _quoted(fact: Fact) -> str:
    return f"“{fact.object}”" if fact.predicate == NOTE else f"{fact.predicate} “{fact.object}”"


def _pieces(text: str, breaks: frozenset[str] = _BREAKS) -> list[str]:
    """Return the text's stems without stop words, with an empty string where details begin."""
    pieces = [piece.lower() for piece in _PIECE.findall(text.replace("’", "'"))]
    marked = ("" if piece in breaks or not piece[0].isalnum() else piece for piece in pieces)
    return [words.stem(piece) for piece in marked if not piece or piece not in words.STOP or piece in _WHEN]


_WHEN = frozenset("after before during until without when while if".split())
"""Stop words that say which thing is meant."""


def _first(pieces: Sequence[str]) -> str:
    return next(filter(None, pieces), "")


def _is_one_thing(first: list[str], second: list[str]) -> bool:
    """Return whether one is the whole of the other, or the other's part before details."""
    short, long = sorted((first, second), key=len)
    if not any(short):
        return False
    plain = [piece for piece in short if piece]
    part: list[str] = []
    for piece in [*long, ""]:
        if not piece and part == plain:
            return True
        part += [piece] if piece else []
    return False


def denials(facts: Sequence[Fact], registry: Registry, notes: Read) -> Iterator[Finding]:
    """Yield denials with a fact that says what they deny, in its sentence's words or its predicate's name."""
    phrased = [_phrased(fact, registry, notes) for fact in facts]
    having: dict[str, set[int]] = {}
    for place, denial in enumerate(phrased):
        for stem in denial.stems.union(*denial.named):
            having.setdefault(stem, set()).add(place)
    for place, denial in enumerate(phrased):
        stems = denial.stems - _HAVING if _denies_plainly(denial.text) else frozenset()
        saying = set.intersection(*(having.get(stem, set()) for stem in stems)) if stems else set()
        denied = (at for at in sorted(saying) if _is_denied(phrased[at], denial.text, stems))
        for at in islice(denied, MOST):
            first, second = sorted((place, at))
            message = f"“{phrased[first].text}” and “{phrased[second].text}” contradict each other."
            yield contradiction(message, [facts[first], facts[second]])


def _denies_plainly(text: str) -> bool:
    """Return whether a text denies once and altogether; "I don't always drink tea" doesn't."""
    return len(NOT.findall(text.lower().replace("’", "'"))) == 1 and not _PARTLY.search(text)


def _is_denied(phrased: _Phrased, denial: str, stems: frozenset[str]) -> bool:
    if denies(phrased.text) or _FORMERLY.search(phrased.text):
        return False
    if len(stems) >= LEAST_STEMS:
        return stems <= phrased.stems or stems in phrased.named
    match = _FLATLY.match(denial.replace("’", "'"))
    return stems in phrased.named and match is not None and words.stem(match["what"].lower()) in stems


def contradiction(message: str, facts: Sequence[Fact]) -> Finding:
    """Return a contradiction that is mended by keeping one of its facts."""
    return Finding("contradiction", message, tuple(fact.id for fact in facts), keeping_one(facts))


def _phrased(fact: Fact, registry: Registry, notes: Read) -> _Phrased:
    text = sentence(fact, registry.get(fact.predicate))
    named = (subjects(predicate_words(each.predicate)) for each in notes.get(fact.id, [fact]))
    return _Phrased(fact, text, subjects(text), frozenset(named))
