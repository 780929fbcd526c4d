"""Read the names of relatives and pets: "a cat called Luna", "my sister Ana", "Otto, my beagle"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from characters.domain import lexicon, words
from characters.domain.people import KIN
from characters.language.extraction import proper
from characters.language.extraction.nouns import Phrase

MAX_NAMES = 6
MAX_NAME = 40

_FURTHER_KIN = {
    "MOTHER": "mommy mummy ma stepmother stepmom stepmum",
    "FATHER": "daddy pop pops stepfather stepdad",
    "BROTHER": "bro stepbrother",
    "SISTER": "sis stepsister",
    "GRANDMOTHER": "granny gran nan",
    "GRANDFATHER": "grandad granddad",
    "AUNT": "auntie aunty",
    "HUSBAND": "hubby",
    "WIFE": "wifey",
    "PARTNER": "fiance bf gf",
    "COLLEAGUE": "co-worker workmate",
    "ROOMMATE": "housemate",
    "FRIEND": "bestie mate buddy pal bff",
    "BOSS": "manager",
}
"""Informal words, in addition to those of `KIN`."""
_KIN_OF = {word: kin for kin, names in KIN.items() for word in names} | {
    word: kin for kin, names in _FURTHER_KIN.items() for word in names.split()
}
KIN_WORDS = frozenset(_KIN_OF)
"""All words for relatives, friends and colleagues."""

_MINE = re.compile(
    rf"\b(?:my|our)\s+(?:(?:{lexicon.alternatives('relative adjectives')})\s+)*"
    rf"(?:(?P<kin>{lexicon.one_of(KIN_WORDS)})|(?P<pet>{lexicon.alternatives('pets')}))"
    r"(?P<many>(?:s|es)?)(?![\w-])",
    re.IGNORECASE,
)
_BARRED = re.compile(
    r"\b(?:my|our)\s+(?:\w+\s+)?"
    r"(?:ex|late|former|imaginary|fictional|virtual|plush|toy|stuffed|robot|future|dream)[-\s]",
    re.IGNORECASE,
)
"""Relatives and pets that are former, dead or not real."""
_CALLED = re.compile(
    r"""(?:\s+(?:last|this)\s\w+|\s+yesterday|\s+today|\s+recently)?,?\s*
    (?:(?:who|which|that)(?:'s|\s+is|\s+are)?\s+)?
    (?:called|named|by\s+the\s+name\s+of
      |whose\s+names?\s+(?:is|are)
      |(?:and|,)\s+(?:his|her|its|their)\s+names?\s+(?:is|are)
    )[:,]?\s+(?:is\s+)?""",
    re.IGNORECASE | re.VERBOSE,
)
_IS_CALLED = re.compile(
    r"(?:(?:'s|s')?\s+names?(?:'s|\s+is|\s+are)|(?:'s|\s+is|\s+are)\s+(?:called|named))[:,]?\s+", re.IGNORECASE
)
_AND = re.compile(r"\s*(?:,|,?\s+and|&)\s+(?=[^\W_])", re.IGNORECASE)
_PAUSE = re.compile(r"\s*(?:[,.;:!?)…–—\n]|-\s|$)")
_APPOSED = re.compile(r"\s*[,:(]\s*(?=[A-Z])")
_IN_FRONT = re.compile(r"([^\W\d_][\w'-]+),\s*$")
_WORDS_OF_SENTENCES = frozenset({"i", "and", "but", "so", "the"})


@dataclass(frozen=True, slots=True)
class Mine:
    """A mention such as "my little sister Ana", "our dogs Rex and Bo": from `start` to `end`, names included."""

    start: int
    end: int
    names: tuple[Phrase, ...]
    kin: str = ""
    """Name of the relation, such as "SISTER"; empty for a pet."""
    word: str = ""
    """Word used for it, lower case: "sis", "beagle"."""
    many: bool = False

    @property
    def subject(self) -> str:
        """Subject of its facts: the first name, else the word for a relative; empty for a pet without a name."""
        if self.names:
            return capitalised(self.names[0].text)
        return KIN[self.kin][0] if self.kin else ""


def kin(word: str) -> str:
    """Return the relation that a word names ("dad" -> "FATHER"), or an empty string."""
    plain = word.lower()
    return _KIN_OF.get(plain) or _KIN_OF.get(lexicon.singular(plain), "")


def capitalised(name: str) -> str:
    """Capitalise a name that was typed in lower case."""
    return name.title() if name == name.lower() else name


def mine(text: str) -> Iterator[Mine]:
    """Yield all relatives, friends and pets that the text calls "my" or "our"."""
    for match in _MINE.finditer(text):
        read = _read(text, match)
        if read:
            yield read


def mine_at(text: str, start: int) -> Mine | None:
    """Return the mention that begins at `start`, or None."""
    match = _MINE.match(text, start)
    return _read(text, match) if match else None


def called(text: str, end: int, *, many: bool) -> list[Phrase]:
    """Return the names behind a noun phrase that ends at `end`: "called Luna", ", Luna,", ": Luna and Sol"."""
    if match := _CALLED.match(text, end):
        return _listed(text, match.end(), many=many)
    if match := _APPOSED.match(text, end):
        names = _listed(text, match.end(), many=many, lower=False)
        if names and _PAUSE.match(text, names[-1].end) and all(_is_given(name.text) for name in names):
            return names
    return []


def _read(text: str, match: re.Match[str]) -> Mine | None:
    if _BARRED.match(text, match.start()):
        return None
    word = (match["kin"] or match["pet"]).lower()
    many = bool(match["many"])
    names = _beside(text, match.start(), match.end(), many=many)
    if not names and (is_called := _IS_CALLED.match(text, match.end())):
        names = _listed(text, is_called.end(), many=many)
    end = max([match.end(), *(name.end for name in names)])
    return Mine(match.start(), end, tuple(names), _KIN_OF[word] if match["kin"] else "", word, many)


def _beside(text: str, start: int, end: int, *, many: bool) -> list[Phrase]:
    """Return names right behind ("my cat Luna", "my boss, Karen,") or in front ("Otto, my beagle")."""
    match = _CALLED.match(text, end)
    if text[end : end + 1] == " ":
        lower = match is not None or text == text.lower()
        names = _listed(text, match.end() if match else end, many=many, lower=lower)
        return names if names and (match or names[0].text.lower() not in _WORDS_OF_SENTENCES) else []
    if text[end : end + 1] == ",":
        names = _listed(text, match.end() if match else end + 1, many=many)
        if names and (match or (_PAUSE.match(text, names[-1].end) and _is_given(names[0].text))):
            return names
    return _in_front(text, start, end)


def _in_front(text: str, start: int, end: int) -> list[Phrase]:
    front = _IN_FRONT.search(text, max(0, start - MAX_NAME), start)
    name = proper.name(text, front.start(1)) if front else None
    if front and name and name.end == front.end(1) and _is_given(name.text) and _PAUSE.match(text, end):
        return [name]
    return []


def _is_given(name: str) -> bool:
    """Return whether this is a capitalised name rather than a common word that begins a sentence."""
    return name[:1].isupper() and not words.is_common(name.lower())


def _listed(text: str, start: int, *, many: bool, lower: bool = True) -> list[Phrase]:
    """Return the name at `start`, or several if `many`: "Luna and Sol"."""
    first = proper.name(text, start, lower=lower)
    names = [first] if first else []
    while many and names and (joint := _AND.match(text, names[-1].end)) and len(names) < MAX_NAMES:
        following = proper.name(text, joint.end(), lower=lower)
        if following is None:
            break
        names.append(following)
    return names
