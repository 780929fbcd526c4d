"""The table of what a character may say of her tastes and opinions, behind "I" and around it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from characters.language.claims import objects
from characters.language.claims.places import Stretch
from characters.language.claims.wording import worded

Read = Callable[[Stretch], Iterator[Stretch]]

ADVERBS = (
    r"(?:(?:still|much|far|also|really|truly|absolutely|genuinely|honestly|just|simply|always|do|so|rather|quite"
    r"|particularly|especially|deeply|secretly|positively|utterly|generally|usually|mostly|personally|very|dearly"
    r"|too|not so secretly|frankly|certainly|definitely|greatly|thoroughly|tend to|sincerely|wholeheartedly|actively"
    r"|passionately|completely|totally|actually|openly|quietly|firmly|strongly|fervently|long|forever|ever|been"
    r"|happen to|must admit I|have to admit I|confess I|never stop|and truly|fiercely|hopelessly|endlessly|only"
    r"|kind of|kinda|sort of|sorta|probably|perhaps|maybe|a bit|a little|somewhat|slightly|more or less) )*?"
)
_BE = rf"(?:'m| am|(?:'ve| have) (?:always |long )?been) {ADVERBS}"
_HAVE = rf"(?:'ve| have|'ve got| have got) {ADVERBS}"
_SO_FAR = r"(?:'ve| have) (?:(?:always|long|forever|really|truly|simply|ever|quietly|secretly|rather|quite) )*"
_NEVER = r"(?:(?:'ve| have) never| never) (?:(?:really|much|quite|once) )*"
_NOT = r" (?:do not|don't) (?:(?:really|much|particularly|especially|at all) )*"
_VERB = rf" {ADVERBS}"
_AN = r"(?:an?|the|my|such an?) (?:[\w-]+ ){0,2}"
_SOME = r"(?:an? )?(?:[\w-]+ ){0,2}"


@dataclass(frozen=True, slots=True)
class Rule:
    """What stands behind "I" says `predicate` of what follows it."""

    predicate: str
    verb: re.Pattern[str]
    read: Read
    certainty: float


def _rule(predicate: str, verb: str, read: Read = objects.things, certainty: float = 0.95) -> Rule:
    return Rule(predicate, worded(rf"(?:{verb})(?![\w'-])"), read, certainty)


RULES = (
    _rule("PREFERS", rf"{_VERB}(?:prefer)|{_SO_FAR}preferred", objects.one),
    _rule(
        "DISLIKES",
        rf"{_NOT}(?:like|enjoy|care (?:much )?for)|{_NEVER}(?:liked|enjoyed|cared (?:much )?for|warmed to|like|enjoy)",
    ),
    _rule("DISLIKES", rf"{_VERB}dislike|{_SO_FAR}disliked"),
    _rule(
        "DISLIKES",
        rf"{_BE}(?:not|no) {ADVERBS}(?:(?:a|an) )?(?:[\w-]+ )?(?:fan of|fond of|keen on|partial to|friend of|lover of"
        rf"|one for)",
        certainty=0.9,
    ),
    _rule(
        "DISLIKES",
        rf"{_HAVE}(?:no|little) (?:love|patience|time|use|taste|fondness|stomach|affection) for",
        certainty=0.85,
    ),
    _rule(
        "DISLIKES",
        rf"{_HAVE}(?:an? )(?:[\w-]+ )?(?:dislike|distaste|aversion) (?:of|for|to)|{_BE}bored by",
        certainty=0.9,
    ),
    _rule("HATES", rf"{_VERB}(?:hate|loathe|detest|despise|abhor)|{_SO_FAR}(?:hated|loathed|detested|despised)"),
    _rule(
        "HATES",
        r"(?: (?:simply|really|just|honestly|absolutely))? (?:can't|cannot|can not|could never) (?:really "
        r"|simply )?(?:stand|bear|abide|stomach)",
    ),
    _rule("HATES", rf"{_NEVER}(?:could )?(?:stand|abide|bear)|{_SO_FAR}never been able to (?:stand|abide|bear)"),
    _rule(
        "LOVES",
        rf"{_VERB}(?:(?:love,? (?:and )?){{0,4}}love|adore|cherish|treasure)|{_SO_FAR}(?:loved|adored|cherished"
        rf"|treasured)",
    ),
    _rule(
        "LOVES",
        rf" (?:can't|cannot|can never|could never) get enough of| (?:can't|cannot) (?:live|do) without"
        rf"|{_VERB}live for",
        certainty=0.85,
    ),
    _rule(
        "LOVES",
        rf"{_BE}(?:crazy|mad|nuts|wild|potty|bonkers) (?:about|for)|{_BE}in love with|{_BE}smitten with",
        certainty=0.85,
    ),
    _rule("LOVES", rf"{_HAVE}{_AN}(?:love|passion|adoration) (?:for|of)"),
    _rule(
        "ENJOYS",
        rf"{_VERB}(?:enjoy|relish|savou?r|delight in|revel in)|{_SO_FAR}(?:enjoyed|relished|savou?red)",
    ),
    _rule("ENJOYS", rf"{_VERB}(?:take|find) {_SOME}(?:pleasure|delight|joy|comfort|solace) in", certainty=0.9),
    _rule(
        "LIKES",
        rf"{_HAVE}(?:always had |long had |had )?{_AN}?(?:soft spot|weakness|fondness|taste|penchant|liking|affection"
        rf"|partiality|sweet spot) for",
    ),
    _rule(
        "LIKES",
        rf"{_BE}(?:(?:a|an|the|your) )?(?:[\w-]+ ){{0,2}}(?:fan|lover|devotee|admirer|sucker|aficionado) (?:of|for)",
        certainty=0.9,
    ),
    _rule("LIKES", rf"{_BE}(?:fond of|keen on|partial to|into|all about)", certainty=0.9),
    _rule(
        "INTERESTED_IN",
        rf"{_BE}(?:interested in|fascinated (?:by|with)|curious about|intrigued by|captivated by|passionate about"
        rf"|obsessed with|drawn to|enthralled by)",
        certainty=0.9,
    ),
    _rule(
        "INTERESTED_IN",
        rf"{_HAVE}{_AN}(?:interest in|fascination (?:with|for)|curiosity about|obsession with)",
        certainty=0.9,
    ),
    _rule("LIKES", rf"{_VERB}like|{_SO_FAR}liked", certainty=0.9),
    _rule(
        "CARES_ABOUT",
        rf"{_VERB}care (?:(?:deeply|a lot|a great deal|passionately|very much|so much|enormously|most|mostly|fiercely"
        rf"|only) )?about|{_SO_FAR}cared (?:\w+ )?about",
    ),
    _rule("ADMIRES", rf"{_VERB}(?:admire|revere|look up to)|{_SO_FAR}(?:admired|revered|looked up to)"),
    _rule("ADMIRES", rf"{_HAVE}{_SOME}(?:admiration|respect|reverence) for|{_BE}in awe of", certainty=0.9),
    _rule(
        "WORRIES_ABOUT",
        rf"{_VERB}(?:worry|fret) (?:(?:deeply|a lot|constantly|most|a great deal|endlessly|more and more) )?about"
        rf"|{_BE}(?:worried|concerned|anxious) (?:about|for|by)",
        certainty=0.9,
    ),
    _rule("BELIEVES", rf"{_VERB}believe(?= in\s)|{_SO_FAR}believed(?= in\s)", objects.one),
    _rule("BELIEVES", rf"{_BE}(?:a|an) (?:[\w-]+ )?believer(?= in\s)", objects.one, 0.9),
    _rule(
        "BELIEVES",
        rf"{_VERB}believe that|{_SO_FAR}believed(?: that)?|{_BE}(?:convinced|certain|persuaded) that",
        objects.opinion,
        0.9,
    ),
    _rule(
        "BELIEVES",
        r" (?:firmly|truly|really|honestly|deeply|strongly|genuinely|sincerely|fervently|still|do"
        r"|wholeheartedly) believe",
        objects.opinion,
        0.9,
    ),
    _rule("BELIEVES", r" believe| hold that", objects.opinion, 0.75),
    _rule("HAS_OPINION", r"(?:'m| am) of the opinion that| maintain that", objects.opinion, 0.85),
)
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
    (predicate, worded(rf"{_WHAT} {_MOST}(?:{verb})(?![\w'])"))
    for predicate, verb in (
        ("DISLIKES", r"(?:bores?|annoys?|irritates?|exhausts?|disgusts?) me"),
        (
            "DISLIKES",
            r"(?:is|are)(?:n't| not) (?:really |quite |exactly )?(?:my (?:thing|cup of tea|style|idea of fun)"
            r"|for me)",
        ),
        ("INTERESTED_IN", r"(?:fascinates?|intrigues?|captivates?|mesmeri[sz]es?) me"),
        ("LIKES", r"(?:delights?|enchants?|soothes?|thrills?|calms?) me"),
        ("LIKES", r"makes? (?:me (?:happy|smile|sing)|my heart sing)"),
        ("WORRIES_ABOUT", r"(?:worries|worry|troubles?) me|keeps? me (?:up|awake) at night"),
        (
            "CARES_ABOUT",
            r"matters? (?:(?:a great deal|a lot|enormously|deeply|most|more than anything) )?to me",
        ),
        ("CARES_ABOUT", r"means? (?:the world|everything|a great deal|a lot|so much) to me"),
        (
            "LOVES",
            r"(?:is|are) my (?:\w+ )?(?:passion|great love|weakness|guilty pleasure|first love|obsession)",
        ),
    )
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
