"""Detect whether somebody supplied a statement's words before the character said them. Pure; no Django.

A sentence of the person supplies the statement if it has the object's words (at least `MOST_OF` by rarity) in a
statement, a request or a yes-or-no question, since "Do you like jazz?" elicits "Yes, I love jazz". An open question
doesn't ("What's your favourite coral?", "Do you like coral or kelp?"), unless it presupposes the whole object ("What
do you like about jazz?"); nor does a sentence of opposite liking ("I love my job" doesn't supply "I hate my job").
Words from several sentences count only if together they have the whole object.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from characters.domain import words

MOST_OF = 0.6
"""Share of the object's words, by rarity, that is more than a shared topic."""
LEAST_SPREAD = 2
"""Fewest words of an object that several sentences can supply together."""
_WH = re.compile(
    r"^\W*(?:(?:and|but|so|then|now|well|ok|okay|oh|hey|hi|please|by the way)\W+){0,3}(?:what|which|who|whose|where|"
    r"when|why|how|tell me (?:about|more|something|what|which|where|who|how|why|when)|name (?:your|a|one|some)|"
    r"describe|was|welche\w*|wer|wo|wann|warum|wie|quel\w*|qui|où|quand|pourquoi|comment|cuál\w*|qué|quién|dónde|cuándo|cómo|"
    r"quale?|chi|dove|come|quando|qual|onde|quem)\b"
)
_OR = re.compile(r"\bor\b(?! (?:not|what|don't|do you not|else)\b)|\b(?:oder|ou|o|oppure)\b(?! nicht\b)")
_NOT = re.compile(r"\b(?:not|never|no|cannot)\b|n't\b")
_YES_OR_NO = re.compile(
    r"\b(?:yes or no|no or yes|true or false|ja oder nein|oui ou non|s[ií] o no|s[ìi] o no|sim ou não)\b"
)
"""Names the answers that a question allows, and neither denies anything nor leaves a choice of things."""
_TAG = re.compile(r"\b(?:don't|aren't|isn't|wouldn't|didn't|haven't|doesn't|won't|can't) (?:you|it|that|we|i)\b")
_FOR = re.compile(
    r"\b(?:like|likes|liked|love|loves|loved|enjoy\w*|ador\w*|prefer\w*|favou?rites?|fond|best|great|fans?|happy|"
    r"passion\w*|fascinat\w*|thrill\w*|crazy about|care for)\b"
)
_AGAINST = re.compile(
    r"\b(?:hat(?:e|es|ed|ing)|dislik\w*|detest\w*|despis\w*|loath\w*|can't (?:stand|bear)|cannot (?:stand|bear)|"
    r"sick of|tired of|fed up|bored? (?:of|by|with)|worst|awful|annoy\w*|abhor\w*|scare[sd]?|boring|bores?|disgust\w*|"
    r"afraid of|terrif\w*)\b"
)
_FOREIGN_FOR = re.compile(
    r"\b(?:ich (?:liebe|mag|bevorzuge)|j'(?:aime|adore)|je préfère|me (?:encanta|gusta)n?|mi piac(?:e|ciono)|eu gosto|"
    r"(?:yo |io |eu )?(?:amo|adoro|prefiero|preferisco|prefiro))\b"
)
_FOREIGN_AGAINST = re.compile(
    r"\b(?:ich (?:hasse|verabscheue)|ich mag\b[^.!?\n]{0,30}\b(?:nicht|kein\w{0,2})|je (?:déteste|hais)|je n'aime pas|"
    r"(?:no me gusta|não gosto|non mi piac)\w{0,5}|(?:yo |io |eu )?(?:odio|odeio|detesto|aborrezco))\b"
)
_DENIED = re.compile(
    rf"(?:\b(?:not|never|no|cannot)|n't)\b(?:[^\w,;:.!?]{{1,3}}\w{{1,20}}){{0,3}}?[^\w,;:.!?]{{1,3}}(?:{_FOR.pattern}|{_AGAINST.pattern})"
)
"""A negated liking; a negation elsewhere in the sentence says nothing about it."""
_LIKINGS = frozenset(
    map(
        words.stem,
        "like love enjoy adore prefer favorite favourite fond great fan passionate hate dislike detest despise loathe "
        "stand bear sick tired bored worst awful annoy abhor best happy mind "
        "fascinate thrill crazy care scare scared boring disgust afraid terrify".split(),
    )
)
NEGATED_LIKING = re.compile(
    r"\b(?:don't|do not|didn't|did not|never|can't|cannot)(?: \w{1,12}){0,2} "
    r"(?:like|love|enjoy|prefer|stand|bear|hate|dislike|mind|care)\w*"
)


_ONESELF = frozenset("i i'm i've i'd i'll my me mine myself we our us".split())
_OTHERS = frozenset("you you're you've you'd you'll your yours yourself u ur".split())


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for: stems of a statement's object and of all of it, and its `liking`."""

    object: frozenset[str]
    all: frozenset[str]
    liking: int

    def share(self, stems: Iterable[str]) -> float:
        """Return the share of the object that `stems` cover, by rarity."""
        return _share(self.object, stems)

    def share_of_all(self, stems: Iterable[str]) -> float:
        """Return the share of the statement that `stems` cover, by rarity."""
        return _share(self.all, stems)


def wanted(statement: str, named: str) -> Wanted:
    """Return what to search for, given a statement and the object named in it."""
    everything = frozenset(words.stems(statement)) or frozenset(map(words.stem, words.tokens(statement)))
    return Wanted(frozenset(words.stems(named)) or everything, everything, liking(statement))


def liking(text: str) -> int:
    """Return 1 for liking, -1 for disliking, else 0; a negated liking is reversed, another negation gives 0."""
    plain = _YES_OR_NO.sub(" ", _TAG.sub(" ", text.lower().replace("’", "'")))
    dislikes = bool(_AGAINST.search(plain))
    likes = bool(_FOR.search(plain))
    if dislikes == likes:
        return 0
    value = -1 if dislikes else 1
    if not _NOT.search(_AGAINST.sub(" ", plain)):
        return value
    return -value if _DENIED.search(plain) else 0


def foreign_liking(text: str) -> int:
    """Return the `liking` that a German, French, Spanish, Italian or Portuguese text states in fixed phrases."""
    plain = text.lower().replace("’", "'")
    if _FOREIGN_AGAINST.search(plain):
        return -1
    return 1 if _FOREIGN_FOR.search(plain) else 0


def is_liking(stem: str) -> bool:
    """Return whether a word with this stem expresses liking or disliking."""
    return stem in _LIKINGS


def is_open(sentence: str) -> bool:
    """Return whether this is an open question."""
    low = _YES_OR_NO.sub(" ", sentence.lower().replace("’", "'"))
    if _WH.search(low):
        return not _TAG.search(low)
    return low.endswith("?") and bool(_OR.search(low)) and not _TAG.search(low)


def is_of_oneself(sentence: str) -> bool:
    """Return whether a sentence has "I" or "we", and no "you"."""
    tokens = set(words.tokens(sentence))
    return bool(tokens & _ONESELF) and not tokens & _OTHERS


def supplies(sentence: str, sought: Wanted) -> bool:
    """Return whether this sentence alone supplies the statement."""
    stems = frozenset(words.stems(sentence))
    own_liking = liking(sentence)
    if sought.liking and own_liking == -sought.liking:
        return False
    if is_open(sentence):
        return (
            not _OR.search(sentence.lower()) and sought.share(stems) == 1 and not sentence.lower().startswith("which")
        )
    return sought.share(stems) >= MOST_OF


def together(sentences: Iterable[str], sought: Wanted) -> bool:
    """Return whether sentences that aren't open questions have the whole object between them."""
    stems: set[str] = set()
    for sentence in sentences:
        if not is_open(sentence):
            stems |= sought.object & frozenset(words.stems(sentence))
    return len(sought.object) >= LEAST_SPREAD and stems == sought.object


def _share(of: frozenset[str], stems: Iterable[str]) -> float:
    total = sum(map(words.stem_rarity, of))
    return sum(map(words.stem_rarity, of.intersection(stems))) / total if total else 0.0
