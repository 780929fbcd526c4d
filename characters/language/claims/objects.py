"""Read the object of a claim: find its end, split lists, and reject vague ones."""

import re
from collections.abc import Iterator

from characters.domain import words
from characters.domain.lexicon import worded
from characters.language.sentences import HIDDEN, Stretch

MAX_OBJECT = 200
"""Most characters of an object: nobody could decide on a longer statement."""
_STOPS = worded(
    rf"""[;:…{HIDDEN}\n]|\s[-–—]+\s|—| (?:whom|whose|which|whenever|when|while|because|since|until|although|though|but
    |so|despite|unless|even if|even when|especially|particularly|including|ever|except|rather than|thanks to|in order
    |as long as|as much as|as well|more than|most of all|in particular|in general|above all|too|either|anyway
    |these days|nowadays|dearly|very much|a lot|so much|the most|best|with all my heart|with a passion|to death
    |beyond (?:all )?words|to be honest|to this day|after all|of course|actually|honestly|immensely|enormously
    |always|sometimes|myself|for one|at heart|all the same|where|if|only if|provided)\b"""
)
_CONDITION = re.compile(r"\s+(?:if|when|whenever|unless|provided|as long as|only if|so long as)\b", re.IGNORECASE)
_LIST = re.compile(r"\s*,\s*(?:and|or|&)\s+|\s*,\s*|\s+(?:and|&)\s+")
_AND = re.compile(r"\s*,?\s+(?:and|or|&)\s+")
_TOGETHER = worded(
    r"""\b(?:fish|rock|bread|gin|salt|mac|arts|black|bed|drum|peace|law|cheese|strawberries|rhythm|sturm|dungeons|war
    |pride|crime|biscuits|bangers|bacon|peanut butter|trial|cloak|pen|give|hide|oil|rum|stars) (?:and|&) \w+
    |\bbetween\b|\bboth\b|\bmix\w* of\b"""
)
_OF_TWO = re.compile(r"(?:(?!\sand\s)[^,])*\sof\s(?:(?!\sand\s)[^,])*\sand\s(?!(?:the|an?|my)\s)[^,]*", re.IGNORECASE)
_NO_ITEM = worded(
    r"""(?:always|never|have|has|had|will|would|do|don't|does|did|am|is|are|was|were|that|it|so|then|not|but|hope|think
    |can|can't|could|should|i|i'm|i've|you|we|he|she|they|there|this|what|how|why|it's|that's|here|not|maybe|perhaps
    |always|ever|especially|particularly|even|just|only|often|still|yet|frankly|honestly|always)\b|(?:everything|all
    |anything)\b"""
)
_VAGUE_FIRST = worded(
    r"""(?:it|this|that|these|those|them|him|he|she|they|everything|anything|something|nothing|everyone|everybody|anyone
    |someone|somebody|nobody|all|both|either|neither|none|what|where|why|how|when|who|whether|such|so|very|as|is|are
    |was|be|been|there|here|me|myself|one|ones|yes|no|not|never|if|having|her|its|their|another|his|same|more|less
    |at|from)\b"""
)
_ALL_OF = re.compile(
    r"(?:all|such)\s+(?!of\s+(?:it|them|this|that)\b)(?=\w)|everything\s+(?:about|to\s+do\s+with)\s", re.I
)
_YOURS = re.compile(
    r"\b(?:you|your|yours|yourself|u|ya|ye|yer|thee|thy|thou|we|us|our|ours|he|she|they|him|them|it|this|i'll|here"
    r"|there|now)\b|\bof (?:that|those|these)\b",
    re.IGNORECASE,
)
_PASSING = worded(
    r"""\b(?:today|tonight|yesterday|tomorrow|right now|at the moment|this (?:morning|evening|afternoon|week|month|time)
    |(?:last|next) (?:night|week|month|year|time)|just now|currently|for now|earlier|so far|the other day|no longer
    |anymore|any more|ago|back then|in those days|at the time|as a (?:child|boy|girl|kid))\b"""
)
_POLITE = worded(
    r"""(?:the|that|a|an|such|these|those|any|some)?\s*(?:\w+ ){0,2}(?:question|idea|suggestion|point|thought|notion
    |prospect|request|offer|compliment|company|conversation|chat|enthusiasm|curiosity|attitude|energy
    |way (?:that )?(?:he|she|they)|thing|things|stuff|part|bit|sort|kind|type|fact|feeling|moment|answer|dear|place
    |one|ones|rest|situation|result|way|sound of that|look of that|vibe|direction|topic|subject|approach)s?(?: (?:of
    |that|to|here|there)\b.*)?"""
)
_PHATIC = worded(
    r"""(?:to )?(?:say(?:ing)?|admit(?:ting)?|interrupt\w*|disappoint\w*|break|ask(?:ing)?|bother\w*|rush
    |think(?:ing)? (?:that|so|of myself)|think|believe|imagine|know(?:ing)?|hear(?:ing)?(?! (?:the|an?)\b)|tell|call
    |consider|answer\w*|spoil|help(?:ing)?|talking|chatting|speaking|seeing|discussing|getting to know|sharing
    |learning (?:about|that)|assist\w*|be (?:the|of|right|wrong|blunt|that|called|addressed|asked|left|known)
    |being (?:able|asked|of|honest|with)|do|doing|leave|leaving|go|watch|keep|remain|stay|see|trouble|impose|boast
    |brag|correct|repeat|agree|disagree|quote|meet)\b|not to\b|to not\b"""
)
_DANGLING = frozenset(
    """of the a an and or but my to in on at for with by from as than that this it them is are be very so more most
    all any some no not into about like over such me""".split()
)
_OPEN = frozenset("a an the and or but my of than with".split())
_FILLER_BEHIND = re.compile(
    r"(?:,?\s+(?:still|again|indeed|though|most|more|now|much|already|only|first|really|truly|lol|haha\w*|lmao|tbh"
    r"|xd|imo|innit|mate))+$",
    re.IGNORECASE,
)
_FILLER_FRONT = re.compile(
    r"(?:(?:(?:actually|really|in fact|definitely|certainly|probably|simply|just|absolutely|easily|obviously|still"
    r"|always|undoubtedly|surely|clearly|most likely|without (?:a |any )?(?:doubt|question)|by far|hands down"
    r"|of course|perhaps|maybe)\b|[,–—:-])\s*)+(?=\S)",
    re.IGNORECASE,
)
_EDGE = " \t\r\n,.;:!?+~\"'“”‘’«»-–—…*_|/\\&"


def things(rest: Stretch) -> Iterator[Stretch]:
    """Yield each item of a list; without an "and" a comma ends the object."""
    if is_passing(rest.text):
        return
    full = phrase(rest)
    first, comma, more = full.text.partition(",")
    is_list = _AND.search(comma + more if comma else first) and not _belongs_together(full.text)
    yield from (item for item in (_items(full) if is_list else [before_comma(full)]) if is_sound(item.text))


def one_thing(rest: Stretch) -> Iterator[Stretch]:
    """Yield one object, up to a comma."""
    if is_passing(rest.text):
        return
    item = before_comma(phrase(rest))
    if is_sound(item.text):
        yield item


def opinion(rest: Stretch) -> Iterator[Stretch]:
    """Yield a whole clause as the object: "every reef can be saved"."""
    end = _OPINION_ENDS.search(rest.text)
    clause = trimmed(rest.part(0, end.start() if end else None))
    plain = clause.text.lower()
    if len(clause.text) > MAX_OBJECT or len(plain.split()) < 3 or _NO_OPINION.match(plain):
        return
    if _YOURS.search(plain) or _PASSING.search(plain) or _DATED.search(plain) or plain.split()[-1] in _OPEN:
        return
    yield clause


_OPINION_ENDS = re.compile(
    rf"[;:…{HIDDEN}\n]|\s[-–—]+\s|—|,\s+(?:and|but|so|though|although|even|which|not|whatever|no matter|you|don't"
    rf"|at least"
    r"|honestly|frankly|I)\b",
    re.IGNORECASE,
)
_NO_OPINION = re.compile(
    r"(?:it|this|that|these|those|so|not|i|i'm|i've|we|you|he|she|they|there|who|what|is|are|was|has|have|will|would"
    r"|should|can|with|by|for|from|on|at|as|more)\b"
)
_DATED = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|o'clock|me|him|will be|left|went|said"
    r"|came|was|were|had|her|his|their|here|there)\b"
)


def before_comma(words: Stretch) -> Stretch:
    """Return `words` up to the first comma."""
    return words.part(0, len(words.text.partition(",")[0]))


def phrase(rest: Stretch) -> Stretch:
    """Return `rest` up to where the sentence ends or turns to something else, without fillers; empty at a quotation."""
    first = _FILLER_FRONT.match(rest.text)
    rest = rest.part(first.end() if first else 0)
    end = _STOPS.search(rest.text)
    if end and HIDDEN in end.group():
        return Stretch("", rest.start)  # "the word" of a quotation
    words = trimmed(rest.part(0, end.start() if end else None))
    filler = _FILLER_BEHIND.search(words.text)
    return words.part(0, filler.start() if filler else None)


def trimmed(words: Stretch) -> Stretch:
    """Strip punctuation, quotation marks and emoji."""
    start, end = 0, len(words.text)
    while start < end and _is_edge(words.text[start]):
        start += 1
    while end > start and _is_edge(words.text[end - 1]):
        end -= 1
    return Stretch(words.text[start:end], words.start + start)


def is_sound(text: str) -> bool:
    """Return whether the object says something by itself, and nothing about other people or the moment."""
    plain = " ".join(text.lower().split())
    bare = _ALL_OF.sub("", plain, count=1)
    if not 2 <= len(plain) <= MAX_OBJECT or HIDDEN in plain or "{" in plain or "<" in plain or "=" in plain:
        return False
    if _VAGUE_FIRST.match(bare) or _YOURS.search(plain) or _PASSING.search(plain):
        return False
    if _POLITE.fullmatch(bare) or _PHATIC.match(bare) or plain.split()[-1] in _DANGLING:
        return False
    return bool(words.stems(plain)) and any(char.isalpha() for char in plain)


def _items(full: Stretch) -> list[Stretch]:
    items: list[Stretch] = []
    start = 0
    for joint in [*_LIST.finditer(full.text), None]:
        item = trimmed(full.part(start, joint.start() if joint else None))
        if items and _NO_ITEM.match(item.text):
            break
        items.append(item)
        start = joint.end() if joint else 0
    return items


def _belongs_together(text: str) -> bool:
    """Match "fish and chips", "the smell of diesel and salt", "watching the sun rise and set"."""
    return bool(_TOGETHER.search(text) or _OF_TWO.fullmatch(text)) or _is_action(text)


def _is_action(text: str) -> bool:
    first = re.match(r"to\s|\w+ing\b", text, re.IGNORECASE)
    return bool(first) and not re.search(r"\s(?:and|or)\s+(?:to\s|\w+ing\b)", text)


def is_passing(rest: str) -> bool:
    """Return whether this only holds for a time, or on a condition."""
    return bool(_PASSING.search(rest) or _CONDITION.search(rest))


def _is_edge(char: str) -> bool:
    return char in _EDGE or not (char.isalnum() or char in "()%$£€")
