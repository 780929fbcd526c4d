"""Readers of a verb's object: each yields the phrases of a noun and of those joined to it that it accepts."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from characters.domain import dates, lexicon, words
from characters.language.extraction import nouns
from characters.language.extraction.nouns import Phrase

if TYPE_CHECKING:
    from spacy.tokens import Token

Reader = Callable[["Token"], Iterator[Phrase]]

_SCHOOL = re.compile(
    r"\b(?:University|College|Tech|School|Institute|Academy|Polytechnic|Uni|State|MIT|UCLA|NYU|ETH|High)\b"
)
_JUDGING = frozenset(
    """terrible bad good great awful decent amateur wannabe aspiring failed huge natural born armchair lousy frustrated
    secret closet better worse real total complete big would-be former ex retired hopeless slow fast horrible pretty
    regular proud true little bit kind sort""".split()
)
"""Words that make an occupation a judgement: "a terrible cook", "a bit of a detective"."""
_UNFINISHED = frozenset("some any more most own such each getting having being".split())
_SHOWING = frozenset("every each the this that these those his her their its your".split())
_GOES_ON = frozenset("dobj ccomp xcomp".split())
_MAX_AGE = 120
_NUMBERS = {
    word: number
    for number, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen""".split()
    )
} | {word: 10 * ten for ten, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}


def things(head: "Token") -> Iterator[Phrase]:
    """Yield anything but relatives."""
    for item in nouns.items(head):
        phrase = nouns.phrase(item)
        if phrase and not nouns.is_kin(phrase.text) and item.pos_ != "PRON" and not (item != head and phrase.owned):
            yield phrase


def thing(head: "Token") -> Iterator[Phrase]:
    """Yield the first of what is joined."""
    yield from (phrase for phrase in things(head) if phrase.head == head)


def tastes(head: "Token") -> Iterator[Phrase]:
    """Yield lasting tastes: nothing at hand ("the colour"), nobody's ("your hair"), no unfinished gerund."""
    is_shown = any(child.lower_ in _SHOWING for child in head.lefts if child.dep_ in {"det", "poss"})
    for phrase in things(head):
        last = phrase.text.lower().split()[-1]
        is_at_hand = is_shown and phrase.text[:1].islower() and last not in lexicon.entries("shared")
        cut = [child for child in phrase.head.rights if child.dep_ in _GOES_ON and child.idx >= phrase.end]
        is_unfinished = phrase.head.tag_ == "VBG" and (cut or any(each.pos_ == "PRON" for each in phrase.head.rights))
        if not is_at_hand and not is_unfinished and last not in _UNFINISHED:
            yield phrase


def interests(head: "Token") -> Iterator[Phrase]:
    """Yield tastes without a determiner: "into a wall" is no interest."""
    return (phrase for phrase in tastes(head) if not phrase.determined)


def studies(head: "Token") -> Iterator[Phrase]:
    """Yield subjects of study."""
    fields = (phrase for phrase in things(head) if not phrase.determined)
    return (phrase for phrase in fields if phrase.text.lower() not in dates.TIME_WORDS)


def allergens(head: "Token") -> Iterator[Phrase]:
    """Yield allergens, but no jests such as "Mondays"."""
    jests = lexicon.entries("no allergen")
    for phrase in things(head):
        last = phrase.text.lower().split()[-1]
        if not {last, lexicon.singular(last)} & jests:
            yield phrase


def place(head: "Token") -> Iterator[Phrase]:
    """Yield the name of a place."""
    named = nouns.phrase(head)
    if named is None:
        return
    apposed = next((child for child in head.rights if child.dep_ == "appos" and child.pos_ == "PROPN"), None)
    if named.text[:1].islower() and apposed is not None and (name := nouns.phrase(apposed)):
        yield name
        return
    plain = named.text.lower()
    last = plain.split()[-1]
    is_known = words.rarity(last) >= words.UNKNOWN or last in lexicon.entries("towns") or plain in PLACES
    is_name = named.text[:1].isupper() and head.pos_ in {"PROPN", "NOUN"}
    if plain not in lexicon.entries("no place") and (is_name or (is_known and not named.determined)):
        yield named


_HIRED = re.compile(r"\b(?:rental|rented|hire|company)\b", re.IGNORECASE)
PUBLIC = frozenset("train bus tram taxi cab plane ambulance flat".split())
"""What one "has" or "gets" without owning it."""
PLACES = frozenset(each.lower() for section in ("cities", "countries") for each in lexicon.entries(section))


def school(head: "Token") -> Iterator[Phrase]:
    """Yield a name with a word such as "University" in it."""
    return (phrase for phrase in thing(head) if _SCHOOL.search(phrase.text))


def organisation(head: "Token") -> Iterator[Phrase]:
    """Yield an employer or school: a name, or "a bakery"."""
    for phrase in thing(head):
        last = phrase.text.lower().split()[-1]
        if last in lexicon.entries("no employer") or lexicon.tail("pets", phrase.text) or head.tag_ == "VBG":
            continue
        if phrase.is_name or phrase.determined or words.rarity(last) >= words.UNKNOWN:
            yield phrase


def employer(head: "Token") -> Iterator[Phrase]:
    """Yield an organisation's name."""
    for phrase in thing(head):
        if phrase.text[:1].isupper() and phrase.is_name and phrase.text.lower() not in PLACES:
            yield phrase


def person(head: "Token") -> Iterator[Phrase]:
    """Yield somebody's name."""
    return (phrase for phrase in thing(head) if head.pos_ == "PROPN" and phrase.is_name and not phrase.determined)


def role(head: "Token") -> Iterator[Phrase]:
    """Yield any occupation behind "as"."""
    return (phrase for phrase in thing(head) if phrase.determined or lexicon.tail("occupations", phrase.text))


def occupation(head: "Token") -> Iterator[Phrase]:
    """Yield an occupation that is in the lexicon and isn't a judgement."""
    for phrase in things(head):
        if lexicon.tail("occupations", phrase.text) and phrase.text.lower().split()[0] not in _JUDGING:
            yield phrase


def languages(head: "Token") -> Iterator[Phrase]:
    """Yield languages: "French and a little Dutch"."""
    for phrase in things(head):
        if tail := lexicon.tail("languages", phrase.text):
            yield Phrase(tail, phrase.end - len(tail), phrase.end, phrase.head)


def played(head: "Token") -> Iterator[Phrase]:
    """Yield instruments, sports and games."""
    for phrase in things(head):
        tail = lexicon.tail("played", phrase.text)
        if tail:
            yield Phrase(tail, phrase.end - len(tail), phrase.end, phrase.head)


def age(head: "Token") -> Iterator[Phrase]:
    """Yield an age in years, in digits or words."""
    text, end = head.doc.text, head.idx + len(head)
    start = text.rfind(" ", 0, end) + 1 if text[head.idx - 1 : head.idx] == "-" else head.idx
    plain = text[start:end].lower()
    is_word = plain != "one" and all(part in _NUMBERS for part in plain.split("-"))
    is_age = (plain.isdecimal() and 1 <= int(plain) <= _MAX_AGE) or is_word
    if is_age and not any(child.dep_ == "det" for child in head.children):
        yield Phrase(text[start:end], start, end, head)


def owned(head: "Token") -> Iterator[Phrase]:
    """Yield things that aren't pets, and without "my" in front."""
    return (phrase for phrase in things(head) if not phrase.owned and not lexicon.tail("pets", phrase.text))


def given_away(head: "Token") -> Iterator[Phrase]:
    """Yield things with "my", "our" or "the" in front."""
    for phrase in thing(head):
        if phrase.determined and not lexicon.tail("pets", phrase.text):
            yield phrase


def ownable(head: "Token") -> Iterator[Phrase]:
    """Yield what "have" means to own: "I have a boat", not "I have a plan"."""
    for phrase in owned(head):
        if any(child.lower_ in _SHOWING for child in phrase.head.lefts):
            continue
        last = phrase.text.lower().split()[-1]
        if (
            last not in PUBLIC
            and not _HIRED.search(phrase.text)
            and (lexicon.tail("ownables", phrase.text) or lexicon.tail("vehicles", phrase.text))
        ):
            yield phrase


def vehicle(head: "Token") -> Iterator[Phrase]:
    """Yield a make or a kind of vehicle."""
    for phrase in thing(head):
        name = re.search(r"(?:[A-Z0-9][\w-]*\s*)+$", phrase.text)
        is_make = name or words.rarity(phrase.text.lower().split()[-1]) >= words.UNKNOWN
        if phrase.determined and (is_make or lexicon.tail("vehicles", phrase.text)):
            cut = name.start() if name else 0
            yield Phrase(phrase.text[cut:], phrase.start + cut, phrase.end, head)


def _of(section: str, head: "Token") -> Iterator[Phrase]:
    for item in nouns.items(head):
        phrase = nouns.phrase(item, may_be_vague=True)
        if phrase and lexicon.tail(section, phrase.text):
            yield phrase


species = partial(_of, "pets")
identity = partial(_of, "identities")
condition = partial(_of, "conditions")


def diet(head: "Token") -> Iterator[Phrase]:
    """Yield a diet: "vegan", "gluten-free"."""
    text = head.doc[max(head.left_edge.i, head.i - 2) : head.i + 1].text if head.i else head.text
    tail = lexicon.tail("diets", text) or lexicon.tail("diets", head.text)
    if tail:
        end = head.idx + len(head)
        yield Phrase(tail, end - len(tail), end, head)
