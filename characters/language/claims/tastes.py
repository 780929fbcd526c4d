"""What a character may say of tastes and opinions, behind "I" (tastes.txt) and around it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from characters.domain.lexicon import read_blocks, worded
from characters.language.claims import objects
from characters.language.sentences import Stretch

Read = Callable[[Stretch], Iterator[Stretch]]

ADVERBS = (
    r"(?:(?:still|much|far|also|really|truly|absolutely|genuinely|honestly|just|simply|always|do|so|rather|quite"
    r"|particularly|especially|deeply|secretly|positively|utterly|generally|usually|mostly|personally|very|dearly"
    r"|too|not so secretly|frankly|certainly|definitely|greatly|thoroughly|tend to|sincerely|wholeheartedly|actively"
    r"|passionately|completely|totally|actually|openly|quietly|firmly|strongly|fervently|long|forever|ever|been"
    r"|happen to|must admit I|have to admit I|confess I|never stop|and truly|fiercely|hopelessly|endlessly|only"
    r"|kind of|kinda|sort of|sorta|probably|perhaps|maybe|a bit|a little|somewhat|slightly|more or less) )*?"
)
_PARTS = {
    "ADVERBS": ADVERBS,
    "BE": rf"(?:'m| am|(?:'ve| have) (?:always |long )?been) {ADVERBS}",
    "HAVE": rf"(?:'ve| have|'ve got| have got) {ADVERBS}",
    "SO_FAR": r"(?:'ve| have) (?:(?:always|long|forever|really|truly|simply|ever|quietly|secretly|rather|quite) )*",
    "NEVER": r"(?:(?:'ve| have) never| never) (?:(?:really|much|quite|once) )*",
    "NOT": r" (?:do not|don't) (?:(?:really|much|particularly|especially|at all) )*",
    "VERB": rf" {ADVERBS}",
    "AN": r"(?:an?|the|my|such an?) (?:[\w-]+ ){0,2}",
    "SOME": r"(?:an? )?(?:[\w-]+ ){0,2}",
}
"""What stands for <NAME> in the file."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What stands behind "I" says `predicate` of what follows it."""

    predicate: str
    verb: re.Pattern[str]
    read: Read
    certainty: float


def _rules() -> Iterator[Rule]:
    """What stands behind "I"."""
    for predicate, options, pattern in _TABLE:
        if options[0] != "first":
            yield Rule(predicate, worded(rf"(?:{pattern})(?![\w'-])"), getattr(objects, options[0]), float(options[1]))


def _table() -> Iterator[tuple[str, list[str], str]]:
    for heading, patterns in read_blocks(Path(__file__).with_name("tastes.txt")):
        predicate, *options = heading.split(" | ")
        for pattern in patterns:
            yield predicate, options, re.sub(r"<([A-Z_]+)>", lambda part: _PARTS[part[1]], pattern)


_TABLE = tuple(_table())
RULES = tuple(_rules())
"""By the first that fits."""

_OVERRATED = (
    r"(?:over|under)(?:rated|valued|estimated|appreciated)|beautiful|dull|boring|wonderful|awful|terrible|important"
    r"|essential|vital|pointless|useless|ridiculous|magnificent|sublime|tedious|delicious|disgusting|sacred|precious"
    r"|noble|barbaric|cruel|charming|elegant|ugly|fascinating|vulgar|nonsense|a (?:nuisance|crime|mistake"
    r"|waste of time|virtue|vice)"
)
JUDGED = worded(
    rf" (?:(?:do|still|really|honestly|rather) )*(?:think|reckon) (?:that )?(?P<what>[^,;:]{{2,80}}? (?:is"
    rf"|are) (?:(?:a bit|rather|wildly|vastly|deeply|utterly|simply|criminally|hugely|so|very|quite"
    rf"|the most) )*(?:{_OVERRATED}))\s*$"
)
"""Behind "I": "think Vivaldi is overrated"."""

_NICE = (
    r"relaxing|soothing|delightful|beautiful|charming|comforting|calming|irresistible|enchanting|wonderful|delicious"
    r"|restful|therapeutic|hilarious|lovely|thrilling"
)
_FASCINATING = r"fascinating|intriguing|captivating|mesmeri[sz]ing|compelling"
_NASTY = (
    r"tedious|boring|dull|irritating|annoying|unbearable|insufferable|disgusting|revolting|tiresome|dreary"
    r"|exhausting|repulsive|insulting|vulgar|awful|dreadful|overrated|distasteful"
)
FINDS = worded(
    rf" (?:(?:do|still|really|honestly|always|personally) )*find (?P<what>[^,;:]{{2,60}}?) (?:(?:rather|quite|deeply"
    rf"|very|so|utterly|oddly|strangely|endlessly|absolutely|wonderfully|terribly|incredibly|surprisingly"
    rf"|to be) )*(?:(?P<LIKES>{_NICE})|(?P<INTERESTED_IN>{_FASCINATING})|(?P<DISLIKES>{_NASTY}))\s*$"
)
"""Behind "I": "find fishing relaxing"."""

_WHAT = r"(?P<what>[^,;:\x01]{2,80}?)"
_MOST = r"(?:(?:really|always|simply|absolutely|still|never fails? to|just|genuinely|only|endlessly) )*"
SUBJECT_FIRST = tuple(
    (predicate, worded(rf"{_WHAT} {_MOST}(?:{pattern})(?![\w'])"))
    for predicate, options, pattern in _TABLE
    if options == ["first"]
)
"""What stands in front of the verb is the object."""

WHAT_I = worded(
    r"(?:what|the (?:thing|things|sound|smell|part|one thing)) I (?:really |truly |most )?(?P<verb>love|adore|enjoy"
    r"|like|hate|dislike|loathe|admire|care about|worry about)(?: (?:most|best|the most"
    r"|more than anything))*(?: (?:about|in) [^,;:]{2,40}?)? (?:is|are)(?![\w'])"
)
THINGS_I = worded(
    r"(?![^:]*\b(?:you|your|he|she|they|said|told)\b)[^,;:]{0,50}\b(?:things?|what|foods"
    r"|pleasures) (?:that )?I (?:(?:really|truly|absolutely|simply) )?(?P<verb>love|adore|enjoy|like|hate|dislike"
    r"|loathe|can't stand|admire|care about|worry about)[^:]{0,40}:\s*$"
)
"""What stands in front of a list."""
OF_VERB = {
    "can't stand": "HATES",
    "love": "LOVES",
    "adore": "LOVES",
    "like": "LIKES",
    "enjoy": "ENJOYS",
    "hate": "HATES",
    "loathe": "HATES",
    "stand": "HATES",
    "dislike": "DISLIKES",
    "admire": "ADMIRES",
    "care about": "CARES_ABOUT",
    "worry about": "WORRIES_ABOUT",
    "prefer": "PREFERS",
}
NOTHING_LIKE = worded(
    r"""nothing (?:(?:quite|really|in the world|on earth) )*(?:beats|compares to|compares with|tops
    |makes me happier than|pleases me more than|delights me more than)(?![\w'])|(?:there's
    |there is) nothing (?:(?:quite|in the world|on earth) )*(?:better than|finer than|like|so fine as
    |I love more than|I like better than)(?![\w'])"""
)
OVER = worded(
    r"(?:give me|I'd (?:take|choose|pick)|I would (?:take|choose|pick)|I'll (?:always )?take|I (?:always )?(?:choose"
    r"|pick)) (?P<what>[^,;:]{2,60}? over [^,;:]{2,60}?)(?P<sure>,? (?:any day|every time|any time|always)\b.*)$"
)
OPINION = worded(
    r"(?:in my (?:humble |honest |considered |professional )?(?:opinion|view|book|estimation)|to my mind"
    r"|if you ask me|as far as I'm concerned|as I see it)\s*,? "
)
HEDGE = worded(
    r"\b(?:kind of|kinda|sort of|sorta|probably|perhaps|maybe|I guess|I suppose|I think|somewhat|a bit|more or less"
    r"|possibly|likely|I reckon|slightly|sometimes)\b"
)
