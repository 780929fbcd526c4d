"""Split a sentence into clauses that begin with their subject, without opening words such as "Well,"."""

from collections.abc import Iterator
from dataclasses import dataclass

from characters.domain.lexicon import worded
from characters.language.sentences import Stretch

_MARKERS = (
    r"oh|ooh|ah|aah|well|yes|yeah|yep|no|nope|aye|arr+|yarr+|honestly|frankly|truly|really|personally|actually|look"
    r"|listen|hmm+|mmm*|um|er|sure|of course|certainly|indeed|ach|och|alas|luckily|sadly|admittedly|naturally"
    r"|obviously|secretly|strangely|oddly enough|funnily enough|true|fair enough|okay|ok|alright|now|still|and|but"
    r"|so|then|also|plus|besides|though|as for me|for me|for my part|me|you see|you know|see|to be (?:honest|fair"
    r"|frank|sure)|in truth|in fact|in all honesty|truth be told|truth is|the truth is|the thing is"
    r"|if I'm (?:being )?(?:honest|frank)|between (?:you and me|us)|believe it or not|most of all|above all"
    r"|more than anything|deep down|at heart|by nature|as it happens|as you (?:know|may know)|my (?:dear|friend"
    r"|darling|love|boy)|dear|darling|love|mate|friend|lad|lass|sir|madam|heavens|goodness|gosh|god|ha|haha|heh"
    r"|please|thank you|thanks|hello|hi|hey|also|in general|generally|as a rule|usually|often|sometimes|always"
    r"|even so|that said|then again|even now|to this day|after all|by the way|let me be (?:honest|clear|frank)"
    r"|no doubt"
)
_ADMISSIONS = (
    r"I (?:must|have to|will|do|should|can) (?:admit|confess|say|own|tell you)(?: that)?|I (?:admit|confess|suppose"
    r"|guess|reckon)(?: that)?|I'm afraid(?: that)?|I think|I know(?: that)?|I'll (?:admit|confess"
    r"|be honest)(?: that)?|I'm not ashamed to say(?: that)?|I won't (?:lie|deny (?:it|that))|I can't (?:lie"
    r"|deny (?:it|that))|it's no secret that"
)
_LABELS = (
    r"(?:(?:my|a|one|an|the|fun|true|honest|short|small|little) )*(?:confession|truth|secret|answer|fact|verdict"
    r"|weakness|vice|rule|story|likes?|dislikes?|loves?|hates?|favou?rites?)|(?:one|another"
    r"|a) thing (?:you should know )?about me(?: is)?|here's the thing|that's (?:easy|simple)|easy|simple"
)
_SETTINGS = (
    r"(?:on|in|at|after|before|during|among|amongst|apart from|as for|of|out of|when it comes to|as far as|despite"
    r"|even after|even in|beyond|with) [^,;:\x01?]{2,60}"
)
_OPENER = worded(
    rf"\s*(?:(?:{_MARKERS})(?![\w'-])(?:\s*[,.…–—-]+)*\s*|(?:{_ADMISSIONS})(?![\w'-])\s*[,:]?\s*(?=I\b|my\b)"
    rf"|(?:{_LABELS})\s*(?::|,|\s[-–—])\s*|(?P<setting>{_SETTINGS}),\s*(?=I\b|my\b|nothing\b|there\b)"
    rf"|(?P<short>(?:for|on|in) (?:[\w'-]+ ){{1,3}})(?=I\b))"
)
_NO_SETTING = worded(
    r"""\b(?:you|your|he|she|they|story|scene|role|character|game|song|poem|book|film|movie|play|novel|word|words|voice
    |request|command|order|past|childhood|youth|days|first|then|french|spanish|german|italian|latin|english|dream
    |dreams|mind of|case|that case|another life|was|were|world where|event|mode|persona|instructions?|prompt|theory
    |exchange|order to|response|reply|yesterday|last|ago)\b"""
)
_JOINT = worded(r"\s*;\s*|\s*,? (?:and|but|though|although|yet|because|since|while|whereas|so) | [-–—]+ |—|\s*,\s*")
_SUBJECT = worded(
    r"(?:I\b(?!/)|my (?:[\w-]+ ){1,5}?(?:is|are|was|were|has|means?|matters?)\b|nothing\s|there(?:'s| is) nothing\b"
    r"|give me\s|in my (?:\w+ )?(?:opinion|view)|to my mind|what I\s)"
)
_I = worded(
    r"I\b(?!/)(?:, (?:too|for one|myself|however|of course|naturally|personally|in fact|after all|also),(?=\s))?"
)
_FEW_WORDS = 4
_VERB_AGAIN = worded(
    r"(?:(?:really|also|absolutely|truly|still|always|simply) )?(?:love|adore|hate|loathe|detest|despise|dislike"
    r"|prefer|admire|enjoy|(?:can't|cannot) (?:stand|bear|abide)|don't (?:like|care for))\b"
)
_LACKS_I = worded(
    r"(?:can't (?:stand|bear|abide)|never (?:liked|cared for|could stand)|not a fan of|big fan of|huge fan of)\b"
)
"""Beginnings that lack "I" and can't be imperatives."""
_PLAYED = worded(r"\s*(?:as (?:an?|the|your|requested)|like an?|in the (?:role|voice|style)|for the sake)\b")
_HARD = worded(r"\s*;\s*|\s*,? (?:but|yet|though|although|whereas|while) | [-–—]+ |—")
_SUPPOSED = worded(
    r"\b(?:if|unless|suppose|supposing|imagine|pretend\w*|wish\w*|would|could|might|as though|as if|whether|should"
    r"|had I|were I|maybe in)\b"
)
_HONEST_IF = worded(r"\bif (?:you ask me|I'm (?:being )?(?:honest|frank)|you must know|truth be told|you like)\b")
_REPORT = worded(
    r"""\b(?:says?|said|saying|tells?|told|telling|claim(?:s|ed|ing)?|insist(?:s|ed)?|repeat\w*|wr(?:ite|ites|ote|itten
    |iting)|ask(?:s|ed|ing)?|quot(?:e|es|ed|ing)|means?|meaning|translat\w+|reads?|sings?|sang|goes|thinks?|thought
    |assumes?|assumed|heard|hear|rumou?r|according|want|wants|wanted|order(?:s|ed)|demand(?:s|ed)|make|made|makes
    |respond|reply|replied|answer(?:s|ed)?|declare[sd]?|pretend\w*|announce[sd]?|like to say|never|believes?
    |remember|recall|know that|doubt|deny|not|n't|phrase|word|words|sentence|line|example|call(?:s|ed)?|print|output
    |type|learn(?:ed|t)?)\b"""
)
_REPORTED_BEHIND = worded(
    r"""[,\x01]\s*(?:(?:he|she|they|it|I|you|the [\w-]+|[A-Z]\w+) (?:said|says|cried|shouted|whispered|muttered|replied
    |sang|sings|answered|thought|declared|announced|growled)|(?:said|says|cried|shouted|whispered|muttered|replied
    |sang|sings|answered|declared|announced|growled)\s)|\b(?:you|they|he|she) (?:said|told|claimed|wanted)\b
    |\b(?:apparently|supposedly|allegedly|so it seems)\b|,\s*(?:or so )?(?:they|people|you|he|she|legend
    |everyone) (?:say|says|tell|tells|claim|claims|think|thinks)\b|=|→|->|\bas you (?:said|wish|asked|like)\b
    |\bis (?:what|how) (?:you|they|he|she|we|people|one)\b|\bis what the\b"""
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause, from its subject to the start of the next. `opener` are the words before its subject.

    `of_i` is what follows "I", which may be left out ("and hate Wagner"); None if the subject isn't "I".
    """

    words: Stretch
    opener: str
    of_i: Stretch | None


@dataclass(frozen=True, slots=True)
class _Start:
    joint: int
    at: int
    lacks_i: bool = False


def clauses(sentence: Stretch) -> Iterator[Clause]:
    """Yield the clauses of a sentence that may state something: not supposed, played or reported ones."""
    text = sentence.text
    if _REPORTED_BEHIND.search(text):
        return
    starts = list(_starts(text))
    for number, start in enumerate(starts):
        if start.joint and _is_not_stated(text[: start.at]):
            continue
        end = starts[number + 1].joint if number + 1 < len(starts) else len(text)
        words = sentence.part(start.at, end)
        subject = _I.match(words.text)
        of_i = Stretch(words.text[subject.end() :], words.start + subject.end()) if subject else None
        if start.lacks_i:
            of_i = Stretch(f" {words.text}", words.start - 1)
        yield Clause(words, text[start.joint : start.at], of_i)


def _starts(text: str) -> Iterator[_Start]:
    """Yield for each clause where the one before ends, and where its own words begin behind its opener."""
    first = _after_opener(text, 0)
    lacks_i = bool(_LACKS_I.match(text, first))
    yield _Start(0, first, lacks_i)
    is_i = lacks_i or bool(_I.match(text, first))
    for joint in _JOINT.finditer(text, first):
        by_comma = joint.group().strip() == ","
        at = _after_opener(text, joint.end())
        if _is_two(text[first : joint.start()], joint.group()):
            continue
        if _SUBJECT.match(text, at) and (is_i or not by_comma):
            is_i = bool(_I.match(text, at))
            yield _Start(joint.start(), at)
        elif is_i and not by_comma and _VERB_AGAIN.match(text, joint.end()):
            yield _Start(joint.start(), joint.end(), lacks_i=True)


def _is_two(before: str, joint: str) -> bool:
    """Return whether "and" joins two subjects: "You and I love ..."."""
    return joint.strip().lower() == "and" and len(before.split()) <= _FEW_WORDS and not _I.match(before.strip())


def _after_opener(text: str, start: int) -> int:
    at = start
    while (opener := _OPENER.match(text, at)) and opener.end() > at:
        if _NO_SETTING.search(opener["setting"] or opener["short"] or ""):
            break
        at = opener.end()
    space = _SPACE.match(text, at)
    return space.end() if space else at


_SPACE = worded(r"[\s\x01,.]*")


def _is_not_stated(before: str) -> bool:
    """Return whether the words before a clause make it played or, since the last hard joint, supposed or reported."""
    hard = [joint.end() for joint in _HARD.finditer(before)]
    since = _HONEST_IF.sub("", before[hard[-1] :] if hard else before)
    return bool(_SUPPOSED.search(since) or _PLAYED.match(before) or _REPORT.search(since))
