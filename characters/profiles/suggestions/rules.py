"""The table of verbs: what each says of its subject, and how its object is read. The first that fits decides."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from characters.profiles.suggestions import vocabulary
from characters.profiles.suggestions.objects import (
    Read,
    Said,
    all_or_none,
    cut,
    each,
    is_language,
    is_played,
    is_trait,
    one,
    sound,
    whole,
)

BE = r"(?:am|are|is|'m|'re|'s)"
_WAS = r"(?:am|are|is|'m|'re|'s|was|were)"
_HAVE = r"(?:have|has|'ve|'s got|have got|has got)"
_NOT = r"(?:do not|don't|does not|doesn't)(?: really| much)?"
_ADVERBS = r"(?:(?:still|also|now|secretly|currently|originally|really|truly|deeply|genuinely|absolutely|quietly|fiercely|both|only|an? avid|mostly|particularly|especially|clearly|simply|openly|privately)\s+)*"
_DETERMINED = r"(?:an?|the|my|your|his|her|our|their|some|two|three|four|five|several|many|\d+)\s"
_NUMBER = r"(?:about |around |over |nearly )?\d[\d,]*|(?:early|mid|late)[- ]\w+ties"
_PLACE = rf"{_DETERMINED}|[A-Z]"
_PLACE_ENDS = r"\s+(?:and|with|alongside|together)\s|\s+in (?=\d)|\s+at (?=\d)|\s+(?:on|in) (?:my|your|his|her) own|\s+alone\b|\s+(?:for|to)\s"
_NAME = r"(?:[A-Z][\w'.-]*)(?:\s+(?:of|the|von|van|de|[A-Z][\w'.-]*))*"


@dataclass(frozen=True, slots=True)
class Rule:
    """A verb, matched where a clause begins behind its subject, and the reader of what follows it."""

    verb: re.Pattern[str]
    read: Read


def _rule(verb: str, read: Read) -> Rule:
    return Rule(re.compile(rf"\s*{_ADVERBS}(?:{verb})(?![\w'])", re.IGNORECASE), read)


_CLASS_ENDS = re.compile(
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


def being(rest: str) -> Iterator[Said]:
    """ "a 19-year-old thief from ..." -> HAS_AGE, IS_A; "the daughter of a fisherman" -> HAS_FATHER."""
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


def _parent(child: re.Match[str]) -> Iterator[Said]:
    who = sound(_CLASS_ENDS.split(cut(child[1]).split(",")[0])[0])
    head = who.split(" of ")[0].lower()
    for ends, predicate in ((vocabulary.MOTHERS, "HAS_MOTHER"), (vocabulary.FATHERS, "HAS_FATHER")):
        if who and head.endswith(ends):
            yield predicate, who
            return
    if who:
        yield "IS_A", sound(child[0].replace(child[1], who))


def _class(part: str) -> Iterator[Said]:
    text = cut(part).split(",")[0]
    for pattern, predicate in _PHRASES:
        found = pattern.match(text)
        if found:
            yield from one(predicate, behind=r"\s+and\s")(found[1])
            return
    said = sound(_CLASS_ENDS.split(text)[0])
    if said and not re.match(r"(?:the|little|bit|lot|kind|sort)\b", said) and said.split()[-1].lower() not in _NO_CLASS:
        yield "IS_A", said
        employer = _AT_EMPLOYER.search(text)
        if employer:
            yield "WORKS_AT", employer["name"]


_NO_CLASS = frozenset(
    """hurry way trance dream neck position state mood rush corner loop trap prison secret total sense age man woman boy
    girl guy fool member""".split()
)


def _studied(rest: str) -> Iterator[Said]:
    subject, *places = re.split(r"\s+(?:at|in(?= [A-Z]))\s+", cut(rest).split(",")[0], maxsplit=1)
    yield from each("STUDIED")(subject)
    if places and re.search(r"\s+at\s+", rest):
        yield from one("STUDIED_AT")(places[0])


def _having(rest: str) -> Iterator[Said]:
    """ "a younger brother named Eddie", "a one-eyed cat called Captain", "long black hair"."""
    text = _RELATED.match(rest)
    if text:
        yield vocabulary.KIN[text["kin"].lower()], sound(text["name"] or text["where"] or "")
        return
    said = sound(re.split(r"\s+and\s+", _HAS_ENDS.split(cut(rest).split(",")[0])[0])[0])
    plain = said.lower().split()
    front = re.split(r"\s+(?:called|named)\s", said.lower())[0].split()
    if front and front[-1] in vocabulary.PETS:
        yield "HAS_PET", said
    elif plain and re.search(rf"\b(?:{vocabulary.BODY})$", said) and 1 < len(plain) <= 5:
        yield "LOOKS_LIKE", said
    elif re.match(r"(?:an? )?(?:\w+ )?(?:degree|doctorate|phd|master's|bachelor's|diploma)\b", said, re.IGNORECASE):
        yield "HAS_DEGREE", said


_HAS_ENDS = re.compile(r"\s+(?:that|who|which|whose)\s")
_RELATED = re.compile(
    rf"""\s*(?:an?|one)\s+(?:(?:younger|older|elder|little|big|twin|half|only|beloved|estranged|baby|adult|grown|teenage|stubborn)[\s-])*
    (?P<kin>{"|".join(vocabulary.KIN)})\b
    (?:\s*,?\s*(?:named|called)?\s*(?P<name>(?-i:[A-Z])[\w-]+)|\s+(?P<where>in\s+(?-i:[A-Z])\w+)|\s+(?=who\b)|\W)""",
    re.IGNORECASE | re.VERBOSE,
)
_PHYSICAL = (
    "swim|sing|cook|dance|drive|read|write|sleep|see|hear|walk|fly|ride|whistle|eat|lie|die|feel|taste|smell|dream|drown"
    "|age|bleed|cry|draw|juggle|climb|digest|cast"
)
_WISHES = (
    "open|become|own|find|write|build|travel|learn|win|be an?|save|restore|prove|buy|start|marry|sail|explore|publish"
    "|found|overthrow|rule|avenge|free|master|cure|rebuild|discover|reclaim"
)

RULES: Sequence[Rule] = (
    _rule(rf"{_WAS} born(?: and (?:raised|bred))?(?: on [^,]{{3,25}}| \w+ \w+)? in", one("BORN_IN", behind=_PLACE_ENDS, needs=_PLACE)),
    _rule(rf"(?:grew up|{_WAS} raised|{_WAS} brought up) (?:in|on|near)", one("GREW_UP_IN", behind=_PLACE_ENDS, needs=_PLACE)),
    _rule(r"spent (?:most of )?(?:my|your|his|her) childhood in", one("GREW_UP_IN", behind=_PLACE_ENDS, needs=_PLACE)),
    _rule(r"(?:come|comes) from a long line of", one("HAS_ANCESTORS")),
    _rule(rf"(?:comes? from|hails? from|{BE} (?:originally )?from)", one("COMES_FROM", behind=_PLACE_ENDS, needs=_PLACE)),
    _rule(r"(?:moved|relocated|emigrated|immigrated)(?: back)?(?: from [\w ]{2,25})? to", one("MOVED_TO", behind=_PLACE_ENDS, needs=r"[A-Z]|the [A-Z]")),
    _rule(r"lives?(?: alone)? with", each("LIVES_WITH")),
    _rule(r"(?:lives?|resides?)(?: alone| quietly)? (?:in|at|on|above|near)", one("LIVES_IN", behind=_PLACE_ENDS, needs=_PLACE, without=vocabulary.NOT_LIVED_IN)),
    _rule(r"(?:used to (?:work as|be)|(?:have|has) worked as|worked as)(?= an?\b)", each("USED_TO_WORK_AS")),
    _rule(rf"(?:works?|{BE} employed|{BE} working) as(?= an?\b)", one("WORKS_AS", behind=_CLASS_ENDS.pattern)),
    _rule(r"works?(?: part-time| full-time| nights)? (?:at|for)", one("WORKS_AT", behind=_PLACE_ENDS, needs=_PLACE)),
    _rule(r"volunteers? at", one("VOLUNTEERS_AT", needs=_PLACE)),
    _rule(r"studied(?! (?:at|in|under|him|her|the (?:room|map|stranger))\b)", _studied),
    _rule(r"(?:studied at|attended|graduated from)", one("STUDIED_AT", behind=_PLACE_ENDS, needs=r"(?:the )?[A-Z]")),
    _rule(r"(?:holds?|earned|received)(?= an? (?:\w+ ){0,2}(?:degree|doctorate|phd|master's|bachelor's|diploma|licen[cs]e)\b)", one("HAS_DEGREE")),
    _rule(r"(?:trained|apprenticed|studied) under", one("LEARNED_FROM", needs=_PLACE)),
    _rule(rf"{_WAS} (?:deeply |greatly )?(?:influenced|inspired) by", each("INFLUENCED_BY")),
    _rule(r"published(?= (?:an?|the|two|three|several)\b)", one("PUBLISHED_PAPER")),
    _rule(r"(?:have|has) published(?= (?:an?|the|two|three|several)\b)", one("PUBLISHED_PAPER")),
    _rule(r"won(?= (?:the|an?) .{0,40}\b(?:award|medal|prize|cup|championship|trophy|title|tournament)\b)", one("WON_AWARD")),
    _rule(rf"{_WAS} (?:built|created|made|designed|forged|programmed|constructed) by", one("MADE_BY", needs=_PLACE, behind=r"\s+(?:at|in|to|as|for)\s")),
    _rule(rf"{BE} (?:happily )?married to", one("MARRIED_TO", needs=_PLACE)),
    _rule(rf"{BE} (?:deathly |mildly |severely )?allergic to", each("HAS_ALLERGY")),
    _rule(rf"(?:{BE} (?:very |deeply |secretly )?(?:afraid|scared|terrified|frightened) of|fears?)", each("HAS_FEAR")),
    _rule(rf"{BE} (?:very |really |extremely |quite )?(?:good|great|skilled|talented|excellent|gifted|adept|expert) (?:at|in|with)", each("HAS_SKILL")),
    _rule(rf"{BE} (?:very |deeply |really )?(?:interested in|fascinated (?:by|with)|passionate about|obsessed with|curious about)", each("INTERESTED_IN")),
    _rule(rf"{BE} (?:very |fiercely |especially )?proud of", one("PROUD_OF")),
    _rule(rf"{BE} (?:very |rather |quite )?(?:fond of|keen on|partial to)", each("LIKES")),
    _rule(rf"{BE} fluent in|speaks?", each("SPEAKS", only=is_language)),
    _rule(r"regrets?", one("REGRETS")),
    _rule(r"believes?(?= in )", one("BELIEVES")),
    _rule(r"cares? (?:deeply |a lot )?about", each("CARES_ABOUT")),
    _rule(r"worries about|worry about", each("WORRIES_ABOUT")),
    _rule(r"admires?", each("ADMIRES")),
    _rule(rf"(?:can't|cannot|can not) (?:stand|bear|abide)|hates?|despises?|loathes?|detests?", each("HATES")),
    _rule(rf"dislikes?|{_NOT} (?:like|enjoy|care for)", each("DISLIKES")),
    _rule(r"loves?|adores?|can't get enough of", each("LOVES")),
    _rule(r"enjoys?", each("ENJOYS")),
    _rule(r"likes?", each("LIKES")),
    _rule(r"prefers?", one("PREFERS")),
    _rule(rf"(?:cannot|can't|can not)(?= (?:{_PHYSICAL})\b)", whole("CANNOT")),
    _rule(r"plays?", each("PLAYS", only=is_played)),
    _rule(r"collects?", each("COLLECTS")),
    _rule(rf"drives?(?= (?:an?|the|my|your|his|her) )", one("DRIVES", without=("crazy", "wall", "mad"))),
    _rule(rf"owns?(?= {_DETERMINED})", one("OWNS")),
    _rule(r"inherited", one("INHERITED", needs=_DETERMINED)),
    _rule(rf"{_HAVE} an? scar", one("HAS_SCAR")),
    _rule(rf"(?:wants?|hopes?|aims?|{BE} determined)(?= to (?:{_WISHES})\b)", one("HAS_GOAL")),
    _rule(r"dreams? of", one("HAS_DREAM")),
    _rule(rf"{BE} (?:better |also )?(?:known as|called|nicknamed)|goes by", one("HAS_NICKNAME", behind=r"\s+(?:by|to|in|for)\s", needs=r"(?:[Tt]he )?[A-Z]")),
    _rule(rf"{BE}(?= (?:{_NUMBER})(?: years? old\b|[,.;]|$| and\b))", one("HAS_AGE", behind=r"\s+years?\b|\s+and\b")),
    _rule(rf"{BE}(?: a| strictly)?(?= (?:{'|'.join(vocabulary.DIETS)})\b)", one("HAS_DIET", behind=r"\s+and\b")),
    _rule(rf"{BE}(?= (?:{'|'.join(vocabulary.CONDITIONS)})\b)", one("HAS_HEALTH", behind=r"\s+and\b")),
    _rule(rf"{BE}(?= (?:{'|'.join(vocabulary.NATIONALITIES)})(?:[.,;]|$| and\b))", one("HAS_NATIONALITY", behind=r"\s+and\b")),
    _rule(rf"{BE}(?= (?:an?|the)\b)", being),
    _rule(BE, all_or_none("HAS_TRAIT", is_trait)),
    _rule(_HAVE, _having),
)  # fmt: skip
