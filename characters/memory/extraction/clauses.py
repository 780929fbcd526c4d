"""What one clause says of its subject: a table of verbs, and how the object behind each is read."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

from characters.memory.extraction import lexicon, naming, nouns
from characters.memory.extraction.nouns import Phrase
from characters.turn.people import FAVORITE, EntityKind, Statement, person_predicate

CONFIDENCE = 0.9
_ADVERBS = (
    r"(?:\s+(?:really|actually|now|still|just|also|currently|always|absolutely|recently|finally|do|already|kinda|kind of|"
    r"only|mostly|so|truly|genuinely|usually|simply|totally|even|quite|rather|definitely|honestly|both|officially|very|"
    r"pretty|does|personally|sort of|nearly always|basically|proudly|happily|originally|completely|deathly|severely))*"
)
_FIRST = re.compile(
    r"[\s,]*(?:(?:so|well|btw|anyway|hi|hey|hello|oh|yes|yeah|no|ok|okay|honestly|actually|ngl|fyi|personally|lol|and|but|"
    r"now|today|nowadays|these days|turns out|as of (?:today|now|this week)|by the way|in fact|luckily|sadly|funnily enough|"
    r"after (?:\w+ ){1,3}(?=i\b))[\s,!.]+)*(?P<who>i|we)(?P<aux>'m|m|'re|'ve|ve|'d| am| are| have)?(?=[\s,])",
    re.IGNORECASE,
)


_VERBS_OF_AUX = {"m": "am", "re": "am", "are": "am", "ve": "have", "d": "'d"}
_LEFT_OUT = re.compile(
    r"[\s,]*(?:(?:so|well|btw|hi|hey|ok|okay|finally|just|recently)[\s,!.]+)*"
    r"(?P<verb>(?:started|moved|relocated|bought|adopted|rescued|sold|got hired|quit|became|born|grew up|(?:absolutely |really )?"
    r"(?:love|hate|adore))\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Who a clause is about: `name` is empty for the person. What is said begins at `end`, with its `verb` if it is
    part of the subject's word ("I'm")."""

    name: str
    kind: EntityKind
    end: int
    verb: str = ""
    inherited: bool = False
    """Whether the clause before named them."""

    @classmethod
    def first_person(cls, said: str, start: int) -> Self | None:
        """ "I", "I'm", "we've"."""
        found = _FIRST.match(said, start)
        if found is None:
            return None
        aux = (found["aux"] or "").strip(" '").lower()
        if aux and found["aux"][0] not in "' " and found["who"].lower() == "we":
            return None
        return cls("", "person", found.end(), _VERBS_OF_AUX.get(aux, aux))

    @classmethod
    def left_out(cls, said: str) -> Self | None:
        """ "Just moved to Oslo": who begins a sentence so speaks of themselves."""
        found = _LEFT_OUT.match(said)
        return cls("", "person", found.start("verb")) if found else None

    def again(self, at: int) -> "Subject":
        """The same, for a further verb: "I sold my car and bought a bike"."""
        return Subject(self.name, self.kind, at, inherited=True)


@dataclass(frozen=True, slots=True)
class Rule:
    """A verb and what it says. `verb` is matched behind "am ", "have " or nothing, in the first person or the third."""

    predicate: str
    verb: str
    read: Callable[[str, int], Iterator[Phrase]]
    ends: bool = False
    kind: EntityKind | None = None


def statements_of(said: str, subject: Subject) -> Iterator[Statement]:
    """Every statement of the clause; the first rule that fits decides, as one verb says one thing."""
    rest = said[subject.end :]
    head = f"{subject.verb}{rest}" if subject.verb else rest.lstrip()
    offset = subject.end + len(rest) - len(head)
    for pattern, rule in _COMPILED:
        found = pattern.match(head)
        if found is None or not head[found.end() :].strip():
            continue
        if subject.inherited and rule.predicate in _NOT_INHERITED:
            continue
        phrases = list(rule.read(head, found.end()))
        if phrases:
            for phrase in phrases:
                yield _statement(rule, subject, phrase, offset)
            yield from _employer(head, rule, phrases[-1], subject, offset)
            return
    yield from _having(head, subject, offset)
    yield from _favourite(said, subject)


_BEHIND = {"WORKS_AS": "WORKS_AT", "STUDIES": "STUDIES_AT"}


def _employer(head: str, rule: Rule, phrase: Phrase, subject: Subject, offset: int) -> Iterator[Statement]:
    """ "a nurse at Saint Mary's", "law at Leiden University": a name behind what somebody does."""
    found = re.compile(r"\s+(?:at|for|with)\s+").match(head, phrase.end)
    name = nouns.name(head, found.end()) if found and rule.predicate in _BEHIND and not rule.ends else None
    if name:
        yield _statement(Rule(_BEHIND[rule.predicate], "", _name), subject, name, offset)


def _statement(rule: Rule, subject: Subject, phrase: Phrase, offset: int) -> Statement:
    kind = rule.kind or person_predicate(rule.predicate).kind
    return Statement(
        rule.predicate,
        phrase.text,
        max(0, phrase.start + offset),
        phrase.end + offset,
        subject=subject.name,
        kind=kind,
        confidence=CONFIDENCE,
        ends=rule.ends,
    )


# Readers of objects

_NO_ALLERGEN = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday morning work people drama nonsense bullshit fun effort
    exercise small talk responsibility commitment meeting homework""".split()
)
_SCHOOL = re.compile(r"\b(?:University|College|Tech|School|Institute|Academy|Polytechnic|Uni|State|MIT|UCLA|NYU|ETH)\b")
_NOT_INHERITED = frozenset({"LIKES", "VALUES", "WANTS"})
"""Their verbs are nouns and prepositions as well: "things like a walk", "self-acceptance and love"."""
_GERUND_GOES_ON = re.compile(
    r"\s+(?:them|it|you|her|him|us|me|myself|this|that|these|those|my|our|your|his|their|its|some|any|a|an|for|up|out|to|"
    r"next|how|what|when|where|why|if|about|of|so|really|immersed)\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(r"\s*(?:all |both |such )?(?:of )?the\s+", re.IGNORECASE)
_GENERIC = frozenset(
    """ocean sea beach outdoors mountains rain cold snow sun heat cinema theatre theater opera ballet piano violin guitar
    drums cello flute countryside city woods forest desert gym news radio internet north south east west dark night
    stars moon sky seaside coast water winter summer spring autumn fall weekend mornings environment planet
    arts sciences classics truth""".split()
)
_NO_EMPLOYER = frozenset("home night nights moment weekends fun money living peanuts free myself hours years".split())
_JUDGING = re.compile(
    r"\b(?:bit|kind|sort|hell|disaster) of\b|^(?:an? )?(?:terrible|bad|good|great|awful|decent|amateur|wannabe|aspiring|"
    r"failed|huge|natural|born|armchair|such|lousy|frustrated|secret|closet|better|worse|real|total|complete|big|part-time "
    r"amateur|would-be|former|ex|retired|hopeless|slow|fast|horrible|pretty|regular|proud|true|little)\b",
    re.IGNORECASE,
)
"""What stands before an occupation that is none: "a terrible cook", "a bit of a detective"."""


def _phrase(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.phrase(text, at)
    if found and not nouns.is_kin(found.text):
        yield found


def _tastes(text: str, at: int) -> Iterator[Phrase]:
    """What somebody likes for good: no thing at hand ("the colour"), no half of a verb ("seeing them")."""
    for found in _phrases(text, at):
        if _is_lasting(text, at, found):
            yield found


def _is_lasting(text: str, at: int, found: Phrase) -> bool:
    words_of = found.text.lower().split()
    if _SHOWN.match(text, at) and found.text[:1].islower() and words_of[-1] not in _GENERIC:
        return False
    if words_of[0].endswith("ing") and (_GERUND_GOES_ON.match(text, found.end) or "sure" in words_of):
        return False
    return words_of[-1] not in {"some", "any", "more", "most", "own", "such", "each", "getting", "having"}


def _interests(text: str, at: int) -> Iterator[Phrase]:
    for found in _tastes(text, at):
        if not found.article:
            yield found


def _phrases(text: str, at: int) -> Iterator[Phrase]:
    """ "jazz, old maps and rain": a list that ends with "and" and isn't followed by a verb; else its first."""
    found: list[Phrase] = []
    last = ""
    while True:
        phrase = nouns.phrase(text, at)
        if phrase is None or nouns.is_kin(phrase.text) or (found and phrase.owned):
            break
        found.append(phrase)
        joint = _JOINT.match(text, phrase.end)
        if joint is None:
            break
        last, at = joint[1].strip(" ,").lower(), joint.end()
    is_list = last in {"and", "or"} and found and _LIST_ENDS.match(text, found[-1].end)
    yield from found if is_list else found[:1]


_JOINT = re.compile(r"\s*(,?\s+and|,?\s+or|,)\s+", re.IGNORECASE)
_LIST_ENDS = re.compile(r"\s*(?:[,.!;:)–—-]|$)")


def _allergens(text: str, at: int) -> Iterator[Phrase]:
    for found in _phrases(text, at):
        if found.head not in _NO_ALLERGEN and lexicon.singular(found.head) not in _NO_ALLERGEN:
            yield found


def _subjects_of_study(text: str, at: int) -> Iterator[Phrase]:
    if not _SHOWN.match(text, at):
        yield from _phrases(text, at)


def _school(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.name(text, at)
    if found and _SCHOOL.search(found.text):
        yield found


def _place(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.place(text, at)
    if found:
        yield found


def _organisation(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.name(text, at) or nouns.phrase(text, at)
    whole = nouns.phrase(text, at)
    if whole and found and len(whole.text) > len(found.text):
        found = whole
    if (
        found
        and found.head not in _NO_EMPLOYER
        and not lexicon.tail("pets", found.text)
        and not nouns.is_kin(found.text)
    ):
        yield found


def _occupation(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.phrase(text, at)
    if found and lexicon.tail("occupations", found.text) and not _JUDGING.search(found.text):
        yield found


def _any_occupation(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.phrase(text, at)
    if found and found.article:
        yield found


def _identity(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.phrase(text, at)
    if found and lexicon.tail("identities", found.text):
        yield found


def _diet(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.phrase(text, at)
    if found and lexicon.tail("diets", found.text):
        yield found


def _condition(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.phrase(text, at)
    if found and lexicon.tail("conditions", found.text):
        yield found


def _language(text: str, at: int) -> Iterator[Phrase]:
    for found in _phrases(text, at):
        tail = lexicon.tail("languages", found.text)
        if tail:
            yield Phrase(tail, found.end - len(tail), found.end)


def _played(text: str, at: int) -> Iterator[Phrase]:
    for found in _phrases(text, at):
        tail = lexicon.tail("played", found.text)
        if tail:
            yield found if found.is_name else Phrase(tail, found.end - len(tail), found.end)


def _age(text: str, at: int) -> Iterator[Phrase]:
    found = re.compile(
        r"\s*(\d{1,3})(?=\s*(?:[,.;!)]|$|-?\s*years?[\s-]old|\s+(?:yo|now|today|and|but|so|this|next|in|yesterday|last|on)\b))"
    ).match(text, at)
    if found and 1 <= int(found[1]) <= 120:
        yield Phrase(found[1], found.start(1), found.end(1))


def _name(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.name(text, at, lower=True)
    if found and re.match(r"\s*(?:[,.;!)]|$|\s(?:and|but|btw|by|nice|from|by)\b)", text[found.end :]):
        yield found


def _thing(text: str, at: int) -> Iterator[Phrase]:
    """Something that one can own, pets and people apart."""
    found = nouns.phrase(text, at)
    if found and not found.owned and not nouns.is_kin(found.text) and not lexicon.tail("pets", found.text):
        yield found


def _mine(text: str, at: int) -> Iterator[Phrase]:
    """Something that the person says was theirs."""
    found = nouns.phrase(text, at)
    if found and found.owned and not nouns.is_kin(found.text) and not lexicon.tail("pets", found.text):
        yield found


def _ownable(text: str, at: int) -> Iterator[Phrase]:
    for found in _thing(text, at):
        if lexicon.tail("ownables", found.text) or lexicon.tail("vehicles", found.text):
            yield found


def _vehicle(text: str, at: int) -> Iterator[Phrase]:
    found = nouns.phrase(text, at)
    if found and found.article and (found.is_name or lexicon.tail("vehicles", found.text)):
        yield found


def _wish(text: str, at: int) -> Iterator[Phrase]:
    """ "to open a tea house": the verb and its object."""
    found = _ASPIRING.match(text, at)
    if found:
        what = nouns.phrase(text, found.end())
        if what and len(what.text.split()) <= 4:
            yield Phrase(text[found.start(1) : what.end], found.start(1), what.end)


_ASPIRING = re.compile(
    r"\s*((?:learn|become|open|start|write|travel|visit|study|move|build|publish|run|climb|own|retire|sail|adopt|join|"
    r"teach|record|train|volunteer|emigrate|quit|paint|compose|finish|launch|master|see|meet|breed|keep)(?: to| in| on| for| at| as)?)\s+",
    re.IGNORECASE,
)
"""Verbs of a wish that lasts longer than an evening."""

_V = {
    "live": r"(?:live|lives|(?:have|has) been living|am living|is living|am (?:now )?based|is (?:now )?based|'s based)",
    "work": r"(?:work|works|am working|is working|'s working|am employed|is employed)",
}
_MOVED = r"(?:(?:have |has |'s )?(?:just |recently |finally )?(?:moved|relocated)(?: back)?(?: from [\w' ]{2,30}?)?(?: over)? to)"
_LIKE = (
    r"(?:love|loves|like|likes|enjoy|enjoys|adore|adores|(?:am|is|'s)(?: such)?(?: a)?(?: really| very| quite)? fond of|"
    r"(?:am|is|'s) (?:an?|the)? ?(?:\w+ )?(?:fan|lover) of|(?:am|is) (?:obsessed with|crazy about|mad about)|can't get enough of)"
)
_HATE = (
    r"(?:hate|hates|dislike|dislikes|despise|despises|detest|detests|loathe|loathes|can't stand|cannot stand|can't bear|"
    r"(?:don't|do not|doesn't|dont) (?:really |much )?(?:like|enjoy|care for)|(?:am|is) not (?:a|much of a) (?:\w+ )?fan of)"
)
_NOT_NOW = r"(?:no longer|don't|do not|doesn't|dont|am no longer|am not|is no longer)"

_RULES = (
    Rule("LIVES_IN", rf"(?:{_NOT_NOW}|used to) live in", _place, ends=True),
    Rule("LIVES_IN", r"(?:have )?moved (?:out of|away from)", _place, ends=True),
    Rule("LIVES_IN", rf"{_V['live']} (?:here )?(?:in|near|at|just outside)", _place),
    Rule("LIVES_IN", _MOVED, _place),
    Rule("HAS_CONDITION", r"(?:live|lives) with", _condition),
    Rule("FROM", r"(?:(?:am|is|'s)(?: originally)? from|(?:come|comes|hail|hails)(?: originally)? from)", _place),
    Rule("GREW_UP_IN", r"(?:grew up|was raised|were raised|was brought up) (?:in|near|on)", _place),
    Rule("BORN_IN", r"(?:(?:was|were) )?born(?: and raised| and bred)? in", _place),
    Rule("WORKS_AT", rf"(?:{_NOT_NOW}|used to) work (?:at|for)", _organisation, ends=True),
    Rule("WORKS_AT", r"(?:teach|teaches)(?: \w+)? at", _organisation),
    Rule("WORKS_AT", r"(?:(?:have )?(?:quit|left) (?:my|the|his|her) (?:old )?job (?:at|with)|(?:got|was) (?:fired|laid off|made redundant) (?:from|by|at))", _organisation, ends=True),
    Rule("WORKS_AS", rf"(?:{_V['work']} as|(?:have )?(?:just )?(?:started|got)(?: \w+)? (?:new )?job as|became|(?:got|was) (?:hired|promoted|promoted to) as)", _any_occupation),
    Rule("WORKS_AT", rf"{_V['work']}(?: \w+ shifts| full-time| part-time| nights)? (?:at|for|with)", _organisation),
    Rule("WORKS_AT", r"(?:(?:have )?(?:just )?(?:got|was|been)(?: just)? hired (?:at|by)|(?:started|start) (?:working|work|my (?:new )?job|a (?:new )?job) (?:at|for|with)|got (?:a|the) job (?:at|with))", _organisation),
    Rule("STUDIES_AT", r"(?:(?:am|is|'s) a(?:n)? (?:\w+ )?(?:student|freshman|sophomore|junior|senior|undergrad|postgrad) at|(?:study|studies|am studying|is studying) at|(?:go|goes) to (?:uni|university|college|school) at)", _organisation),
    Rule("STUDIES_AT", r"(?:go|goes) to", _school),
    Rule("STUDIES", r"(?:(?:study|studies|am studying|is studying|'s studying|am majoring in|major in|majors in|am doing (?:a|my) (?:degree|master's|masters|phd|ba|bsc) in))", _subjects_of_study),
    Rule("ALLERGIC_TO", r"(?:(?:am|is|'s)(?: \w+)? allergic to|(?:have|has|'s got|have got) (?:an?|this) (?:\w+ )?allergy to)", _allergens),
    Rule("HAS_DIET", r"(?:am no longer|am not|don't eat|is no longer)(?: an?)?", _diet, ends=True),
    Rule("HAS_DIET", r"(?:am|is|'s|have been|has been|became|have become|went|have gone|eat|eats)(?: an?)?", _diet),
    Rule("HAS_CONDITION", r"(?:(?:have|has|was|got|am)(?: just)?(?: been)? diagnosed with|(?:suffer|suffers) from)", _phrase),
    Rule("HAS_CONDITION", r"(?:have got|has got|have|has|got)", _condition),
    Rule("HAS_AGE", r"(?:am|is|'s|turned|have turned|just turned|am turning)(?: only| just| already)?", _age),
    Rule("NAMED", r"(?:am called|am named|go by)", _name),
    Rule("WORKS_AS", r"(?:am|is|'s|(?:have|has) been)(?= an?\b)", _occupation),
    Rule("IS_A", r"(?:am|is|'s)(?= an?\b)", _identity),
    Rule("INTERESTED_IN", r"(?:(?:am|is|'s)(?: \w+)? (?:interested in|into|passionate about|fascinated by)|(?:have|has)(?: really)? (?:gotten|got) into|got into)", _interests),
    Rule("SPEAKS", r"(?:speak|speaks|(?:am|is) fluent in|can speak)", _language),
    Rule("PLAYS", r"(?:(?:have )?(?:stopped|quit|gave up|given up) playing|no longer play|used to play|don't play)", _played, ends=True),
    Rule("PLAYS", r"(?:play|plays|have been playing|can play)", _played),
    Rule("VALUES", r"(?:value|values|treasure|care (?:a lot |deeply )?about)", _tastes),
    Rule("LIKES", r"(?:(?:don't|no longer|stopped) (?:like|love|enjoy|liking|enjoying))(?=.{2,40}\b(?:any ?more|any longer)\b)", _phrase, ends=True),
    Rule("LIKES", r"(?:no longer (?:like|love|enjoy))", _phrase, ends=True),
    Rule("DISLIKES", _HATE, _tastes),
    Rule("WANTS", r"(?:want to|would love to|'d love to|would like to|'d like to|hope to|am hoping to|dream of|am planning to|plan to|(?:have )?always wanted to)", _wish),
    Rule("LIKES", _LIKE, _tastes),
    Rule("DRIVES", r"(?:drive|drives)", _vehicle),
    Rule("OWNS", r"(?:(?:have )?(?:just |recently |finally )?(?:sold|got rid of|gave away|lost)(?= (?:my|our)\b))", _mine, ends=True),
    Rule("OWNS", r"(?:own|owns|(?:have|has) owned)", _thing),
    Rule("OWNS", r"(?:(?:have |has )?(?:just |recently |finally )?bought|have got|has got|have|has|'s got|got)", _ownable),
)  # fmt: skip
_COMPILED = tuple(
    (re.compile(rf"{_ADVERBS.replace(chr(92) + 's+', ' ?', 1)}\s*{rule.verb}(?![\w'])", re.I), rule) for rule in _RULES
)

_HAVE = re.compile(
    r"(?:do |does |also |now |just |recently |finally |still )*"
    r"(?:have got|has got|have|has|had|got|'s got|own|owns|(?:have |has )?(?:just |recently )?(?:adopted|rescued|bought|got))(?![\w'])",
    re.IGNORECASE,
)


def _having(head: str, subject: Subject, offset: int) -> Iterator[Statement]:
    """Pets and relatives that somebody has, with their names: "a cat called Luna", "a brother called Sol"."""
    found = _HAVE.match(head.lstrip())
    if found is None or found.group().lower().endswith("had"):
        return
    at = found.end() + len(head) - len(head.lstrip())
    while (phrase := nouns.phrase(head, at)) is not None:
        yield from _had(head, phrase, subject, offset)
        joint = re.compile(r"\s*(?:,|,?\s+and|&)\s+(?=(?:an?|one|two|three|some|\d)\b)", re.IGNORECASE).match(
            head, phrase.end
        )
        if joint is None:
            return
        at = joint.end()


def _had(head: str, phrase: Phrase, subject: Subject, offset: int) -> Iterator[Statement]:
    relation = naming.kin(phrase.head)
    species = lexicon.tail("pets", phrase.text)
    many = lexicon.singular(phrase.head) != phrase.head
    names = naming.called(head, phrase.end, many=many)
    span = (max(0, phrase.start + offset), (names[-1].end if names else phrase.end) + offset)
    if relation:
        for name in names:
            kind: EntityKind = "pet" if subject.kind == "pet" else "person"
            text = name.text.title() if name.text.islower() else name.text
            yield Statement(f"HAS_{relation}", text, *span, subject=subject.name, kind=kind, confidence=CONFIDENCE)
    elif species and subject.kind != "pet":
        singular = lexicon.singular(species.lower()) if names else species
        for name in names:
            text = name.text.title() if name.text.islower() else name.text
            yield Statement("HAS_PET", text, *span, subject=subject.name, kind="pet", confidence=CONFIDENCE)
            yield Statement("IS_A", singular, *span, subject=text, kind="topic", confidence=CONFIDENCE)
        if not names:
            yield Statement("HAS_PET", species, *span, subject=subject.name, kind="pet", confidence=CONFIDENCE)


_FAVOURITE = re.compile(
    r"(?:all[- ]time |absolute )?(?:favou?rite|fave?) (?P<what>[a-z]+(?: [a-z]+)?)(?:(?: ever| of all time)? (?:is|are|has to be|will always be|has always been)|'s)(?: definitely| probably| still| always)?(?![\w'])",
    re.IGNORECASE,
)


def _favourite(said: str, subject: Subject) -> Iterator[Statement]:
    """ "My son's favourite animal is ...": here of kin; of the person themselves `of_favourites`."""
    if not subject.name or said[subject.end : subject.end + 2] not in {"'s", "s'"}:
        return
    yield from _favourites(said, subject.end + 2, subject.name)


def _favourites(said: str, at: int, name: str) -> Iterator[Statement]:
    found = re.compile(r"\s*").match(said, at)
    found = _FAVOURITE.match(said, found.end() if found else at)
    phrase = nouns.name(said, found.end()) or nouns.phrase(said, found.end()) if found else None
    whole = nouns.phrase(said, found.end()) if found else None
    if whole and phrase and len(whole.text) > len(phrase.text):
        phrase = whole
    if found and phrase:
        predicate = FAVORITE + found["what"].upper().replace(" ", "_")
        yield Statement(
            predicate, phrase.text, found.start(), phrase.end, subject=name, kind="topic", confidence=CONFIDENCE
        )


_MY = re.compile(
    r"[\s,]*(?:my|our) (?:(?P<name>(?:first |given )?name(?:'?s| is))|(?P<hobby>(?:\w+ )?hobb(?:y|ies) (?:is|are|include))|"
    r"(?P<dream>(?:\w+ )?(?:dream|goal|ambition) is to)|(?P<language>(?:native|first|mother) (?:language|tongue) is)|"
    r"(?P<job>(?:day )?job is|profession is)|(?P<home>home is|hometown is)|(?P<age>age is))",
    re.IGNORECASE,
)
_MINE_READERS: dict[str, tuple[str, Callable[[str, int], Iterator[Phrase]]]] = {
    "name": ("NAMED", _name),
    "hobby": ("INTERESTED_IN", _interests),
    "dream": ("WANTS", _wish),
    "language": ("SPEAKS", _language),
    "job": ("WORKS_AS", _occupation),
    "home": ("LIVES_IN", _place),
    "age": ("HAS_AGE", _age),
}
_CALL_ME = re.compile(r"[\s,]*(?:please |just |you can |everyone calls me |)call me(?= [A-Z])")
_IS_FAVOURITE = re.compile(
    r"[\s,]*(?P<object>(?!it|that|this|what|he|she|they|you)[A-Za-z][\w'-]+(?: [\w'-]+){0,2}?) (?:is|are) (?:definitely |still |by far )?"
    r"my (?:all[- ]time |absolute )?(?:favou?rite|fave?) (?P<what>[a-z]+)\b",
)
_MATTERS = re.compile(
    r"[\s,]*(?P<what>(?!it\b|that\b|this\b|what\b|he\b|she\b|they\b|you\b|your\b)[A-Za-z]+(?: [a-z]+){0,2}?) (?:really )?"
    r"(?:(?:matters?|means?)(?: (?:a lot|so much|everything|the world|most|more than anything))? to me"
    r"|(?:is|are) (?:very |really |so )?important to me)\b",
    re.IGNORECASE,
)


def of_belongings(said: str, start: int) -> Iterator[Statement]:
    """Clauses that begin with something of the person's: "my name is", "my hobby is", "my favourite book is"."""
    found = _MY.match(said, start)
    if found and found.lastgroup:
        predicate, read = _MINE_READERS[found.lastgroup]
        for phrase in read(said, found.end()):
            kind = person_predicate(predicate).kind
            yield Statement(predicate, phrase.text, found.start(), phrase.end, kind=kind, confidence=CONFIDENCE)
    named = _CALL_ME.match(said, start)
    if named:
        for phrase in _name(said, named.end()):
            yield Statement("NAMED", phrase.text, named.start(), phrase.end, kind="topic", confidence=CONFIDENCE)
    reverse = _IS_FAVOURITE.match(said, start)
    if reverse and not nouns.is_vague(reverse["object"]):
        predicate = FAVORITE + reverse["what"].upper()
        yield Statement(predicate, reverse["object"], *reverse.span(), kind="topic", confidence=CONFIDENCE)
    mine = re.compile(r"[\s,]*(?:my|our)\s+", re.IGNORECASE).match(said, start)
    if mine:
        yield from _favourites(said, mine.end(), "")


def of_values(said: str, start: int) -> Iterator[Statement]:
    """ "Honesty matters a lot to me." """
    found = _MATTERS.match(said, start)
    if found and not nouns.is_vague(found["what"]):
        what = found["what"] if found["what"].isupper() else found["what"].lower()
        yield Statement("VALUES", what, found.start("what"), found.end(), kind="topic", confidence=CONFIDENCE)


def broke_up(said: str, start: int) -> Iterator[Statement]:
    """ "We broke up." """
    found = re.compile(
        r"[\s,]*(?:we|my (?:girlfriend|boyfriend|partner|ex) and i) (?:just |recently |have )?(?:broke up|split up|got divorced|separated)\b",
        re.IGNORECASE,
    ).match(said, start)
    if found:
        yield Statement("HAS_PARTNER", "", found.start(), found.end(), kind="person", confidence=CONFIDENCE, ends=True)
