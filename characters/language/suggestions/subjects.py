"""Whom a clause is about: the character, one of her family, or somebody else."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from characters.language.suggestions import vocabulary

TITLES = frozenset(
    "dr dr. mr mr. mrs mrs. ms ms. prof professor captain sir lady lord king queen the of von van".split()
)
CHARACTER = r"\{\{char\}\}"

About = Literal["her", "kin", "hers", "other"]


@dataclass(frozen=True, slots=True)
class Subject:
    """`end` is where the predicate begins. `kin` is the relative ("father"), or what of hers it is ("dream")."""

    about: About
    end: int
    kin: str = ""
    pronoun: str = ""
    """ "he" or "she", where the clause begins with it, or with "his" or "her"."""


_SHE = re.compile(r"(?:he|she)\b(?!/)", re.IGNORECASE)
_ADJECTIVES = (
    r"(?:(?:late|younger|older|elder|eldest|youngest|little|big|twin|only|beloved|estranged|dear|own|true)\s+)*"
)
_KIN = "|".join(map(re.escape, vocabulary.KIN))
_OWNED = (
    r"favou?rite\s+\w+|name|nickname|birthday|motto|dream|goal|ambition|hometown|home\s+town|job|religion|hobby|secret"
    r"|biggest\s+fear|greatest\s+fear|worst\s+fear|pronouns|first\s+job|greatest\s+regret|biggest\s+regret"
)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who the character is in this text: the patterns of her names, and which pronouns mean her."""

    name: re.Pattern[str]
    first: bool
    """Whether the text speaks as "I"."""
    second: bool
    """Whether it speaks to "you"."""

    @property
    def third(self) -> bool:
        """Whether "she" or "he" may be her."""
        return not (self.first or self.second)


_FIRST = re.compile(r"(?:^|[.!?\n][ \t*]{0,3}|, )(?:I|I'm|I've|My)\b")
_SECOND = re.compile(r"\b(?:[Yy]ou(?:'re|'ve)?|[Yy]our)\b")


def cast_of(text: str, names: Collection[str]) -> Cast:
    """Read out of the whole text, whose quotations are hidden."""
    return Cast(_named(tuple(sorted(names))), bool(_FIRST.search(text)), bool(_SECOND.search(text)))


@lru_cache(maxsize=64)
def _named(names: tuple[str, ...]) -> re.Pattern[str]:
    """Whole names, and each of their words that is no title."""
    forms = {CHARACTER}
    for name in names:
        forms.add(re.escape(name))
        forms |= {re.escape(word) for word in name.split() if word.lower() not in TITLES and len(word) > 1}
    return re.compile(rf"(?:{'|'.join(sorted(forms, key=lambda form: (-len(form), form)))})(?![\w-])", re.IGNORECASE)


def subject(clause: str, cast: Cast, pronouns: Collection[str]) -> Subject | None:
    """Whom the clause begins with; None where it has no subject there. `pronouns`: which of "he" and "she" mean her."""
    start = len(clause) - len(clause.lstrip())
    said = clause[start:]
    found = _pronoun(said, cast, pronouns)
    if found is None and (named := cast.name.match(said)):
        found = _named_subject(said, named)
    if found is None:
        found = _owned(said, cast, pronouns)
    if found is None:
        return None
    return Subject(found.about, found.end + start, found.kin, found.pronoun)


def _pronoun(said: str, cast: Cast, pronouns: Collection[str]) -> Subject | None:
    if found := re.match(r"I\b", said):
        return Subject("her" if cast.first else "other", found.end())
    if found := re.match(r"you\b", said, re.IGNORECASE):
        return Subject("her" if cast.second else "other", found.end())
    if found := _SHE.match(said):
        pronoun = found.group().lower()
        means_her = cast.third and pronoun in pronouns
        return Subject("her" if means_her else "other", found.end(), pronoun=pronoun)
    if found := re.match(
        r"(?:they|it|we|this|that|there|these|those|everyone|people|some|nobody)\b", said, re.IGNORECASE
    ):
        return Subject("other", found.end())
    return None


def _named_subject(said: str, named: re.Match[str]) -> Subject | None:
    rest = said[named.end() :]
    if rest.startswith("'s ") and not re.match(r"'s (?:an?|the|also|still|\w+ing|from)\b", rest):
        return _of_hers(said, named.end() + 3)
    return Subject("her", named.end())


def _owned(said: str, cast: Cast, pronouns: Collection[str]) -> Subject | None:
    mine = re.match(r"my\s", said, re.IGNORECASE) if cast.first else None
    yours = re.match(r"your\s", said, re.IGNORECASE) if cast.second else None
    if found := mine or yours:
        return _of_hers(said, found.end())
    hers = re.match(r"(?P<whose>his|her)\s", said, re.IGNORECASE) if cast.third else None
    pronoun = {"his": "he", "her": "she"}[hers["whose"].lower()] if hers else ""
    if hers is None or pronoun not in pronouns:
        return None
    of_hers = _of_hers(said, hers.end())
    return of_hers if of_hers.about == "other" else replace(of_hers, pronoun=pronoun)


def _of_hers(said: str, at: int) -> Subject:
    """What stands behind "your" or "Elena's"."""
    rest = said[at:]
    if found := re.match(rf"{_ADJECTIVES}(?P<kin>{_KIN})(?!['\w])", rest, re.IGNORECASE):
        return Subject("kin", at + found.end(), found["kin"].lower())
    if found := re.match(rf"(?P<what>{_OWNED})(?!['\w])", rest, re.IGNORECASE):
        return Subject("hers", at + found.end(), " ".join(found["what"].lower().split()))
    return Subject("other", at)
