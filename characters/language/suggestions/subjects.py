"""Find who a clause is about: the character, a relative, a possession, or somebody else."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from characters.domain import people

KIN = {word: f"HAS_{name}" for name, names in people.RELATIVES.items() for word in names} | {
    "sibling": "HAS_SIBLING",
    "child": "HAS_CHILD",
    "mentor": "HAS_MENTOR",
    "rival": "HAS_RIVAL",
    "best friend": "HAS_BEST_FRIEND",
}
"""Predicates by words for relatives and friends."""
KIN_WORDS = "|".join(KIN)
TITLES = frozenset(
    "dr dr. mr mr. mrs mrs. ms ms. prof professor captain sir lady lord king queen the of von van".split()
)
CHARACTER = r"\{\{char\}\}"

About = Literal["character", "kin", "possession", "other"]


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of a clause, which ends at `end`. `kin` is the relative ("father") or possession ("dream")."""

    about: About
    end: int
    kin: str = ""
    pronoun: str = ""
    """ "he" or "she", if the clause begins with it, or with "his" or "her"; else empty."""


_PRONOUN = re.compile(r"(?:he|she)\b(?!/)", re.IGNORECASE)
_ADJECTIVES = (
    r"(?:(?:late|younger|older|elder|eldest|youngest|little|big|twin|only|beloved|estranged|dear|own|true)\s+)*"
)
POSSESSIONS = {
    "name": "HAS_NAME",
    "nickname": "HAS_NICKNAME",
    "birthday": "BIRTHDAY",
    "motto": "HAS_MOTTO",
    "dream": "HAS_DREAM",
    "ambition": "HAS_DREAM",
    "goal": "HAS_GOAL",
    "hometown": "COMES_FROM",
    "home town": "COMES_FROM",
    "job": "HAS_JOB",
    "first job": "FIRST_JOB",
    "religion": "HAS_RELIGION",
    "hobby": "HAS_HOBBY",
    "secret": "HAS_SECRET",
    "pronouns": "HAS_PRONOUNS",
    **dict.fromkeys(("biggest fear", "greatest fear", "worst fear"), "HAS_FEAR"),
    **dict.fromkeys(("biggest regret", "greatest regret"), "REGRETS"),
}
"""Predicates by possessions that may be a clause's subject; any "favourite ..." may be, too."""
_OWNED = rf"favou?rite\s+\w+|{'|'.join(POSSESSIONS)}".replace(" ", r"\s+")


@dataclass(frozen=True, slots=True)
class Cast:
    """How a text refers to the character: the pattern of names, and the grammatical person."""

    name: re.Pattern[str]
    first: bool
    """Whether the text uses "I"."""
    second: bool
    """Whether the text uses "you"."""

    @property
    def third(self) -> bool:
        """Whether "he" or "she" may mean the character: the text uses neither "I" nor "you"."""
        return not (self.first or self.second)


_FIRST = re.compile(r"(?:^|[.!?\n][ \t*]{0,3}|, )(?:I|I'm|I've|My)\b")
_SECOND = re.compile(r"\b(?:[Yy]ou(?:'re|'ve)?|[Yy]our)\b")


def cast_of(text: str, names: Collection[str]) -> Cast:
    """Determine the cast from a whole text, with quotations hidden."""
    return Cast(_named(tuple(sorted(names))), bool(_FIRST.search(text)), bool(_SECOND.search(text)))


@lru_cache(maxsize=64)
def _named(names: tuple[str, ...]) -> re.Pattern[str]:
    """Match whole names, and each of their words that isn't a title."""
    forms = {CHARACTER}
    for name in names:
        forms.add(re.escape(name))
        forms |= {re.escape(word) for word in name.split() if word.lower() not in TITLES and len(word) > 1}
    return re.compile(rf"(?:{'|'.join(sorted(forms, key=lambda form: (-len(form), form)))})(?![\w-])", re.IGNORECASE)


def subject(clause: str, cast: Cast, pronouns: Collection[str]) -> Subject | None:
    """Return the subject that begins the clause, or None; `pronouns` are those that mean the character."""
    start = len(clause) - len(clause.lstrip())
    text = clause[start:]
    match = _pronoun(text, cast, pronouns)
    if match is None and (named := cast.name.match(text)):
        match = _named_subject(text, named)
    if match is None:
        match = _owned(text, cast, pronouns)
    if match is None:
        return None
    return Subject(match.about, match.end + start, match.kin, match.pronoun)


def _pronoun(text: str, cast: Cast, pronouns: Collection[str]) -> Subject | None:
    if match := re.match(r"I\b", text):
        return Subject("character" if cast.first else "other", match.end())
    if match := re.match(r"you\b", text, re.IGNORECASE):
        return Subject("character" if cast.second else "other", match.end())
    if match := _PRONOUN.match(text):
        pronoun = match.group().lower()
        means_character = cast.third and pronoun in pronouns
        return Subject("character" if means_character else "other", match.end(), pronoun=pronoun)
    if match := re.match(
        r"(?:they|it|we|this|that|there|these|those|everyone|people|some|nobody)\b", text, re.IGNORECASE
    ):
        return Subject("other", match.end())
    return None


def _named_subject(text: str, named: re.Match[str]) -> Subject | None:
    rest = text[named.end() :]
    if rest.startswith("'s ") and not re.match(r"'s (?:an?|the|also|still|\w+ing|from)\b", rest):
        return _of_possession(text, named.end() + 3)
    return Subject("character", named.end())


def _owned(text: str, cast: Cast, pronouns: Collection[str]) -> Subject | None:
    mine = re.match(r"my\s", text, re.IGNORECASE) if cast.first else None
    yours = re.match(r"your\s", text, re.IGNORECASE) if cast.second else None
    if match := mine or yours:
        return _of_possession(text, match.end())
    possessive = re.match(r"(?P<whose>his|her)\s", text, re.IGNORECASE) if cast.third else None
    pronoun = {"his": "he", "her": "she"}[possessive["whose"].lower()] if possessive else ""
    if possessive is None or pronoun not in pronouns:
        return None
    possession = _of_possession(text, possessive.end())
    return possession if possession.about == "other" else replace(possession, pronoun=pronoun)


def _of_possession(text: str, at: int) -> Subject:
    """Read the noun behind "your" or "Elena's"."""
    rest = text[at:]
    if match := re.match(rf"{_ADJECTIVES}(?P<kin>{KIN_WORDS})(?!['\w])", rest, re.IGNORECASE):
        return Subject("kin", at + match.end(), match["kin"].lower())
    if match := re.match(rf"(?P<what>{_OWNED})(?!['\w])", rest, re.IGNORECASE):
        return Subject("possession", at + match.end(), " ".join(match["what"].lower().split()))
    return Subject("other", at)
