"""Noun phrases of a parse: the words of one, without its determiners, and which of them say nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from characters.domain import lexicon, words
from characters.domain.people import KIN_WORDS

if TYPE_CHECKING:
    from spacy.tokens import Token

MAX_WORDS = 6
MAX_LENGTH = 80
_VAGUE = lexicon.entries("vague")
_NEVER_STARTS = lexicon.entries("phrase never starts")
_OUTSIDE = frozenset(
    "det poss predet nummod quantmod preconj cc punct neg advmod case intj mark aux npadvmod appos relcl".split()
)
"""Relations of words in front of a noun that don't belong to its phrase."""
_TITLE = re.compile(
    r"(?:\s+(?:of|the|in|and|on|to|for|with|an?|at|from|is|are|my|your|&|de|la|up|that))*\s+(?!I\b)[A-Z0-9][\w'’-]*"
)
_NAME_GOES_ON = re.compile(r"\s+(?:of|the|de|la|del|di|upon|&)(?:\s+the)?\s+(?!I\b)[A-Z][\w'’-]*")
_OWNED = frozenset({"my", "our"})


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase, from `start` to `end` of its sentence."""

    text: str
    start: int
    end: int
    head: "Token"

    @property
    def owned(self) -> bool:
        """Whether "my" or "our" stands before it."""
        return any(child.lower_ in _OWNED for child in self.head.children if child.dep_ == "poss")

    @property
    def determined(self) -> bool:
        """Whether an article, "my" or a number stands before it."""
        return any(child.dep_ in {"det", "poss", "nummod"} for child in self.head.lefts)

    @property
    def is_name(self) -> bool:
        """Whether each longer word begins with a capital or a digit."""
        longer = [word for word in self.text.split() if len(word) > 3 or word.istitle()]
        return all(word[:1].isupper() or word[:1].isdigit() for word in longer)


def phrase(head: "Token", *, is_title: bool = False, may_be_vague: bool = False) -> Phrase | None:
    """Return the phrase of a noun or a gerund; None if it is vague or too long. A title goes on over small words."""
    inner = [child for child in head.lefts if _is_inside(child)]
    first = head
    for child in reversed(inner):
        if any(not between.is_punct or between.text == "," for between in head.doc[child.right_edge.i + 1 : first.i]):
            break
        first = _first_of(child)
    last = _last(head)
    start, end = first.idx, last.idx + len(last)
    text = head.doc.text
    while start and not text[start - 1].isspace() and text[start - 1] not in '"“(/*':
        start -= 1
    joined = _TITLE if is_title else _NAME_GOES_ON
    while head.text[:1].isupper() and (more := joined.match(text, end)):
        end = more.end()
    plain = text[start:end].strip()
    if (is_vague(plain) and not may_be_vague) or len(plain.split()) > MAX_WORDS or len(plain) > MAX_LENGTH:
        return None
    return Phrase(plain, start, end, head)


def _is_inside(child: "Token") -> bool:
    """Return whether what stands before a noun belongs to its phrase; "Saint Mary's" does, "Mark's" of "boat" too."""
    return (child.dep_ not in _OUTSIDE and child.pos_ != "PRON") or (child.dep_ == "poss" and child.pos_ == "PROPN")


def _first_of(child: "Token") -> "Token":
    """Return the first word of what stands before a noun, without an article."""
    edge = child.left_edge
    while edge.i < child.i and (edge.dep_ in _OUTSIDE and edge.dep_ != "advmod"):
        edge = edge.nbor()
    return edge


def _last(head: "Token") -> "Token":
    """Return the last word: behind "of", and of a gerund its object."""
    rights = list(head.rights)
    if rights and rights[0].dep_ == "case" and head.dep_ != "poss":
        return rights[0]
    if head.tag_ == "VBG":
        for child in rights:
            if child.dep_ in {"dobj", "prt"} and child.i - head.i < MAX_WORDS:
                return child if child.dep_ == "prt" else _last(child)
            if child.dep_ == "prep" and child.lower_ in {"to", "in", "with", "on", "at", "for"}:
                inner = [each for each in child.children if each.dep_ == "pobj"]
                return _last(inner[0]) if inner else head
    if rights and rights[0].dep_ == "prep" and rights[0].lower_ == "of":
        inner = [each for each in rights[0].children if each.dep_ == "pobj"]
        if inner:
            return _last(inner[0])
    return head


def items(head: "Token") -> Iterator["Token"]:
    """Yield a noun and those that are joined to it: "jazz, old maps and rain"."""
    yield head
    ahead = head.doc[head.i + 1 : head.i + 4]
    is_last = (
        len(ahead) > 1 and ahead[0].dep_ == "cc" and (len(ahead) == 2 or (ahead[2].is_punct and ahead[2].text != "-"))
    )
    if is_last and ahead[1].head != head and not any(ahead[1].children):
        yield ahead[1]  # the last of a list, which the parse joins to something else
    for child in head.rights:
        if child.dep_ == "conj" and not any(each.dep_.startswith("nsubj") for each in child.children):
            yield from items(child)


def is_vague(text: str) -> bool:
    """Return whether an object says nothing: "stuff", "a lot", "questions", "it"."""
    plain = text.lower().strip(" '")
    if not any(each.isalpha() for each in plain) or plain in words.STOP or plain in _NEVER_STARTS:
        return True
    head = re.split(r"\s+of\s+", plain)[0].rpartition(" ")[2]
    return (head in _VAGUE or lexicon.singular(head) in _VAGUE) and not text[:1].isupper()


def is_kin(text: str) -> bool:
    """Return whether this is a word for a relative or friend."""
    return lexicon.singular(text.lower()) in KIN_WORDS or text.lower() in KIN_WORDS
