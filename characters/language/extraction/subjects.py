"""Find who a clause is about: the person, a relative or pet of theirs, or a known entity by its name."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from characters.domain.entities import key
from characters.domain.people import EntityKind
from characters.language.extraction import names, proper

CONFIDENCE = 0.9

_FIRST = re.compile(
    r"""[\s,]*(?:
        (?:so|well|btw|anyway|hi|hey|hello|oh|yes|yeah|no|ok|okay|honestly|actually|ngl|fyi|personally|lol|and|but
        |now|today|nowadays|these\ days|turns\ out|as\ of\ (?:today|now|this\ week)|by\ the\ way|in\ fact|luckily|sadly
        |funnily\ enough|after\ (?:\w+\ ){1,3}(?=i\b)
        )[\s,!.]+
    )*(?P<who>i|we)(?P<aux>'m|m|'re|'ve|ve|'d|\ am|\ are|\ have)?(?=[\s,])""",
    re.IGNORECASE | re.VERBOSE,
)
_VERBS_OF_AUX = {"m": "am", "re": "am", "are": "am", "ve": "have", "d": "'d"}
_LEFT_OUT = re.compile(
    r"""[\s,]*(?:(?:so|well|btw|hi|hey|ok|okay|finally|just|recently)[\s,!.]+)*
    (?P<verb>(?:started|moved|relocated|bought|adopted|rescued|sold|got\ rid\ of|got\ hired|quit|became|born|grew\ up
      |(?:absolutely\ |really\ )?(?:love|hate|adore|can't\ stand|can't\ bear))\b)""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Who a clause is about; `name` is empty for the person.

    The subject ends at `end`; `verb` is a verb that is contracted with it ("am" of "I'm")."""

    name: str
    kind: EntityKind
    end: int
    verb: str = ""
    inherited: bool = False
    """Whether it is taken over from the clause before."""
    confidence: float = CONFIDENCE

    @classmethod
    def first_person(cls, text: str, start: int) -> Self | None:
        """Read "I", "I'm", "we've"."""
        match = _FIRST.match(text, start)
        if match is None:
            return None
        aux = (match["aux"] or "").strip(" '").lower()
        if aux and match["aux"][0] not in "' " and match["who"].lower() == "we":
            return None  # "wem": only "I" may lack its apostrophe ("Im")
        return cls("", "person", match.end(), _VERBS_OF_AUX.get(aux, aux))

    @classmethod
    def left_out(cls, text: str) -> Self | None:
        """Read "Just moved to Oslo": a sentence that begins so is about its writer."""
        match = _LEFT_OUT.match(text)
        return cls("", "person", match.start("verb")) if match else None

    def again(self, at: int) -> Self:
        """Return the same subject for a further verb: "I sold my car and bought a bike"."""
        return replace(self, end=at, verb="", inherited=True)


def subject_at(text: str, start: int, known: Mapping[str, EntityKind]) -> Subject | None:
    """Return who the clause at `start` is about; `known` maps folded names of entities to kinds."""
    first = Subject.first_person(text, start)
    if first:
        return first
    mine = names.mine_at(text, start)
    if mine:
        is_one = mine.subject and not mine.many
        return Subject(mine.subject, "person" if mine.kin else "pet", mine.end) if is_one else None
    return _by_name(text, start, known)


def _by_name(text: str, start: int, known: Mapping[str, EntityKind]) -> Subject | None:
    """Read "Luna got a brother called Sol" if Luna is known; the longest known name wins."""
    proper_name = proper.name(text, start)
    name = proper_name.text if proper_name else ""
    while proper_name and name:
        kind = known.get(key(name))
        if kind:
            return Subject(name, kind, proper_name.start + len(name))
        name = name.rpartition(" ")[0]
    return None
