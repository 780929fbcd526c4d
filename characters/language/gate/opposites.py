"""Rules that say whether two statements of a character exclude each other. Pure; no Django."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from characters.domain import words
from characters.language.gate import supplied
from characters.language.gate.heard import NOT

SAME = 0.82
"""Similarity of sentences that mean nearly the same."""
ALIKE = 0.6
"""Share of words, by rarity, from which two statements speak of the same thing."""
_ANTONYMS = """
early late | morning night | always never | hot cold | warm cold | summer winter | big small | large small |
tall short | old young | happy unhappy | happy sad | married single | married unmarried | married divorced |
alone together | city countryside | town countryside | indoors outdoors | inside outside | vegetarian meat |
vegan meat | vegetarian steak | vegan cheese | introvert extrovert | shy outgoing | loud quiet | noisy quiet |
optimist pessimist | tidy messy | neat messy | patient impatient | brave afraid | fearless afraid | easy
difficult | easy hard | left right | left-handed right-handed | religious atheist | rich poor | strong weak |
fast slow | quick slow | lazy diligent | healthy ill | healthy sick | employed unemployed | awake asleep | clean
dirty | sweet bitter | dry wet | sunny rainy | boring exciting | boring fascinating | cheap expensive | near far
| first last | everybody nobody | everything nothing | only several | only many | alive dead | dead living |
north south | east west | male female | man woman | full empty | open closed | safe dangerous | start stop |
teetotaller wine | sober drunk | rarely often | seldom often | never often | never sometimes | never every |
rarely every | only sister | only brother | only siblings | hate love | abroad home | calm nervous | calm
anxious | calm temper | honest liar | childless children | childless son | childless daughter | illiterate read
| deaf hear | blind see | twin only | freshwater saltwater
"""
_PAIRS = frozenset(
    frozenset(words.stem(word) for word in pair.split())
    for pair in " ".join(_ANTONYMS.split()).split("|")
    if pair.strip()
)
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80"}
_NUMBER = re.compile(rf"\b(?:\d[\d,.]*|{'|'.join(word for word in _NUMBERS if word not in {'no', 'one'})})\b")
_COUNTED = re.compile(
    r"\b(?:no|one|an?)\b (?=(?:\w{1,20} )?(?:brothers?|sisters?|siblings?|child|children|sons?|daughters?|kids?|"
    r"dogs?|cats?|pets?)\b)"
)
_GIVEN_UP = re.compile(r"\b(?:quit|stopped|gave up|given up|gave away|no longer|anymore|any more|used to)\b")
_ONCE = re.compile(
    r"\b(?:favorite|live in|living in|born|come from|i'm from|i am from|grew up|my name|called|middle name|oldest|"
    r"youngest|biggest|first|best friend|hometown|home town|birthday|native|mother is|father is|husband is|wife is|"
    r"i work as|my job is|years old|was raised|star sign|blood type|eyes|hair|middle child|most of all|"
    r"more than anything)\b"
)
_OUR = re.compile(r"(?<=fav|col)our|(?<=hum|lab)our")
_TO_BE = frozenset(
    map(
        words.stem,
        "favorite live lived living born come came grow grew raised really very name called work job always honestly "
        "just still quite absolutely got find big quit stopped gave given used".split(),
    )
)
_KEPT = frozenset("never everybody nobody everything nothing every alone only home".split())
"""Words that elsewhere say nothing of a subject, and here do."""


@dataclass(frozen=True, slots=True)
class Told:
    """A statement in words. `rest` are its stems without those that only say how it is told."""

    text: str
    stems: frozenset[str]
    rest: frozenset[str]
    numbers: frozenset[str]
    denies: bool
    liking: int


def told(text: str) -> Told:
    """What the rules see of a statement."""
    low = _OUR.sub("or", text.lower().replace("’", "'"))
    plain = supplied.NEGATED_LIKING.sub(" ", low)
    said = (words.stem(word) for word in words.tokens(low) if word not in words.STOP or word in _KEPT)
    stems = frozenset(stem for stem in said if not NOT.fullmatch(stem) and not stem[0].isdigit())
    liking_words = frozenset(stem for stem in stems if supplied.is_liking(stem))
    numbers = frozenset(_NUMBERS.get(found, found.replace(",", "").rstrip(".")) for found in _NUMBER.findall(low))
    counted = frozenset("0" if found.strip() == "no" else "1" for found in _COUNTED.findall(low))
    return Told(
        low,
        stems,
        stems - liking_words - _TO_BE - frozenset(map(words.stem, _NUMBERS)),
        numbers | counted,
        bool(NOT.search(plain) or _GIVEN_UP.search(plain)),
        supplied.liking(low),
    )


def is_within(one: Told, other: Told) -> bool:
    """Whether all that `one` says stands in `other`."""
    agrees = one.liking in {0, other.liking} and one.denies == other.denies and one.numbers <= other.numbers
    return agrees and bool(one.rest) and one.rest <= other.rest


def _liked_and_disliked(one: Told, other: Told) -> str:
    about_one = _alike(one.rest, other.rest)
    if one.liking * other.liking < 0 and about_one:
        return "One likes what the other one dislikes."
    return ""


def _said_and_denied(one: Told, other: Told) -> str:
    if one.denies != other.denies and one.liking * other.liking >= 0 and not (one.liking and other.liking):
        fewer, more = sorted((one.rest or one.stems, other.rest or other.stems), key=len)
        if fewer and len(fewer & more) >= len(fewer) * ALIKE and not (one.numbers and other.numbers):
            return "One denies what the other one says."
    return ""


def _opposite_words(one: Told, other: Told) -> str:
    if one.denies != other.denies or (one.liking and other.liking):
        return ""
    for pair in _PAIRS:
        if (
            len(pair) == 2
            and len(pair & one.stems) == 1
            and len(pair & other.stems) == 1
            and not pair & one.stems & other.stems
        ):
            shared = (one.rest - pair) & (other.rest - pair)
            if shared or min(len(one.rest - pair), len(other.rest - pair)) <= 1:
                return f"“{' / '.join(sorted(pair))}” are opposites."
    return ""


def _other_numbers(one: Told, other: Told) -> str:
    counting = frozenset(map(words.stem, _NUMBERS))
    differ = one.numbers and other.numbers and one.numbers != other.numbers
    if differ and _alike(one.stems - counting, other.stems - counting):
        return "The numbers differ."
    return ""


def _only_one(one: Told, other: Told) -> str:
    """The same once-only thing told of both, with other words."""
    here, there = (_once(each) for each in (one, other))
    own, others = one.rest - here, other.rest - there
    if here and here & there and own - other.rest and others - one.rest and one.denies == other.denies:
        return "There can be only one of it."
    return ""


def _once(each: Told) -> frozenset[str]:
    """What kind of once-only thing it tells, as words."""
    found = _ONCE.search(each.text)
    if not found:
        return frozenset()
    kind = _KINDS.get(found.group().replace("i'm", "i am"), found.group())
    after = [word for word in words.tokens(each.text[found.end() :]) if word not in words.STOP][:1]
    before = [word for word in words.tokens(each.text[: found.start()]) if word not in words.STOP][-1:]
    if kind in {"favorite", "first", "biggest", "oldest", "youngest"}:
        return frozenset(f"{kind} {words.stem(word)}" for word in after or before)
    return frozenset({kind})


_KINDS = {
    "come from": "home",
    "i am from": "home",
    "grew up": "home",
    "was raised": "home",
    "born": "home",
    "hometown": "home",
    "home town": "home",
    "live in": "lives",
    "living in": "lives",
    "my name": "name",
    "called": "name",
    "i work as": "job",
    "my job is": "job",
    "more than anything": "most of all",
}


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    fewer, more = sorted((one, other), key=len)
    whole = sum(map(words.stem_rarity, fewer))
    return bool(fewer) and sum(map(words.stem_rarity, fewer & more)) >= ALIKE * whole


RULES: Sequence[tuple[Callable[[Told, Told], str], float]] = (
    (_liked_and_disliked, 0.95),
    (_only_one, 0.85),
    (_other_numbers, 0.9),
    (_said_and_denied, 0.85),
    (_opposite_words, 0.75),
)
"""The first that says why it is a contradiction wins; with how sure it is."""
