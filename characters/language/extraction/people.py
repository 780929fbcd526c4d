"""Whom a message speaks of: its writer, their relatives, friends and pets, by name or by "he" and "she"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from characters.domain import lexicon, words
from characters.domain.entities import key
from characters.domain.people import KIN, PRONOUN_OF_WORD, PRONOUNS, EntityKind

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MAX_NAMES = 6
_FURTHER_KIN = {
    "MOTHER": "mommy mummy ma stepmother stepmom stepmum moms",
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
_TITLES = frozenset("uncle aunt auntie aunty grandma grandpa nana gran granny".split())
"""Words for relatives that stand before a name."""
_OWN_NAMES = frozenset(
    "dad daddy mum mom mummy mommy mama papa grandma grandpa nan nana gran granny grandad granddad".split()
)
"""Relatives whom one calls so: "Dad used to be a miner"."""
FORMER = frozenset("ex late former".split())
BARRED = FORMER.union("imaginary fictional virtual plush toy stuffed robot future dream".split())
"""Relatives and pets that are former, dead or not real."""
_CALLED = re.compile(
    r"""(?:\s+(?:last|this)\s\w+|\s+yesterday|\s+today|\s+recently)?\s*,?\s*
    (?:(?:who|which|that)(?:'s|\s+is|\s+are)?\s+)?
    (?:called|named|by\s+the\s+name\s+of
      |whose\s+names?\s+(?:is|are)
      |(?:'s|s)?\s*names?(?:\s+is|\s+are|'s)
      |(?:'s|\s+is|\s+are)\s+(?:called|named)
      |(?:and|,)\s+(?:his|her|its|their)\s+names?\s+(?:is|are)
    )[:,]?\s+(?:is\s+)?""",
    re.IGNORECASE | re.VERBOSE,
)
_APPOSED = re.compile(r"\s*[,:(]\s*(?=[A-Z])")
_PAUSE = re.compile(r"\s*(?:[,.;:!?)…–—\n]|-\s|$|and\b)")
_AND = re.compile(r"\s*(?:,|,?\s+and|&)\s+(?=[^\W_])", re.IGNORECASE)
_NAME = re.compile(r"\s*((?:(?:Mr|Mrs|Ms|Dr)\.?\s+)?[^\W\d_][\w'’-]*(?:\s+[A-Z][\w'’-]*){0,2})")
_IS = re.compile(r"(?:'s| is)(?= [A-Z])")
_OF_PETS = frozenset("walker food sitter side shelter hair bed".split())
_NO_NAME = frozenset("i i'm i've and but so the".split())
_CHAT = frozenset("anymore lol haha btw tho omg rn imo tbh idk lmao gonna wanna gotta kinda sorta dunno ngl".split())
"""Words of chats that are in no list and no names."""


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a clause is about. `name` is empty for the writer, else a name or a word such as "father"."""

    name: str
    kind: EntityKind = "person"
    confidence: float = 0.9


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a sentence, as it is written there."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mine:
    """A mention such as "my little sister Ana", "our dogs Rex and Bo", from `start` to `end`; `head` is its noun."""

    start: int
    end: int
    head: "Token"
    names: tuple[Name, ...]
    kin: str = ""
    """Name of the relation, such as "SISTER"; empty for a pet."""
    word: str = ""
    many: bool = False
    is_former: bool = False

    @property
    def who(self) -> Who | None:
        """Whom it is: by the first name, else by the word for a relative; None for several, and for a nameless pet."""
        kind: EntityKind = "person" if self.kin else "pet"
        if self.many or self.is_former:
            return None
        name = capitalised(self.names[0].text) if self.names else KIN[self.kin][0] if self.kin else ""
        return Who(name, kind) if name else None

    @property
    def has_title(self) -> bool:
        """Whether it is "Aunt Rosa", without "my"."""
        return self.start == self.head.idx

    @property
    def pronoun(self) -> str:
        """ "he" or "she"; empty where the word doesn't tell."""
        return PRONOUN_OF_WORD.get(self.word) or PRONOUNS.get(self.kin, "")


def kin(word: str) -> str:
    """Return the relation that a word names ("dad" -> "FATHER"), or an empty string."""
    plain = word.lower()
    return _KIN_OF.get(plain) or _KIN_OF.get(lexicon.singular(plain), "")


def capitalised(name: str) -> str:
    """Capitalise a name that was typed in lower case."""
    return name.title() if name == name.lower() else name


def mentions(doc: "Doc") -> Iterator[Mine]:
    """Yield all relatives, friends and pets that a sentence calls "my" or "our"."""
    for token in doc:
        if token.lower_ in {"my", "our"} and (mine := _behind(token)):
            yield mine
        elif (
            token.lower_ in _TITLES
            and token.text.istitle()
            and doc[token.i - 1 : token.i].text.lower() not in {"my", "our"}
        ):
            names = _right_behind(doc.text, token.idx + len(token), many=False)
            if names:  # "Uncle Bhaskar rang"
                yield Mine(token.idx, names[0].end, token, tuple(names), _KIN_OF[token.lower_], token.lower_)


def _behind(owner: "Token") -> Mine | None:
    """Return the relative or pet behind "my", over at most four words that describe them."""
    doc = owner.doc
    is_former = False
    for at in range(owner.i + 1, min(owner.i + 6, len(doc))):
        word, behind = doc[at].text, at + 1
        if is_former and doc[at].pos_ == "PROPN" and not kin(word):
            name = Name(word, doc[at].idx, doc[at].idx + len(word))
            return Mine(owner.idx, name.end, doc[at], (name,), "PARTNER", "ex", is_former=True)
        if word.lower() in FORMER or (is_former and word == "-"):
            is_former = True
            continue
        if lexicon.singular(doc[at : at + 2].text.lower()) in lexicon.entries("pets"):
            behind = min(at + 2, len(doc))  # "guinea pig"
        relation = kin(word) if behind == at + 1 else ""
        following = doc[behind].lower_ if behind < len(doc) else ""
        if relation or lexicon.tail("pets", doc[at:behind].text):
            if following in _OF_PETS:
                return None
            if not (kin(following) or lexicon.tail("pets", following)):
                return _read(owner, at, behind, relation, is_former=is_former)
        elif word.lower() not in lexicon.entries("relative adjectives") and doc[at].pos_ != "NUM":
            return None
    return None


def _read(owner: "Token", first: int, behind: int, relation: str, *, is_former: bool) -> Mine:
    doc, text = owner.doc, owner.doc.text
    last = doc[behind - 1]
    end = last.idx + len(last)
    word = doc[first:behind].text.lower()
    many = lexicon.singular(word) != word and word not in KIN_WORDS
    names = called(text, end, many=many) or _right_behind(text, end, many=many) or _in_front(owner, end)
    stop = max([end, *(name.end for name in names)])
    return Mine(owner.idx, stop, last, tuple(names), relation, word, many, is_former)


def called(text: str, end: int, *, many: bool) -> list[Name]:
    """Return the names behind a noun that ends at `end`: "called Luna", ", Luna,"."""
    if match := _CALLED.match(text, end):
        return _listed(text, match.end(), many=many, lower=True)
    if match := _APPOSED.match(text, end):
        names = _listed(text, match.end(), many=many)
        if names and _PAUSE.match(text, names[-1].end) and all(_is_given(name.text) for name in names):
            return names
    return []


def _right_behind(text: str, end: int, *, many: bool) -> list[Name]:
    if text[end : end + 1] != " ":
        return []
    names = _listed(text, end, many=many)
    return [] if names and names[0].text.lower() in _NO_NAME else names


def _in_front(owner: "Token", end: int) -> list[Name]:
    """Return the name before "Otto, my beagle,", and of "Pickles is my budgie"."""
    doc, text = owner.doc, owner.doc.text
    if owner.i < 2:
        return []
    before, front = doc[owner.i - 1], doc[owner.i - 2]
    is_apposed = before.text in {",", "("} and _PAUSE.match(text, end)
    if not is_apposed and not (before.lower_ in {"is", "'s"} and front.pos_ == "PROPN"):
        return []
    return [Name(front.text, front.idx, front.idx + len(front))] if _is_given(front.text) else []


def _is_given(name: str) -> bool:
    """Return whether this is a capitalised name rather than a common word that begins a sentence."""
    return name[:1].isupper() and not words.is_common(name.lower())


def is_rare(word: str) -> bool:
    """Return whether a lower-case word is likely a name: in no word list, and without an ending like "ed" or "s"."""
    plain = word.lower()
    return (
        word.isalpha()
        and len(word) > 1
        and plain not in _CHAT
        and words.rarity(plain) >= words.UNKNOWN
        and not plain.endswith(("ed", "ing", "ly", "s"))
    )


def _listed(text: str, start: int, *, many: bool, lower: bool = False) -> list[Name]:
    """Return the name at `start`, or several if `many`: "Luna and Sol"."""
    names: list[Name] = []
    at: int | None = start
    while at is not None and len(names) < MAX_NAMES and (name := _name_at(text, at, lower=lower)):
        names.append(name)
        joint = _AND.match(text, name.end) if many else None
        at = joint.end() if joint else None
    return names


def _name_at(text: str, at: int, *, lower: bool) -> Name | None:
    match = _NAME.match(text, at)
    if match is None:
        return None
    first = match[1].split()[0]
    name = match[1] if first[:1].isupper() else first
    if name.lower().endswith(("'s", "’s")):
        name = name[:-2]
    is_capital = first[:1].isupper() and (first.lower() not in words.STOP or len(first) > 4)
    if first.lower() in _NO_NAME or not (is_capital or (lower and is_rare(first))):
        return None
    return Name(name, match.start(1), match.start(1) + len(name))


def _is_owner(mine: Mine) -> bool:
    """Return whether it is "my friend Anna's"; "my dad's got" isn't."""
    last = next((word for word in mine.head.doc if word.idx + len(word) == mine.end), mine.head)
    return any(child.dep_ == "case" for child in last.children)


def _is_known(doc: "Doc", mine: Mine, known: Mapping[str, EntityKind]) -> bool:
    return key(doc.text[mine.start : mine.end]) in known


class People:
    """The people and pets of a message, and whom its words mean."""

    def __init__(self, docs: Sequence["Doc"], known: Mapping[str, EntityKind]) -> None:
        self._known = known
        self.mine = [
            [mine for mine in mentions(doc) if not (mine.has_title and _is_known(doc, mine, known))] for doc in docs
        ]
        self._docs = docs
        self._by_name: Mapping[str, EntityKind] = {
            key(name.text): "person" if mine.kin else "pet" for row in self.mine for mine in row for name in mine.names
        }
        self.also: dict[str, EntityKind] = {}
        """Names that the message has given so far otherwise: "a cat called Luna"."""
        self.unnamed = ""
        """The species of the last pet that it gave no name: "her name is Juno" may follow."""

    def relatives(self, token: "Token", place: int) -> Iterator[tuple[Who, str, Name]]:
        """Yield whose relative a noun names, as what, and the name: "Mark's father Walt", "Mark's father is Walt"."""
        owner = next((child for child in token.children if child.dep_ == "poss" and child.pos_ == "PROPN"), None)
        relation, whose = kin(token.text), self.who(owner, place) if owner is not None else None
        if relation and whose and whose.name:
            text, end = token.doc.text, token.idx + len(token)
            is_ = _IS.match(text, end)
            for name in _listed(text, is_.end(), many=False) if is_ else _right_behind(text, end, many=False):
                yield whose, relation, name

    def who(self, token: "Token", place: int) -> Who | None:
        """Return whom a noun or pronoun of the sentence at `place` means; None for anybody else."""
        plain = token.lower_
        if plain in {"i", "we", "im"} or (plain == "me" and token.dep_ != "dobj"):
            return Who("")
        for mine in self.mine[place]:
            if _is_owner(mine) and token.dep_ != "poss":
                continue  # "my friend Anna's brother"
            is_of_it = mine.start <= token.idx < mine.end
            if is_of_it and (token.idx >= mine.head.idx or token.dep_ in {"nsubj", "nsubjpass"}):
                named = next((each for row in self.mine for each in row if each.kin == mine.kin and each.names), mine)
                return (named if mine.kin and not mine.names and not mine.many else mine).who
        if plain in {"he", "she"}:
            return self._meant(plain, token, place)
        if plain in _OWN_NAMES and not any(child.dep_ in {"det", "poss", "amod"} for child in token.children):
            return Who(KIN[_KIN_OF[plain]][0])
        if token.pos_ in {"PROPN", "NOUN"}:
            return self._by(token)
        return None

    def relation(self, who: Who) -> str:
        """Return what somebody is to the writer, as far as the message says: "SISTER", "PET"; else an empty string."""
        if self._known.get(key(who.name)) == "pet":
            return "PET"
        for mine in (each for row in self.mine for each in row):
            if mine.who == who and mine.names:
                return mine.kin or "PET"
        return kin(who.name) if key(who.name) in KIN_WORDS else ""

    def kin_of(self, token: "Token", place: int) -> str:
        """Return the relation of "my sister", or an empty string."""
        return next((mine.kin for mine in self.mine[place] if mine.head == token), "")

    def _by(self, token: "Token") -> Who | None:
        span = token.doc[token.left_edge.i : token.i + 1].text if token.i - token.left_edge.i < 3 else token.text
        for text in (span, token.text):
            kind = self._known.get(key(text)) or self._by_name.get(key(text)) or self.also.get(key(text))
            if kind:
                return Who(text, kind)
        return None

    def _meant(self, pronoun: str, token: "Token", place: int) -> Who | None:
        """Return the one relative of that gender whom the message has named before, if it names nobody else since."""
        fitting = [
            (at, mine)
            for at, row in enumerate(self.mine)
            for mine in row
            if mine.pronoun == pronoun and not _is_owner(mine)
        ]
        before = [(at, mine) for at, mine in fitting if at < place or (at == place and mine.start < token.idx)]
        kinds = {(mine.kin, mine.who.name if mine.who and mine.names else "") for _, mine in fitting}
        if not before or len({relation for relation, _ in kinds}) > 1 or any(mine.many for _, mine in fitting):
            return None
        at, mine = before[-1]
        if self._names_another(at, mine, place, token):
            return None
        named = next((each for _, each in fitting if each.names), mine).who
        return Who(named.name, named.kind, 0.8) if named else None

    def _names_another(self, first: int, mine: Mine, last: int, token: "Token") -> bool:
        """Return whether somebody stands between a relative and a pronoun whom it could mean as well."""
        between = (doc[0].lower_ for doc in self._docs[first + 1 : last] if len(doc))
        if any(begins != token.lower_ for begins in between):
            return True
        for place in range(first, last + 1):
            for word in self._docs[place]:
                is_after = (place, word.idx) > (first, mine.end - 1) and (place, word.idx) < (last, token.idx)
                is_of_mine = any(one.start <= word.idx < one.end and one.pronoun for one in self.mine[place])
                is_person = word.pos_ == "PROPN" and word.dep_ not in {"pobj", "attr"}
                if is_after and not is_of_mine and (is_person or _is_somebody(word)):
                    return True
        return False


_SOMEBODY = frozenset(
    """man woman guy girl boy lady dude bloke chap fella gentleman kid child baby toddler teen teenager person stranger
    ex""".split()
)


def _is_somebody(token: "Token") -> bool:
    if token.pos_ not in {"NOUN", "PROPN"} or token.dep_ == "attr":
        return False
    plain = lexicon.singular(token.lower_)
    is_job = plain in lexicon.entries("occupations") and token.head.lower_ != "as"
    return plain in _SOMEBODY or plain in KIN_WORDS or plain in lexicon.entries("pets") or is_job
