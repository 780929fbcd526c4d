"""Readers of objects that state several facts: what somebody is, has or studied."""

import re
from collections.abc import Iterator

from characters.domain import lexicon
from characters.language.suggestions.objects import PredicateAndObject, cut, items, phrase_of, sound
from characters.language.suggestions.subjects import KIN, KIN_WORDS

PETS = lexicon.entries("pets") | lexicon.entries("animals of stories") | {"cats", "dogs", "greyhounds"}
_BODY = (
    "eyes|hair|skin|beard|moustache|mustache|freckles|tattoos|horns|wings|fur|tail|ears|build|complexion|hands|scales"
)
_FATHERS = ("man", "king", "duke", "baron", "lord", "emperor", "prince", "monk", "priest", "father", "count", "sultan")
_MOTHERS = ("woman", "queen", "duchess", "baroness", "lady", "empress", "princess", "witch", "mother", "seamstress",
           "priestess", "countess", "midwife")  # fmt: skip
_NAME = r"(?:[A-Z][\w'.-]*)(?:\s+(?:of|the|von|van|de|[A-Z][\w'.-]*))*"
CLASS_ENDS = re.compile(
    r"\s+(?:with|who|that|which|whose|and|but|from|at|before|after|since|when|where|because|for|by|through|living|working"
    r"|born|raised|trapped|trying|hiding|under|than|known|called|named|now|about|to|on)\b"
)
_AGED = re.compile(r"(\d{1,4})[- ]years?[- ]old\s*,?\s*", re.IGNORECASE)
_AND_A = re.compile(r"\s+and\s+an?\s+")
_CHILD_OF = re.compile(r"(?:[a-z]+\s+)?(?:son|daughter|child)\s+of\s+(.+)", re.IGNORECASE)
_AT_EMPLOYER = re.compile(rf"\s+(?:at|for) (?:the )?(?P<name>{_NAME})")
_NATIVE = re.compile(r"native of (.+)", re.IGNORECASE)
_FAN = re.compile(r"(?:\w+ )?(?:fan|lover) of (.+)", re.IGNORECASE)
_GRADUATE = re.compile(r"(?:\w+ )?(?:graduate|alumn\w+) of (.+)", re.IGNORECASE)
_PHRASES = ((_NATIVE, "COMES_FROM"), (_FAN, "LIKES"), (_GRADUATE, "STUDIED_AT"))


def being(rest: str) -> Iterator[PredicateAndObject]:
    """Read "a 19-year-old thief from ..." -> HAS_AGE, IS_A; "the daughter of a fisherman" -> HAS_FATHER."""
    child = _CHILD_OF.match(re.sub(r"^\s*(?:an?|the)\s+", "", rest))
    if child:
        yield from _parent(child)
        return
    article = re.match(r"\s*an?\s+", rest)
    if article is None:
        return
    for part in _AND_A.split(rest[article.end() :]):
        aged = _AGED.match(part)
        if aged:
            yield "HAS_AGE", aged[1]
            part = part[aged.end() :]  # noqa: PLW2901
        yield from _class(part)


def _parent(child: re.Match[str]) -> Iterator[PredicateAndObject]:
    who = sound(CLASS_ENDS.split(cut(child[1]).split(",")[0])[0])
    head = who.split(" of ")[0].lower()
    for ends, predicate in ((_MOTHERS, "HAS_MOTHER"), (_FATHERS, "HAS_FATHER")):
        if who and head.endswith(ends):
            yield predicate, who
            return
    if who:
        yield "IS_A", sound(child[0].replace(child[1], who))


def _class(part: str) -> Iterator[PredicateAndObject]:
    text = cut(part).split(",")[0]
    for pattern, predicate in _PHRASES:
        match = pattern.match(text)
        if match:
            yield from phrase_of(predicate, behind=r"\s+and\s")(match[1])
            return
    phrase = sound(CLASS_ENDS.split(text)[0])
    if (
        phrase
        and not re.match(r"(?:the|little|bit|lot|kind|sort)\b", phrase)
        and phrase.split()[-1].lower() not in _NO_CLASS
    ):
        yield "IS_A", phrase
        employer = _AT_EMPLOYER.search(text)
        if employer:
            yield "WORKS_AT", employer["name"]


_NO_CLASS = frozenset(
    """hurry way trance dream neck position state mood rush corner loop trap prison secret total sense age man woman boy
    girl guy fool member""".split()
)


def studied(rest: str) -> Iterator[PredicateAndObject]:
    """Read "medicine in Accra", "nursing at Ohio State"."""
    subject, *places = re.split(r"\s+(?:at|in(?= [A-Z]))\s+", cut(rest).split(",")[0], maxsplit=1)
    yield from items("STUDIED")(subject)
    if places and re.search(r"\s+at\s+", rest):
        yield from phrase_of("STUDIED_AT")(places[0])


def having(rest: str) -> Iterator[PredicateAndObject]:
    """Read "a younger brother named Eddie", "a one-eyed cat called Captain", "long black hair"."""
    text = _RELATED.match(rest)
    if text:
        yield KIN[text["kin"].lower()], sound(text["name"] or text["where"] or "")
        return
    phrase = sound(re.split(r"\s+and\s+", _HAS_ENDS.split(cut(rest).split(",")[0])[0])[0])
    plain = phrase.lower().split()
    front = re.split(r"\s+(?:called|named)\s", phrase.lower())[0].split()
    if front and front[-1] in PETS:
        yield "HAS_PET", phrase
    elif plain and re.search(rf"\b(?:{_BODY})$", phrase) and 1 < len(plain) <= 5:
        yield "LOOKS_LIKE", phrase
    elif re.match(r"(?:an? )?(?:\w+ )?(?:degree|doctorate|phd|master's|bachelor's|diploma)\b", phrase, re.IGNORECASE):
        yield "HAS_DEGREE", phrase


_HAS_ENDS = re.compile(r"\s+(?:that|who|which|whose)\s")
_RELATED = re.compile(
    rf"""\s*(?:an?|one)\s+(?:(?:younger|older|elder|little|big|twin|half|only|beloved|estranged|baby|adult|grown|teenage|stubborn)[\s-])*
    (?P<kin>{KIN_WORDS})\b
    (?:\s*,?\s*(?:named|called)?\s*(?P<name>(?-i:[A-Z])[\w-]+)|\s+(?P<where>in\s+(?-i:[A-Z])\w+)|\s+(?=who\b)|\W)""",
    re.IGNORECASE | re.VERBOSE,
)
