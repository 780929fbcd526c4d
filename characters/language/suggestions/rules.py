"""The table of verbs: what each says of its subject, and how its object is read. The first that fits decides."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from characters.language.suggestions import vocabulary
from characters.language.suggestions.nouns import CLASS_ENDS, being, having, studied
from characters.language.suggestions.objects import (
    Read,
    all_or_none,
    clause,
    is_language,
    is_played,
    is_trait,
    items,
    phrase_of,
)

BE = r"(?:am|are|is|'m|'re|'s)"
_WAS = r"(?:am|are|is|'m|'re|'s|was|were)"
_HAVE = r"(?:have|has|'ve|'s got|have got|has got)"
_NOT = r"(?:do not|don't|does not|doesn't)(?: really| much)?"
_ADVERBS = (
    r"(?:(?:still|also|now|secretly|currently|originally|really|truly|deeply|genuinely|absolutely|quietly|fiercely|both"
    r"|only|an? avid|mostly|particularly|especially|clearly|simply|openly|privately)\s+)*"
)
_DETERMINED = r"(?:an?|the|my|your|his|her|our|their|some|two|three|four|five|several|many|\d+)\s"
_NUMBER = r"(?:about |around |over |nearly )?\d[\d,]*|(?:early|mid|late)[- ]\w+ties"
_PLACE = rf"{_DETERMINED}|[A-Z]"
_PLACE_ENDS = (
    r"\s+(?:and|with|alongside|together)\s|\s+(?:in|at) (?=\d)|\s+(?:on|in) (?:my|your|his|her) own|\s+alone\b"
    r"|\s+(?:for|to)\s"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A verb, matched where a clause begins behind its subject, and the reader of what follows it."""

    verb: re.Pattern[str]
    read: Read


def _rule(verb: str, read: Read) -> Rule:
    return Rule(re.compile(rf"\s*{_ADVERBS}(?:{verb})(?![\w'])", re.IGNORECASE), read)


_PHYSICAL = (
    "swim|sing|cook|dance|drive|read|write|sleep|see|hear|walk|fly|ride|whistle|eat|lie|die|feel|taste|smell|dream|drown"
    "|age|bleed|cry|draw|juggle|climb|digest|cast"
)
_WISHES = (
    "open|become|own|find|write|build|travel|learn|win|be an?|save|restore|prove|buy|start|marry|sail|explore|publish"
    "|found|overthrow|rule|avenge|free|master|cure|rebuild|discover|reclaim"
)


def _place(predicate: str, without: Iterable[str] = ()) -> Read:
    return phrase_of(predicate, behind=_PLACE_ENDS, needs=_PLACE, without=without)


def _state(predicate: str) -> Read:
    return phrase_of(predicate, behind=r"\s+and\b")


_named_place = partial(phrase_of, behind=_PLACE_ENDS, needs=r"(?:the )?[A-Z]")
_dwelling = _place("LIVES_IN", without=vocabulary.NOT_LIVED_IN)
_maker = phrase_of("MADE_BY", needs=_PLACE, behind=r"\s+(?:at|in|to|as|for)\s")
_nickname = phrase_of("HAS_NICKNAME", behind=r"\s+(?:by|to|in|for)\s", needs=r"(?:[Tt]he )?[A-Z]")
_DEGREE = r"an? (?:\w+ ){0,2}(?:degree|doctorate|phd|master's|bachelor's|diploma|licen[cs]e)\b"
_PRIZE = r"(?:the|an?) .{0,40}\b(?:award|medal|prize|cup|championship|trophy|title|tournament)\b"
_GOOD = r"(?:very |really |extremely |quite )?(?:good|great|skilled|talented|excellent|gifted|adept|expert)"
_CURIOUS = r"(?:interested in|fascinated (?:by|with)|passionate about|obsessed with|curious about)"
_NATIONS, _DIETS, _CONDITIONS = map("|".join, (vocabulary.NATIONALITIES, vocabulary.DIETS, vocabulary.CONDITIONS))

RULES: Sequence[Rule] = (
    _rule(rf"{_WAS} born(?: and (?:raised|bred))?(?: on [^,]{{3,25}}| \w+ \w+)? in", _place("BORN_IN")),
    _rule(rf"(?:grew up|{_WAS} raised|{_WAS} brought up) (?:in|on|near)", _place("GREW_UP_IN")),
    _rule(r"spent (?:most of )?(?:my|your|his|her) childhood in", _place("GREW_UP_IN")),
    _rule(r"(?:come|comes) from a long line of", phrase_of("HAS_ANCESTORS")),
    _rule(rf"(?:comes? from|hails? from|{BE} (?:originally )?from)", _place("COMES_FROM")),
    _rule(
        r"(?:moved|relocated|emigrated|immigrated)(?: back)?(?: from [\w ]{2,25})? to",
        _named_place("MOVED_TO"),
    ),
    _rule(r"lives?(?: alone)? with", items("LIVES_WITH")),
    _rule(
        r"(?:lives?|resides?)(?: alone| quietly)? (?:in|at|on|above|near)",
        _dwelling,
    ),
    _rule(r"(?:used to (?:work as|be)|(?:have|has) worked as|worked as)(?= an?\b)", items("USED_TO_WORK_AS")),
    _rule(rf"(?:works?|{BE} employed|{BE} working) as(?= an?\b)", phrase_of("WORKS_AS", behind=CLASS_ENDS.pattern)),
    _rule(r"works?(?: part-time| full-time| nights)? (?:at|for)", _place("WORKS_AT")),
    _rule(r"volunteers? at", phrase_of("VOLUNTEERS_AT", needs=_PLACE)),
    _rule(r"studied(?! (?:at|in|under|him|her|the (?:room|map|stranger))\b)", studied),
    _rule(r"(?:studied at|attended|graduated from)", _named_place("STUDIED_AT")),
    _rule(rf"(?:holds?|earned|received)(?= {_DEGREE})", phrase_of("HAS_DEGREE")),
    _rule(r"(?:trained|apprenticed|studied) under", phrase_of("LEARNED_FROM", needs=_PLACE)),
    _rule(rf"{_WAS} (?:deeply |greatly )?(?:influenced|inspired) by", items("INFLUENCED_BY")),
    _rule(r"published(?= (?:an?|the|two|three|several)\b)", phrase_of("PUBLISHED_PAPER")),
    _rule(r"(?:have|has) published(?= (?:an?|the|two|three|several)\b)", phrase_of("PUBLISHED_PAPER")),
    _rule(rf"won(?= {_PRIZE})", phrase_of("WON_AWARD")),
    _rule(
        rf"{_WAS} (?:built|created|made|designed|forged|programmed|constructed) by",
        _maker,
    ),
    _rule(rf"{BE} (?:happily )?married to", phrase_of("MARRIED_TO", needs=_PLACE)),
    _rule(rf"{BE} (?:deathly |mildly |severely )?allergic to", items("HAS_ALLERGY")),
    _rule(rf"(?:{BE} (?:very |deeply |secretly )?(?:afraid|scared|terrified|frightened) of|fears?)", items("HAS_FEAR")),
    _rule(rf"{BE} {_GOOD} (?:at|in|with)", items("HAS_SKILL")),
    _rule(rf"{BE} (?:very |deeply |really )?{_CURIOUS}", items("INTERESTED_IN")),
    _rule(rf"{BE} (?:very |fiercely |especially )?proud of", phrase_of("PROUD_OF")),
    _rule(rf"{BE} (?:very |rather |quite )?(?:fond of|keen on|partial to)", items("LIKES")),
    _rule(rf"{BE} fluent in|speaks?", items("SPEAKS", only=is_language)),
    _rule(r"regrets?", phrase_of("REGRETS")),
    _rule(r"believes?(?= in )", phrase_of("BELIEVES")),
    _rule(r"cares? (?:deeply |a lot )?about", items("CARES_ABOUT")),
    _rule(r"worries about|worry about", items("WORRIES_ABOUT")),
    _rule(r"admires?", items("ADMIRES")),
    _rule(r"(?:can't|cannot|can not) (?:stand|bear|abide)|hates?|despises?|loathes?|detests?", items("HATES")),
    _rule(rf"dislikes?|{_NOT} (?:like|enjoy|care for)", items("DISLIKES")),
    _rule(r"loves?|adores?|can't get enough of", items("LOVES")),
    _rule(r"enjoys?", items("ENJOYS")),
    _rule(r"likes?", items("LIKES")),
    _rule(r"prefers?", phrase_of("PREFERS")),
    _rule(rf"(?:cannot|can't|can not)(?= (?:{_PHYSICAL})\b)", clause("CANNOT")),
    _rule(r"plays?", items("PLAYS", only=is_played)),
    _rule(r"collects?", items("COLLECTS")),
    _rule(r"drives?(?= (?:an?|the|my|your|his|her) )", phrase_of("DRIVES", without=("crazy", "wall", "mad"))),
    _rule(rf"owns?(?= {_DETERMINED})", phrase_of("OWNS")),
    _rule(r"inherited", phrase_of("INHERITED", needs=_DETERMINED)),
    _rule(rf"{_HAVE} an? scar", phrase_of("HAS_SCAR")),
    _rule(rf"(?:wants?|hopes?|aims?|{BE} determined)(?= to (?:{_WISHES})\b)", phrase_of("HAS_GOAL")),
    _rule(r"dreams? of", phrase_of("HAS_DREAM")),
    _rule(
        rf"{BE} (?:better |also )?(?:known as|called|nicknamed)|goes by",
        _nickname,
    ),
    _rule(
        rf"{BE}(?= (?:{_NUMBER})(?: years? old\b|[,.;]|$| and\b))", phrase_of("HAS_AGE", behind=r"\s+years?\b|\s+and\b")
    ),
    _rule(rf"{BE}(?: a| strictly)?(?= (?:{_DIETS})\b)", _state("HAS_DIET")),
    _rule(rf"{BE}(?= (?:{_CONDITIONS})\b)", _state("HAS_HEALTH")),
    _rule(rf"{BE}(?= (?:{_NATIONS})(?:[.,;]|$| and\b))", _state("HAS_NATIONALITY")),
    _rule(rf"{BE}(?= (?:an?|the)\b)", being),
    _rule(BE, all_or_none("HAS_TRAIT", is_trait)),
    _rule(_HAVE, having),
)
