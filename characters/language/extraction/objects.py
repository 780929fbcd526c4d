"""Readers of a verb's object: each yields the phrases at an offset that it accepts."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from characters.domain import lexicon
from characters.language.extraction import nouns, proper
from characters.language.extraction.nouns import Phrase

Reader = Callable[[str, int], Iterator[Phrase]]

_JOINT = re.compile(r"\s*(,?\s+and|,?\s+or|,)\s+", re.IGNORECASE)
_LIST_ENDS = re.compile(r"\s*(?:[,.;!:)–—-]|$)")
_SHOWN = re.compile(r"\s*(?:all |both |such )?(?:of )?the\s+", re.IGNORECASE)
_GERUND_GOES_ON = re.compile(
    r"""\s+(?:them|it|you|her|him|us|me|myself|this|that|these|those|my|our|your|his|their|its|some|any|a|an|for|up|out
    |to|next|how|what|when|where|why|if|about|of|so|really|immersed)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_UNFINISHED = frozenset("some any more most own such each getting having".split())
_SCHOOL = re.compile(r"\b(?:University|College|Tech|School|Institute|Academy|Polytechnic|Uni|State|MIT|UCLA|NYU|ETH)\b")
_JUDGING = re.compile(
    r"""\b(?:bit|kind|sort|hell|disaster)\ of\b
    |^(?:an?\ )?(?:terrible|bad|good|great|awful|decent|amateur|wannabe|aspiring|failed|huge|natural|born|armchair|such
    |lousy|frustrated|secret|closet|better|worse|real|total|complete|big|part-time\ amateur|would-be|former|ex|retired
    |hopeless|slow|fast|horrible|pretty|regular|proud|true|little)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that make an occupation a judgement: "a terrible cook", "a bit of a detective"."""
_AGE = re.compile(
    r"""\s*(\d{1,3})(?=\s*(?:[,.;!)]|$|-?\s*years?[\s-]old
    |-?\s*(?:yrs?|y/o|yo)\b|\s+(?:years|btw|lol|haha|now|today|and|but|so|this|next|in|yesterday|last|on)\b))""",
    re.VERBOSE,
)
_MAX_AGE = 120
_NAME_ENDS = re.compile(r"\s*(?:[,.;!)]|$|\s(?:and|but|btw|by|nice|from)\b)")
_WISH = re.compile(rf"\s*((?:{lexicon.alternatives('lasting wishes')})(?: to| in| on| for| at| as)?)\s+", re.IGNORECASE)
_MAX_WISH = 4
_STUDENT = re.compile(
    r"\s*an? (?:(?:\w+[- ]year|mature|full-time|part-time|graduate|postgraduate|phd|master's|exchange) )*"
    r"((?!(?:good|bad|great|terrible|big|high|school|uni|college|university)\b)[a-z]+(?: (?!student)[a-z]+)?)"
    r" student\b",
    re.IGNORECASE,
)
_ALLERGY = re.compile(
    r"\s*an? (?:(?:severe|mild|bad|serious|terrible|nasty|slight|strong|life-threatening) )*"
    r"([a-z]+(?: [a-z]+)?) allergy\b",
    re.IGNORECASE,
)
_FAN = re.compile(
    r"\s*(?:an?|such a) (?:(?:big|huge|massive|lifelong|die-hard|major|total|avid|keen|real|proper|devoted) )+"
    r"((?!(?:fan)\b)[\w'&-]+(?: (?!fan\b)[\w'&-]+){0,2}) fan\b",
    re.IGNORECASE,
)


def thing(text: str, at: int) -> Iterator[Phrase]:
    """Yield anything but a relative."""
    phrase = nouns.phrase(text, at)
    if phrase and not nouns.is_kin(phrase.text):
        yield phrase


def things(text: str, at: int) -> Iterator[Phrase]:
    """Yield each item of "jazz, old maps and rain"; only the first unless a list ends with "and" and then a pause."""
    phrases: list[Phrase] = []
    last = ""
    while (phrase := nouns.phrase(text, at)) and not nouns.is_kin(phrase.text) and not (phrases and phrase.owned):
        phrases.append(phrase)
        joint = _JOINT.match(text, phrase.end)
        if joint is None:
            break
        last, at = joint[1].strip(" ,").lower(), joint.end()
    is_list = last in {"and", "or"} and phrases and _LIST_ENDS.match(text, phrases[-1].end)
    yield from phrases if is_list else phrases[:1]


def tastes(text: str, at: int) -> Iterator[Phrase]:
    """Yield lasting tastes: nothing at hand ("the colour"), no unfinished gerund ("seeing them")."""
    return (phrase for phrase in things(text, at) if _is_lasting(text, at, phrase))


def interests(text: str, at: int) -> Iterator[Phrase]:
    """Yield tastes without a determiner: "into a wall" is no interest."""
    return (phrase for phrase in tastes(text, at) if not phrase.article)


def subjects_of_study(text: str, at: int) -> Iterator[Phrase]:
    """Yield "law and history", but not "the map"."""
    if not _SHOWN.match(text, at):
        yield from things(text, at)


def allergens(text: str, at: int) -> Iterator[Phrase]:
    """Yield allergens, but no jests such as "Mondays"."""
    jests = lexicon.entries("no allergen")
    return (phrase for phrase in things(text, at) if not {phrase.head, lexicon.singular(phrase.head)} & jests)


def named(text: str, at: int) -> Iterator[Phrase]:
    """Yield a name in any case, if a pause or a word such as "and" follows."""
    phrase = proper.name(text, at, lower=True)
    if phrase and _NAME_ENDS.match(text, phrase.end):
        yield phrase


def place(text: str, at: int) -> Iterator[Phrase]:
    """Yield the name of a place."""
    phrase = proper.place(text, at)
    if phrase:
        yield phrase


def school(text: str, at: int) -> Iterator[Phrase]:
    """Yield a name with a word such as "University" in it."""
    phrase = proper.name(text, at)
    if phrase and _SCHOOL.search(phrase.text):
        yield phrase


def organisation(text: str, at: int) -> Iterator[Phrase]:
    """Yield an employer or school: a name, or "a bakery"."""
    phrase = name_or_phrase(text, at)
    if not phrase or phrase.head in lexicon.entries("no employer"):
        return
    if not lexicon.tail("pets", phrase.text) and not nouns.is_kin(phrase.text):
        yield phrase


def name_or_phrase(text: str, at: int) -> Phrase | None:
    """Return a name or a noun phrase, whichever is longer: "The Wind in the Willows", "Saint Mary's"."""
    name, phrase = proper.name(text, at), nouns.phrase(text, at)
    if name and phrase:
        return phrase if len(phrase.text) > len(name.text) else name
    return name or phrase


def employer(text: str, at: int) -> Iterator[Phrase]:
    """Yield an organisation's name."""
    phrase = proper.name(text, at)
    if phrase and phrase.text[:1].isupper():
        yield phrase


def occupation(text: str, at: int) -> Iterator[Phrase]:
    """Yield an occupation that is in the lexicon and isn't a judgement."""
    return (phrase for phrase in _of("occupations", text, at) if not _JUDGING.search(phrase.text))


def any_occupation(text: str, at: int) -> Iterator[Phrase]:
    """Yield any phrase with a determiner: "a lighthouse keeper"."""
    phrase = nouns.phrase(text, at)
    if phrase and phrase.article:
        yield phrase


def languages(text: str, at: int) -> Iterator[Phrase]:
    """Yield languages, without words such as "a little" in front: "French and a little Dutch"."""
    for phrase in things(text, at):
        tail = lexicon.tail("languages", phrase.text)
        if tail:
            yield Phrase(tail, phrase.end - len(tail), phrase.end)


def played(text: str, at: int) -> Iterator[Phrase]:
    """Yield instruments, sports and games."""
    for phrase in things(text, at):
        tail = lexicon.tail("played", phrase.text)
        if tail:
            yield phrase if phrase.is_name else Phrase(tail, phrase.end - len(tail), phrase.end)


def age(text: str, at: int) -> Iterator[Phrase]:
    """Yield an age in years, and no other number."""
    return (phrase for phrase in _inside(_AGE, text, at) if 1 <= int(phrase.text) <= _MAX_AGE)


def owned(text: str, at: int) -> Iterator[Phrase]:
    """Yield a thing that isn't a pet, and without "my" in front."""
    return (phrase for phrase in _inanimate(text, at) if not phrase.owned)


def given_away(text: str, at: int) -> Iterator[Phrase]:
    """Yield a thing with "my", "our" or "the" in front."""
    return (phrase for phrase in _inanimate(text, at) if phrase.article)


def ownable(text: str, at: int) -> Iterator[Phrase]:
    """Yield what "have" means to own: "I have a boat", not "I have a plan"."""
    for phrase in owned(text, at):
        if lexicon.tail("ownables", phrase.text) or lexicon.tail("vehicles", phrase.text):
            yield phrase


def vehicle(text: str, at: int) -> Iterator[Phrase]:
    """Yield a make or a kind of vehicle, with a determiner."""
    phrase = nouns.phrase(text, at)
    if phrase and phrase.article and (phrase.is_name or lexicon.tail("vehicles", phrase.text)):
        yield phrase


def wish(text: str, at: int) -> Iterator[Phrase]:
    """Yield the verb of a lasting wish with its object: "open a tea house"."""
    match = _WISH.match(text, at)
    what = nouns.phrase(text, match.end()) if match else None
    if match and what and len(what.text.split()) <= _MAX_WISH:
        yield Phrase(text[match.start(1) : what.end], match.start(1), what.end)


def _of(section: str, text: str, at: int) -> Iterator[Phrase]:
    phrase = nouns.phrase(text, at)
    if phrase and lexicon.tail(section, phrase.text):
        yield phrase


def _inside(pattern: re.Pattern[str], text: str, at: int) -> Iterator[Phrase]:
    match = pattern.match(text, at)
    if match:
        yield Phrase(match[1], match.start(1), match.end(1))


identity = partial(_of, "identities")
diet = partial(_of, "diets")
condition = partial(_of, "conditions")
studied_by_student = partial(_inside, _STUDENT)
allergy = partial(_inside, _ALLERGY)
of_fan = partial(_inside, _FAN)


def _inanimate(text: str, at: int) -> Iterator[Phrase]:
    return (phrase for phrase in thing(text, at) if not lexicon.tail("pets", phrase.text))


def _is_lasting(text: str, at: int, phrase: Phrase) -> bool:
    first, last = phrase.text.lower().split()[0], phrase.text.lower().split()[-1]
    if _SHOWN.match(text, at) and phrase.text[:1].islower() and last not in lexicon.entries("shared"):
        return False
    if first.endswith("ing") and (_GERUND_GOES_ON.match(text, phrase.end) or "sure" in phrase.text.lower().split()):
        return False
    return last not in _UNFINISHED
