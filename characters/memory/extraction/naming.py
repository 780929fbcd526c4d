"""Who is called what: "a cat called Luna", "my sister Ana", "Otto, my beagle"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from characters.memory.extraction import lexicon, nouns
from characters.memory.extraction.nouns import Phrase
from characters.turn.people import KIN
from kgadmin import words

_ADJECTIVES = (
    r"(?:(?:two|three|four|both|older|elder|eldest|oldest|younger|youngest|little|big|baby|kid|twin|dear|lovely|beloved|new|best|good|close|closest|only|other|sweet|poor|"
    r"darling|wonderful|amazing|favourite|favorite|adorable|old|silly|crazy|middle|first|second|fluffy|black|white|ginger|grey|gray|orange|brown|tabby|"
    r"rescue|rescued|tiny|fat|chubby|grumpy|lazy|clever|naughty|dearest|half|step|beautiful|cute|pet|senior|elderly|three-legged|one-eyed|own|next-door|"
    r"adopted|foster|then|work|school|uni|college|university|childhood|oldest|longtime|long-time|spanish|dutch|german|french|italian|irish|polish)\s+)*"
)
_KIN_OF = {word: name for name, names in KIN.items() for word in names} | {
    "mommy": "MOTHER", "mummy": "MOTHER", "daddy": "FATHER", "granny": "GRANDMOTHER", "gran": "GRANDMOTHER", "nan": "GRANDMOTHER", "grandad": "GRANDFATHER",
    "granddad": "GRANDFATHER", "auntie": "AUNT", "aunty": "AUNT", "bro": "BROTHER", "sis": "SISTER", "fiance": "PARTNER", "bf": "PARTNER", "gf": "PARTNER",
    "hubby": "HUSBAND", "wifey": "WIFE", "co-worker": "COLLEAGUE", "workmate": "COLLEAGUE", "housemate": "ROOMMATE", "bestie": "FRIEND", "mate": "FRIEND",
    "buddy": "FRIEND", "pal": "FRIEND", "bff": "FRIEND", "stepbrother": "BROTHER", "stepsister": "SISTER", "stepfather": "FATHER", "stepmother": "MOTHER",
    "stepdad": "FATHER", "stepmom": "MOTHER", "stepmum": "MOTHER", "pop": "FATHER", "pops": "FATHER", "ma": "MOTHER", "manager": "BOSS",
}  # fmt: skip
_KIN = "|".join(sorted(map(re.escape, _KIN_OF), key=len, reverse=True))
_PETS = "|".join(sorted(map(re.escape, lexicon.entries("pets")), key=len, reverse=True))
_PLURAL = r"(?:s|es)?"
_MINE = re.compile(
    rf"\b(?:my|our)\s+{_ADJECTIVES}(?:(?P<kin>{_KIN})|(?P<pet>{_PETS}))(?P<many>{_PLURAL})(?![\w-])", re.I
)
_BARRED = re.compile(
    r"\b(?:my|our)\s+(?:\w+\s+)?(?:ex|late|former|imaginary|fictional|virtual|plush|toy|stuffed|robot|future|dream)[-\s]",
    re.I,
)

_CALLED = re.compile(
    r"(?:\s+(?:last|this) \w+|\s+yesterday|\s+today|\s+recently)?,?\s*(?:(?:who|which|that)(?:'s|\s+is|\s+are)?\s+)?(?:called|named|by\s+the\s+name\s+of|whose\s+names?\s+(?:is|are)|(?:and|,)\s+(?:his|her|its|their)\s+names?\s+(?:is|are))[:,]?\s+(?:is\s+)?",
    re.I,
)
_IS_CALLED = re.compile(
    r"(?:(?:'s|s')?\s+names?(?:'s|\s+is|\s+are)|(?:'s|\s+is|\s+are)\s+(?:called|named))[:,]?\s+", re.I
)
_AND = re.compile(r"\s*(?:,|,?\s+and|&)\s+(?=[^\W_])", re.I)
_PAUSE = re.compile(r"\s*(?:[,.;:!?)…–—\n]|-\s|$)")


@dataclass(frozen=True, slots=True)
class Mine:
    """ "my little sister Ana", "our dogs Rex and Bo": from `start` to `end`, names included."""

    start: int
    end: int
    names: tuple[Phrase, ...]
    kin: str = ""
    """Name of the relation, "SISTER"."""
    species: str = ""
    many: bool = False

    @property
    def subject(self) -> str:
        """What a fact about them is told of: their name, else the word for them."""
        if self.names:
            return self.names[0].text
        return KIN[self.kin][0] if self.kin else self.species


def kin(word: str) -> str:
    """The relation that a word names ("dad" -> "FATHER"), or nothing."""
    plain = word.lower()
    return _KIN_OF.get(plain) or _KIN_OF.get(lexicon.singular(plain), "")


def mine(text: str) -> Iterator[Mine]:
    """All relatives, friends and pets that the text calls the person's own."""
    for found in _MINE.finditer(text):
        read = _read(text, found)
        if read:
            yield read


def mine_at(text: str, start: int) -> Mine | None:
    """The one that begins here."""
    found = _MINE.match(text, start)
    return _read(text, found) if found else None


def _read(text: str, found: re.Match[str]) -> Mine | None:
    if _BARRED.match(text, found.start()):
        return None
    is_kin = found["kin"] is not None
    relation = _KIN_OF[found["kin"].lower()] if is_kin else ""
    species = "" if is_kin else found["pet"].lower()
    many = bool(found["many"])
    names = _apposed(text, found.start(), found.end(), many=many)
    end = names[-1].end if names and names[-1].end > found.end() else found.end()
    if not names and (called := _IS_CALLED.match(text, found.end())):
        names = listed(text, called.end(), many=many)
        end = names[-1].end if names else end
    return Mine(found.start(), end, tuple(names), relation, species, many)


def _apposed(text: str, start: int, end: int, *, many: bool) -> list[Phrase]:
    """Names right behind ("my cat Luna", "my boss, Karen,") or in front ("Otto, my beagle")."""
    if text[end : end + 1] == " ":
        called = _CALLED.match(text, end)
        named = listed(
            text, called.end() if called else end, many=many, lower=called is not None or text == text.lower()
        )
        if named and (called or not _is_word_of_sentence(text, named[0])):
            return named
        return []
    if text[end : end + 1] == ",":
        called = _CALLED.match(text, end)
        named = listed(text, called.end() if called else end + 1, many=many)
        if named and (called or (_PAUSE.match(text, named[-1].end) and _is_given(named[0].text))):
            return named
    front = re.search(r"([^\W\d_][\w'-]+),\s*$", text[:start])
    if (
        front
        and (name := nouns.name(text, front.start(1)))
        and name.end == front.end(1)
        and _is_given(name.text)
        and _PAUSE.match(text, end)
    ):
        return [name]
    return []


def _is_given(name: str) -> bool:
    """A word with a capital that isn't a common word in a sentence's first place."""
    return name[:1].isupper() and not words.is_common(name.lower())


def _is_word_of_sentence(text: str, name: Phrase) -> bool:
    """ "my sister I think": no name, though with a capital."""
    return name.text.lower() in {"i", "and", "but", "so", "the"}


def listed(text: str, start: int, *, many: bool = True, lower: bool = True) -> list[Phrase]:
    """A name, or with `many` several: "Luna and Sol"."""
    first = nouns.name(text, start, lower=lower)
    names = [first] if first else []
    while many and names and (joint := _AND.match(text, names[-1].end)) and len(names) < 6:
        following = nouns.name(text, joint.end(), lower=lower)
        if following is None:
            break
        names.append(following)
    return names


def called(text: str, end: int, *, many: bool) -> list[Phrase]:
    """The names behind a noun phrase that ends at `end`: "called Luna", ", Luna,", ": Luna and Sol"."""
    if found := _CALLED.match(text, end):
        return listed(text, found.end(), many=many)
    if re.match(r"\s*[,:(]\s*[A-Z]", text[end:]):
        names = listed(text, end + re.match(r"\s*[,:(]\s*", text[end:]).end(), many=many, lower=False)  # type: ignore[union-attr]
        return (
            names if names and _PAUSE.match(text, names[-1].end) and all(_is_given(name.text) for name in names) else []
        )
    return []
