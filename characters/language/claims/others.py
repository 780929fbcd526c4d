"""Statements that aren't tastes: what else the patterns of suggestions read out of a clause that begins with "I"."""

import re
from collections.abc import Iterator, Mapping

from characters.domain import lexicon
from characters.domain.facts import NOTE
from characters.domain.lexicon import worded
from characters.domain.sheet import Predicate
from characters.language.claims import objects
from characters.language.claims.statements import Stated
from characters.language.sentences import Stretch
from characters.language.suggestions.clauses import Reader
from characters.language.suggestions.subjects import Cast

_CERTAINTY = 0.8
_NOBODY = re.compile(r"(?!)")
_CAST = Cast(name=_NOBODY, first=True, second=False)
_FIRST_PERSON = re.compile(r"(?:I|My|my)\b(?!/)")
_MOODS = lexicon.entries("moods")
"""Adjectives that say how she is just now, rather than for good."""
_IDIOMS = frozenset("lie say tell complain the worst".split())
_NO_CLASS = worded(
    r"(?:\w+ )*(?:believer|sucker|fan|lover|enthusiast|mess|expert|friend|listener|bit|little|touch|tad|good|big"
    r"|great|fool|wreck|model|moment|hurry|minute|book|sort|kind)"
)


def read(clause: Stretch, registered: Mapping[str, Predicate]) -> Iterator[Stated]:
    """Each with a registered predicate that can't be learned; tastes have their own tables."""
    if not _FIRST_PERSON.match(clause.text) or objects.is_passing(clause.text):
        return
    for predicate, object_text in Reader(_CAST).read(clause.text):
        kind = registered.get(predicate)
        if kind is None or kind.learnable or predicate == NOTE or not _is_lasting(predicate, object_text):
            continue
        if there := re.search(re.escape(object_text.removeprefix("got ")), clause.text, re.IGNORECASE):
            item = objects.phrase(clause.part(*there.span()))
            yield Stated(predicate, item, clause.part(0, item.end - clause.start), _CERTAINTY, False)


def _is_lasting(predicate: str, object_text: str) -> bool:
    if predicate == "HAS_TRAIT":
        return object_text.lower().split()[-1] not in _MOODS
    if predicate == "HAS_NAME":
        return object_text[:1].isupper()
    if predicate in {"CANNOT", "HAS_FEAR"}:
        return object_text.lower().split()[0] not in _IDIOMS
    return predicate != "IS_A" or _NO_CLASS.fullmatch(object_text) is None
