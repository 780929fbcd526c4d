"""Statements that aren't tastes: what else the patterns of suggestions read out of a clause that begins with "I"."""

import re
from collections.abc import Iterator, Mapping

from characters.domain.facts import NOTE
from characters.domain.sheet import Predicate
from characters.language.claims import objects
from characters.language.claims.places import Stretch
from characters.language.claims.statements import Stated
from characters.language.claims.wording import worded
from characters.language.suggestions.clauses import Reader
from characters.language.suggestions.subjects import Cast

_CERTAINTY = 0.8
_NOBODY = re.compile(r"(?!)")
_CAST = Cast(name=_NOBODY, first=True, second=False)
_OWN = re.compile(r"(?:I|My|my)\b(?!/)")
_MOODS = frozenset(
    """anxious careful certain confident curious determined eager earnest fine glad grateful happy honest hopeful
    impatient jealous merciful patient polite practical precise proud ready serious sincere sorry sure sympathetic
    careless impressed direct blunt frank literal quiet silly cautious awkward funny kind gentle thoughtful""".split()
)
"""Adjectives that say how she is just now, rather than for good."""
_IDIOMS = frozenset("lie say tell complain the worst".split())
_NO_CLASS = worded(
    r"(?:\w+ )*(?:believer|sucker|fan|lover|enthusiast|mess|expert|friend|listener|bit|little|touch|tad|good|big"
    r"|great|fool|wreck|model|moment|hurry|minute|book|sort|kind)"
)


def read(said: Stretch, registered: Mapping[str, Predicate]) -> Iterator[Stated]:
    """Each with a registered predicate that can't be learned; tastes have their own tables."""
    if not _OWN.match(said.text) or objects.is_passing(said.text):
        return
    for predicate, found in Reader(_CAST).read(said.text):
        kind = registered.get(predicate)
        if kind is None or kind.learnable or predicate == NOTE or not _is_lasting(predicate, found):
            continue
        if there := re.search(re.escape(found.removeprefix("got ")), said.text, re.IGNORECASE):
            item = objects.phrase(said.part(*there.span()))
            yield Stated(predicate, item, said.part(0, item.end - said.start), _CERTAINTY, False)


def _is_lasting(predicate: str, found: str) -> bool:
    if predicate == "HAS_TRAIT":
        return found.lower().split()[-1] not in _MOODS
    if predicate == "HAS_NAME":
        return found[:1].isupper()
    if predicate in {"CANNOT", "HAS_FEAR"}:
        return found.lower().split()[0] not in _IDIOMS
    return predicate != "IS_A" or _NO_CLASS.fullmatch(found) is None
