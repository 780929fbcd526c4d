"""Predicates for facts about people, and how such a fact is put into words."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from characters.domain.grammar import with_article
from characters.domain.lexicon import read_blocks

EntityKind = Literal["person", "pet", "place", "organisation", "thing", "topic"]


@dataclass(frozen=True, slots=True)
class PersonPredicate:
    """A registered kind of fact about a person, or about an entity of theirs.

    `sentence` holds `{subject}` and `{object}` (or `{a object}`); `kind` is the kind of its objects. Unless it is
    `many`, a new fact closes the old one; so does a fact of the `opposite` predicate with the same object.
    """

    name: str
    family: str
    sentence: str
    kind: EntityKind = "thing"
    many: bool = True
    opposite: str = ""
    questions: tuple[str, ...] = ()
    """Questions by which the person would ask for the fact."""


KIN: Mapping[str, tuple[str, ...]] = {
    "MOTHER": ("mother", "mom", "mum", "mama"),
    "FATHER": ("father", "dad", "papa"),
    "BROTHER": ("brother",),
    "SISTER": ("sister",),
    "SON": ("son",),
    "DAUGHTER": ("daughter",),
    "WIFE": ("wife",),
    "HUSBAND": ("husband",),
    "PARTNER": ("partner", "girlfriend", "boyfriend", "fiancé", "fiancée", "fiance", "fiancee"),
    "GRANDMOTHER": ("grandmother", "grandma", "nana"),
    "GRANDFATHER": ("grandfather", "grandpa"),
    "AUNT": ("aunt",),
    "UNCLE": ("uncle",),
    "COUSIN": ("cousin",),
    "NIECE": ("niece",),
    "NEPHEW": ("nephew",),
    "FRIEND": ("friend", "best friend"),
    "BOSS": ("boss",),
    "COLLEAGUE": ("colleague", "coworker", "co-worker"),
    "NEIGHBOUR": ("neighbour", "neighbor"),
    "ROOMMATE": ("roommate", "flatmate"),
}
"""For each predicate HAS_X, the words for that person; sentences use the first."""

_NOT_FAMILY = {"FRIEND": "friends", "BOSS": "work", "COLLEAGUE": "work", "NEIGHBOUR": "home", "ROOMMATE": "home"}
RELATIVES = {name: words for name, words in KIN.items() if name not in _NOT_FAMILY}
PRONOUNS: Mapping[str, str] = {
    **dict.fromkeys("FATHER BROTHER SON HUSBAND GRANDFATHER UNCLE NEPHEW".split(), "he"),
    **dict.fromkeys("MOTHER SISTER DAUGHTER WIFE GRANDMOTHER AUNT NIECE".split(), "she"),
}
"""Pronouns of kin whose word tells the gender."""
PRONOUN_OF_WORD = {word: pronoun for name, pronoun in PRONOUNS.items() for word in KIN[name]} | {
    **dict.fromkeys(("boyfriend", "bf"), "he"),
    **dict.fromkeys(("girlfriend", "gf"), "she"),
}
KIN_WORDS = frozenset(word for words in KIN.values() for word in words)
"""Words that name somebody whose own name is unknown: the entity "father" is worded "Mark's father"."""

_ONE_OF = frozenset({"MOTHER", "FATHER", "WIFE", "HUSBAND", "PARTNER", "BOSS"})


def _kin(name: str) -> PersonPredicate:
    word = KIN[name][0]
    return PersonPredicate(
        f"HAS_{name}",
        _NOT_FAMILY.get(name, "family"),
        f"{{subject's}} {word} is {{object}}",
        kind="person",
        many=name not in _ONE_OF,
        questions=(f"What is my {word}'s name?", f"Who is my {word}?"),
    )


def _predicates() -> Iterator[PersonPredicate]:
    for heading, lines in read_blocks(Path(__file__).with_name("people.txt")):
        if heading == "KIN":
            yield from map(_kin, KIN)
            continue
        name, family, kind, number, *opposite = heading.split(" | ")
        sentence, *asked = lines
        is_many, opposites = number == "many", "".join(opposite)
        yield PersonPredicate(name, family, sentence, cast(EntityKind, kind), is_many, opposites, tuple(asked))


PERSON_PREDICATES: Mapping[str, PersonPredicate] = {each.name: each for each in _predicates()}

_PLACE = re.compile(r"\{(?:subject's|subject|a object|object)\}")
_PLURAL = re.compile(r"(?<![sui])s$|^(?:mice|geese|fish|sheep)$")

FAVORITE = "FAVORITE_"
"""Prefix of predicates for the one favourite of a kind: FAVORITE_BOOK."""


def is_registered(name: str) -> bool:
    """Return whether `name` is a predicate of the list, or a favourite of any kind."""
    return name in PERSON_PREDICATES or bool(re.fullmatch(r"FAVORITE_[A-Z][A-Z_]{1,30}", name))


def person_predicate(name: str) -> PersonPredicate:
    """Return the registered predicate or a favourite's; else one of family "other" that takes many objects."""
    if name in PERSON_PREDICATES:
        return PERSON_PREDICATES[name]
    words = name.lower().replace("_", " ")
    if name.startswith(FAVORITE):
        what = words.removeprefix("favorite ")
        sentence = f"{{subject's}} favourite {what} is {{object}}"
        return PersonPredicate(name, "taste", sentence, "topic", False, "", (f"What is my favourite {what}?",))
    return PersonPredicate(name, "other", f"{{subject}} {words} {{object}}")


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact about a person that an extractor read from characters `start` to `end` of a message.

    `subject` is empty for the person, else the name of an entity. `ends`: the message says that it no longer holds.
    """

    predicate: str
    object: str
    start: int
    end: int
    subject: str = ""
    kind: EntityKind = "thing"
    confidence: float = 0.9
    ends: bool = False


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A current fact about a person, or about an entity of theirs, as a turn uses it."""

    id: str
    """"user_fact:12"."""
    subject: str
    """Id of an entity; empty for the person."""
    subject_name: str
    predicate: str
    object: str
    """Id of an entity."""
    object_name: str
    text: str
    """The object as it was worded."""
    confidence: float
    mentions: int

    @property
    def family(self) -> str:
        """Family of the predicate."""
        return person_predicate(self.predicate).family


def sentence(person: str, predicate: str, text: str, *, subject: str = "", species: str = "") -> str:
    """Return a fact as a sentence without a full stop: "Mark has a cat called Luna".

    `subject` is the name of the entity that it is about, if not the person; `species` is a pet's, if known.
    """
    who = f"{_possessive(person)} {subject}" if subject.lower() in KIN_WORDS else subject or person
    if predicate == "HAS_PET":
        text = _pet(text, species)
    words = {
        "{subject's}": _possessive(who),
        "{subject}": who,
        "{a object}": with_article(text),
        "{object}": text,
    }
    return _PLACE.sub(lambda match: words[match.group()], person_predicate(predicate).sentence)


def _pet(text: str, species: str) -> str:
    """Word a pet: "a cat called Luna", "a pet called Luna"; without a name "a gecko", "dogs"."""
    if species and text != species:
        return f"{with_article(species)} called {text}"
    last, plain = text.rpartition(" ")[2], text.lower()
    if not last.islower() or " the " in text:
        return f"a pet called {text}"
    return text if _PLURAL.search(last) else with_article(plain).removesuffix(plain) + text


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"
