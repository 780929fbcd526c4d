"""Rules that find contradictions between two statements of a character. Pure; no Django.

They compare likes and dislikes, denials, opposites, numbers, and objects of which there can be only one. Their recall
is low and their precision high (docs/quality.md).
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import product

from characters.domain import lexicon, words
from characters.language.gate import supplied
from characters.language.sentences import texts

NOT = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|nor|neither|cannot|without|hardly|isnt|arent|dont|doesnt|didnt)\b|n't\b"
)
ALIKE = 0.6
"""Share of words, by rarity, from which two statements are about the same thing."""
LEAST_OF_PROSE = 2
"""Words that a statement needs to be compared with texts of several sentences."""
_OPPOSITES = frozenset(frozenset(map(words.stem, pair.split())) for pair in lexicon.entries("opposites"))
_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {
    **{word: value for value, word in enumerate([*_ONES, *_TEENS], start=1)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
}
_NUMBER_WORD = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:-(?P<ones>{'|'.join(_ONES)}))?|(?P<word>{'|'.join([*_TEENS, *_ONES])}))\b",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d[\d,.]*\d|\d")
_COUNTED = re.compile(
    r"\b(?:no|an?)\b (?=(?:\w{1,20} )?(?:brothers?|sisters?|siblings?|child|children|sons?|daughters?|kids?|"
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
_TELLING = frozenset("never everybody nobody everything nothing every alone only home".split())
"""Stop words that matter here."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as the rules see it. `rest` are the stems without liking words and phrasing such as "live in"."""

    text: str
    stems: frozenset[str]
    rest: frozenset[str]
    numbers: frozenset[str]
    denies: bool
    liking: int


def statement(text: str) -> Statement:
    """Return what the rules see of a statement."""
    low = in_digits(_OUR.sub("or", text.lower().replace("’", "'")))
    plain = supplied.NEGATED_LIKING.sub(" ", low)
    stems = subjects(low, besides=_TELLING)
    liking_words = frozenset(stem for stem in stems if supplied.is_liking(stem))
    counted = frozenset("0" if word.strip() == "no" else "1" for word in _COUNTED.findall(low))
    return Statement(
        low,
        stems,
        stems - liking_words - _TO_BE,
        frozenset(numbers(low)) | counted,
        denies(plain) or bool(_GIVEN_UP.search(plain)),
        supplied.liking(low),
    )


def denies(text: str) -> bool:
    """Return whether a sentence has a negation."""
    return bool(NOT.search(text.lower().replace("’", "'")))


def subjects(text: str, besides: Collection[str] = ()) -> frozenset[str]:
    """Return the stems of a text without numbers, negations, and stop words other than `besides`."""
    carrying = (word for word in words.tokens(text) if word not in words.STOP or word in besides)
    return frozenset(words.stem(word) for word in carrying if not NOT.fullmatch(word) and not word[0].isdigit())


def in_digits(text: str) -> str:
    """Write numbers as digits: "I have two sisters" -> "I have 2 sisters"."""
    return _NUMBER_WORD.sub(lambda match: str(_value(match)), text)


def _value(match: re.Match[str]) -> int:
    parts = (match["tens"], match["ones"], match["word"])
    return sum(_VALUES[part.lower()] for part in parts if part)


def numbers(text: str) -> list[str]:
    """Return the numbers that are written in digits."""
    return [number.replace(",", "") for number in _DIGITS.findall(text)]


def contradiction(earlier: str, later: str, *, only_one: bool = False) -> str:
    """Return why two statements can't both be true; empty if no rule says so.

    In texts of several sentences, an earlier sentence is only compared with a later one whose words it all has.
    `only_one`: the predicate takes one object, so that a different one is a contradiction.
    """
    pairs = [(statement(one), statement(other)) for one, other in product(*map(texts, (earlier, later)))]
    if len(pairs) > 1:
        pairs = [(one, other) for one, other in pairs if len(other.rest) >= LEAST_OF_PROSE and other.rest <= one.rest]
        only_one = False
    reasons = (why for pair in pairs for rule in RULES if (why := rule(*pair)))
    if why := next(reasons, ""):
        return why
    differ = only_one and any(one.rest != other.rest and not _is_within(one, other) for one, other in pairs)
    return "Only one of them can be so." if differ else ""


def _is_within(earlier: Statement, later: Statement) -> bool:
    """Return whether one of the statements contains the other."""
    fewer, more = sorted((earlier, later), key=lambda each: len(each.rest))
    agrees = fewer.liking in {0, more.liking} and earlier.denies == later.denies and fewer.numbers <= more.numbers
    return agrees and bool(fewer.rest) and fewer.rest <= more.rest


def _liked_and_disliked(earlier: Statement, later: Statement) -> str:
    differ = earlier.liking * later.liking < 0 and _alike(earlier.rest, later.rest)
    return "One likes what the other one dislikes." if differ else ""


def _stated_and_denied(earlier: Statement, later: Statement) -> str:
    if earlier.denies != later.denies and earlier.liking * later.liking >= 0 and not (earlier.liking and later.liking):
        fewer, more = sorted((earlier.rest or earlier.stems, later.rest or later.stems), key=len)
        if fewer and len(fewer & more) >= len(fewer) * ALIKE and not (earlier.numbers and later.numbers):
            return "One denies what the other one says."
    return ""


def _opposite_words(earlier: Statement, later: Statement) -> str:
    if earlier.denies != later.denies or (earlier.liking and later.liking):
        return ""
    for pair in _OPPOSITES:
        if pair & earlier.stems and pair & later.stems and pair - earlier.stems == pair & later.stems:
            shared = (earlier.rest - pair) & (later.rest - pair)
            if shared or min(len(earlier.rest - pair), len(later.rest - pair)) <= 1:
                return f"“{' / '.join(sorted(pair))}” are opposites."
    return ""


def _other_numbers(earlier: Statement, later: Statement) -> str:
    differ = earlier.numbers and later.numbers and earlier.numbers != later.numbers
    return "The numbers differ." if differ and _alike(earlier.stems, later.stems) else ""


def _only_one(earlier: Statement, later: Statement) -> str:
    """Find different objects for something of which there can be only one, such as a hometown."""
    here, there = (_once(each) for each in (earlier, later))
    added, added_later = earlier.rest - here, later.rest - there
    if here and here & there and added - later.rest and added_later - earlier.rest and earlier.denies == later.denies:
        return "There can be only one of it."
    return ""


def _once(statement: Statement) -> frozenset[str]:
    """Return the kinds of only-one things in a statement: {"home"}, {"favorite book"}."""
    match = _ONCE.search(statement.text)
    if not match:
        return frozenset()
    kind = _KINDS.get(match.group().replace("i'm", "i am"), match.group())
    after = [word for word in words.tokens(statement.text[match.end() :]) if word not in words.STOP][:1]
    before = [word for word in words.tokens(statement.text[: match.start()]) if word not in words.STOP][-1:]
    if kind in {"favorite", "first", "biggest", "oldest", "youngest"}:
        return frozenset(f"{kind} {words.stem(word)}" for word in after or before)
    return frozenset({kind})


_KINDS = {
    **dict.fromkeys(("come from", "i am from", "grew up", "was raised", "hometown", "home town"), "home"),
    **dict.fromkeys(("live in", "living in"), "lives"),
    **dict.fromkeys(("my name", "called"), "name"),
    **dict.fromkeys(("i work as", "my job is"), "job"),
    "more than anything": "most of all",
}


def _alike(stems: frozenset[str], other_stems: frozenset[str]) -> bool:
    fewer, more = sorted((stems, other_stems), key=len)
    total = sum(map(words.stem_rarity, fewer))
    return bool(fewer) and sum(map(words.stem_rarity, fewer & more)) >= ALIKE * total


RULES: Sequence[Callable[[Statement, Statement], str]] = (
    _liked_and_disliked,
    _only_one,
    _other_numbers,
    _stated_and_denied,
    _opposite_words,
)
"""Rules in order; the first that gives a reason wins."""
