"""Rules that say whether two statements of a character exclude each other. Pure; no Django.

Liking against disliking the same, the same words said and denied, opposites, other numbers, and another object where
there can be only one. They miss more than they find, and what they find is nearly always one (docs/quality.md).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from characters.domain import words
from characters.language.gate import supplied

NOT = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|nor|neither|cannot|without|hardly|isnt|arent|dont|doesnt|didnt)\b|n't\b"
)
ALIKE = 0.6
"""Share of words, by rarity, from which two statements speak of the same thing."""
LEAST_OF_PROSE = 2
"""Words that a statement must have to be looked for among several sentences."""
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
class Statement:
    """A statement in words. `rest` are its stems without those that only say how it is told."""

    text: str
    stems: frozenset[str]
    rest: frozenset[str]
    numbers: frozenset[str]
    denies: bool
    liking: int


def statement(text: str) -> Statement:
    """What the rules see of a statement."""
    low = _OUR.sub("or", text.lower().replace("’", "'"))
    plain = supplied.NEGATED_LIKING.sub(" ", low)
    said = (words.stem(word) for word in words.tokens(low) if word not in words.STOP or word in _KEPT)
    stems = frozenset(stem for stem in said if not NOT.fullmatch(stem) and not stem[0].isdigit())
    liking_words = frozenset(stem for stem in stems if supplied.is_liking(stem))
    numbers = frozenset(_NUMBERS.get(found, found.replace(",", "").rstrip(".")) for found in _NUMBER.findall(low))
    counted = frozenset("0" if found.strip() == "no" else "1" for found in _COUNTED.findall(low))
    return Statement(
        low,
        stems,
        stems - liking_words - _TO_BE - frozenset(map(words.stem, _NUMBERS)),
        numbers | counted,
        bool(NOT.search(plain) or _GIVEN_UP.search(plain)),
        supplied.liking(low),
    )


def contradiction(earlier: str, later: str, *, only_one: bool = False) -> str:
    """Why two statements can't both be true; empty where no rule says so.

    Of several sentences those are compared where the earlier one has all words of the later one. `only_one`: both say
    something that one can have once only, so that any other object is a contradiction.
    """
    pairs = [(statement(one), statement(other)) for one, other in product(*map(supplied.sentences, (earlier, later)))]
    if len(pairs) > 1:
        pairs = [(one, other) for one, other in pairs if len(other.rest) >= LEAST_OF_PROSE and other.rest <= one.rest]
        only_one = False
    reasons = (why for pair in pairs for rule in RULES if (why := rule(*pair)))
    if why := next(reasons, ""):
        return why
    differ = only_one and any(one.rest != other.rest and not _is_within(one, other) for one, other in pairs)
    return "Only one of them can be so." if differ else ""


def _is_within(one: Statement, other: Statement) -> bool:
    """Whether all that one of them says stands in the other."""
    fewer, more = sorted((one, other), key=lambda each: len(each.rest))
    agrees = fewer.liking in {0, more.liking} and one.denies == other.denies and fewer.numbers <= more.numbers
    return agrees and bool(fewer.rest) and fewer.rest <= more.rest


def _liked_and_disliked(one: Statement, other: Statement) -> str:
    about_one = _alike(one.rest, other.rest)
    if one.liking * other.liking < 0 and about_one:
        return "One likes what the other one dislikes."
    return ""


def _said_and_denied(one: Statement, other: Statement) -> str:
    if one.denies != other.denies and one.liking * other.liking >= 0 and not (one.liking and other.liking):
        fewer, more = sorted((one.rest or one.stems, other.rest or other.stems), key=len)
        if fewer and len(fewer & more) >= len(fewer) * ALIKE and not (one.numbers and other.numbers):
            return "One denies what the other one says."
    return ""


def _opposite_words(one: Statement, other: Statement) -> str:
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


def _other_numbers(one: Statement, other: Statement) -> str:
    counting = frozenset(map(words.stem, _NUMBERS))
    differ = one.numbers and other.numbers and one.numbers != other.numbers
    if differ and _alike(one.stems - counting, other.stems - counting):
        return "The numbers differ."
    return ""


def _only_one(one: Statement, other: Statement) -> str:
    """The same once-only thing told of both, with other words."""
    here, there = (_once(each) for each in (one, other))
    own, others = one.rest - here, other.rest - there
    if here and here & there and own - other.rest and others - one.rest and one.denies == other.denies:
        return "There can be only one of it."
    return ""


def _once(each: Statement) -> frozenset[str]:
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


RULES: Sequence[Callable[[Statement, Statement], str]] = (
    _liked_and_disliked,
    _only_one,
    _other_numbers,
    _said_and_denied,
    _opposite_words,
)
"""The first that says why it is a contradiction wins."""
