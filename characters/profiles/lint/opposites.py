"""What a sheet says against itself: liked and disliked, said and denied, numbers that disagree."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from characters.profiles.lint.findings import Finding, keeping_one
from characters.turn.facts import predicate_words, sentence
from characters.turn.sheet import Fact, Predicate
from kgadmin import words

Registry = Mapping[str, Predicate]

FOR = frozenset({"LIKES", "LOVES", "ENJOYS", "PREFERS", "CARES_ABOUT", "INTERESTED_IN"})
FAVORITE = "FAVORITE_"
AGAINST = frozenset({"DISLIKES", "HATES"})
LEAST_STEMS = 2
"""Words with a subject that two sentences have to share before they are compared."""
SERIES = 3
"""Sentences that differ in a number only, above which they tell a series: "ran the marathon in 2001", "in 2002" ..."""
MOST = 3
"""Facts that are told to contradict one: mending them shows the others."""
_NEGATIONS = frozenset(
    """not no never cannot can't won't don't doesn't didn't isn't aren't wasn't weren't haven't hasn't nothing nobody
    neither nor without""".split()
)
_HAVING = frozenset(words.stem(word) for word in ("have", "own", "ever"))
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_PIECE = re.compile(r"[\w'’]+|[^\w\s]")
_BREAKS = frozenset(
    """and or but with without on in at before after when while which most especially above although though
    because if""".split()
)
"""Words after which a thing is told more of. "of", "who" and "that" say which thing it is."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A fact in words: the stems with a subject of its sentence, and of its predicate's name."""

    fact: Fact
    said: str
    stems: frozenset[str]
    named: frozenset[str]

    @property
    def denies(self) -> bool:
        return denies(self.said)

    @property
    def numbers(self) -> tuple[str, ...]:
        return tuple(sorted(found.replace(",", "") for found in _NUMBER.findall(self.said)))


def likings(facts: Sequence[Fact]) -> Iterator[Finding]:
    """The same thing liked and disliked, however much more is told of it on one side."""
    against = [(fact, _pieces(fact.object)) for fact in facts if fact.predicate in AGAINST]
    by_first: dict[str, list[tuple[Fact, list[str]]]] = {}
    for fact, pieces in against:
        by_first.setdefault(_first(pieces), []).append((fact, pieces))
    for fact in facts:
        if fact.predicate not in FOR and not fact.predicate.startswith(FAVORITE):
            continue
        pieces = _pieces(fact.object)
        disliked = (pair for pair in by_first.get(_first(pieces), ()) if _is_one_thing(pieces, pair[1]))
        for other, others in islice(disliked, MOST):
            said = f"“{fact.object}”" if pieces == others else f"“{fact.object}” and “{other.object}”"
            yield contradiction(f"{fact.predicate} and {other.predicate} both say {said}.", [fact, other])


def _pieces(text: str) -> list[str]:
    """Its words as stems, without those that say nothing, and where more is told of the thing: an empty text."""
    found = (piece.lower() for piece in _PIECE.findall(text.replace("’", "'")))
    marked = ("" if piece in _BREAKS or not piece[0].isalnum() else piece for piece in found)
    return [words.stem(piece) for piece in marked if not piece or piece not in words.STOP]


def _first(pieces: Sequence[str]) -> str:
    return next(filter(None, pieces), "")


def _is_one_thing(one: list[str], other: list[str]) -> bool:
    """Whether one of them is all of the other, or what stands there before more is told."""
    short, long = sorted((one, other), key=len)
    if not any(short):
        return False
    plain = [piece for piece in short if piece]
    told: list[str] = []
    for piece in [*long, ""]:
        if not piece and told == plain:
            return True
        told += [piece] if piece else []
    return False


def denials(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """What one sentence denies and another one says: all its words are there, or all are in the predicate's name."""
    told = [_told(fact, registry) for fact in facts]
    having: dict[str, set[int]] = {}
    for place, each in enumerate(told):
        for stem in each.stems | each.named:
            having.setdefault(stem, set()).add(place)
    for place, each in enumerate(told):
        stems = each.stems - _HAVING if each.denies else frozenset()
        saying = set.intersection(*(having.get(stem, set()) for stem in stems)) if stems else set()
        denied = (at for at in sorted(saying) if not told[at].denies)
        for at in islice((at for at in denied if len(stems) >= LEAST_STEMS or stems <= told[at].named), MOST):
            one, other = sorted((place, at))
            said = f"“{told[one].said}” and “{told[other].said}” say the opposite."
            yield contradiction(said, [facts[one], facts[other]])


def numbers(facts: Sequence[Fact], registry: Registry) -> Iterator[Finding]:
    """Sentences of the same words in which numbers differ, unless they tell a series."""
    by_words: dict[frozenset[str], list[_Told]] = {}
    for each in (_told(fact, registry) for fact in facts):
        if len(each.stems) >= LEAST_STEMS and each.numbers:
            by_words.setdefault(each.stems, []).append(each)
    for group in by_words.values():
        if len(group) > SERIES:
            continue
        for one, other in combinations(group, 2):
            if one.numbers != other.numbers and one.denies == other.denies:
                said = f"The numbers of “{one.said}” and “{other.said}” disagree."
                yield contradiction(said, [one.fact, other.fact])


def contradiction(said: str, facts: Sequence[Fact]) -> Finding:
    """One that is mended by keeping one of its facts."""
    return Finding("contradiction", said, tuple(fact.id for fact in facts), keeping_one(facts))


def _told(fact: Fact, registry: Registry) -> _Told:
    said = sentence(fact, registry.get(fact.predicate))
    named = frozenset(words.stem(word) for word in predicate_words(fact.predicate).split())
    return _Told(fact, said, subjects(said), named)


def denies(said: str) -> bool:
    """Whether a sentence says that something isn't so."""
    return not _NEGATIONS.isdisjoint(words.tokens(said))


def subjects(said: str) -> frozenset[str]:
    """The stems of its words that have a subject."""
    told = (word for word in words.tokens(said) if word not in words.STOP and word not in _NEGATIONS)
    return frozenset(words.stem(word) for word in told if not word[:1].isdigit())
