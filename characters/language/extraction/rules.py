"""The table of verbs: what each says of its subject, and how its object is read. The first that fits decides."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from characters.domain import lexicon
from characters.language.extraction import objects
from characters.language.extraction.objects import Reader


@dataclass(frozen=True, slots=True)
class Rule:
    """A verb and what it says. `verb` is matched behind "am ", "have " or nothing, in the first person or the third.

    `ends`: it says that something no longer holds.
    """

    predicate: str
    verb: str
    read: Reader
    ends: bool = False


_LIVE = r"(?:live|lives|(?:have|has) been living|am living|is living|am (?:now )?based|is (?:now )?based|'s based)"
_MOVED = (
    r"(?:(?:have |has |'s )?(?:just |recently |finally )?(?:moved|relocated)(?: back)?(?: from [\w' ]{2,30}?)?"
    r"(?: over)? to)"
)
_WORK = r"(?:work|works|am working|is working|'s working|am employed|is employed)"
_LIKE = (
    r"(?:love|loves|like|likes|enjoy|enjoys|adore|adores"
    r"|(?:am|is|'s)(?: such)?(?: a)?(?: really| very| quite)? fond of"
    r"|(?:am|is|'s) (?:an?|the)? ?(?:\w+ )?(?:fan|lover) of"
    r"|(?:am|is) (?:obsessed with|crazy about|mad about)|can't get enough of)"
)
_HATE = (
    r"(?:hate|hates|dislike|dislikes|despise|despises|detest|detests|loathe|loathes|can't stand|cannot stand|can't bear"
    r"|(?:don't|do not|doesn't|dont) (?:really |much )?(?:like|enjoy|care for)"
    r"|(?:am|is) not (?:a|much of a) (?:\w+ )?fan of)"
)
_DWELLING = r"(?:\w+ ){0,2}(?:flat|apartment|house|room|studio|place|cottage|bungalow|condo|loft|farmhouse|cabin)"
_NOT_NOW = r"(?:no longer|don't|do not|doesn't|dont|am no longer|am not|is no longer)"
_JUST = r"(?:just |recently |finally )?"

_HOME = (
    Rule("LIVES_IN", rf"(?:{_NOT_NOW}|used to) live in", objects.place, ends=True),
    Rule("LIVES_IN", r"(?:have )?moved (?:out of|away from)", objects.place, ends=True),
    Rule("LIVES_IN", rf"{_LIVE} (?:here )?(?:in|near|at|just outside)", objects.place),
    Rule("LIVES_IN", _MOVED, objects.place),
    Rule("LIVES_IN", r"(?:have |has )?left [\w' ]{2,25} for", objects.place),
    Rule("LIVES_IN", r"(?:have|has) (?:lived|been living|settled) in|settled in", objects.place),
    Rule(
        "LIVES_IN", rf"(?:rent|rents|share|shares|have|has|own|owns|bought) (?:an?|our) {_DWELLING} in", objects.place
    ),
    Rule("LIVES_IN", r"call(?=[\w' ]{2,25} home\b)", objects.place),
    Rule("HAS_CONDITION", r"(?:live|lives) with", objects.condition),
    Rule(
        "FROM",
        r"(?:(?:am|is|'s)(?: originally)? from|(?:come|comes|hail|hails)(?: originally)? from)",
        objects.place,
    ),
    Rule("GREW_UP_IN", r"(?:grew up|was raised|were raised|was brought up) (?:in|near|on)", objects.place),
    Rule("GREW_UP_IN", r"spent (?:most of )?my (?:childhood|youth) in", objects.place),
    Rule("BORN_IN", r"(?:(?:was|were|am) )?born(?: and raised| and bred)? in", objects.place),
)
_WORKING = (
    Rule("WORKS_AT", rf"(?:{_NOT_NOW}|used to) work (?:at|for)", objects.organisation, ends=True),
    Rule("WORKS_AT", r"(?:teach|teaches)(?: \w+)? at", objects.organisation),
    Rule(
        "WORKS_AT",
        r"(?:(?:have )?(?:quit|left) (?:my|the|his|her) (?:old )?job (?:at|with)"
        r"|(?:got|was) (?:fired|laid off|made redundant) (?:from|by|at))",
        objects.organisation,
        ends=True,
    ),
    Rule(
        "WORKS_AT",
        r"(?:have |has |got |was |have been |has been )?(?:just )?(?:retired|resigned|let go|dismissed|quit working)"
        r" (?:from|at|by)|(?:have )?handed in my (?:notice|resignation) at|(?:have )?quit(?= [A-Z])",
        objects.employer,
        ends=True,
    ),
    Rule("WORKS_AT", r"(?:have|has) (?:worked|been working) (?:at|for|with)", objects.employer),
    Rule("STUDIES_AT", r"(?:have )?(?:dropped out of|graduated from)", objects.employer, ends=True),
    Rule(
        "WORKS_AS",
        r"(?:(?:make|earn) (?:a|my) living|pay the bills|moonlight|volunteer|freelance|train|am training|trained"
        r"|qualified|practise|practice|serve) as",
        objects.any_occupation,
    ),
    Rule(
        "WORKS_AS",
        rf"(?:{_WORK} as|(?:have )?(?:just )?(?:started|got)(?: \w+)? (?:new )?job as|became"
        r"|(?:got|was) (?:hired|promoted|promoted to) as)",
        objects.any_occupation,
    ),
    Rule("WORKS_AT", rf"{_WORK}(?: \w+ shifts| full-time| part-time| nights)? (?:at|for|with)", objects.organisation),
    Rule(
        "WORKS_AT",
        r"(?:(?:have )?(?:just )?(?:got|was|been)(?: just)? hired (?:at|by)"
        r"|(?:started|start) (?:working|work|my (?:new )?job|a (?:new )?job) (?:at|for|with)"
        r"|got (?:a|the) job (?:at|with))",
        objects.organisation,
    ),
    Rule(
        "STUDIES_AT",
        r"(?:(?:am|is|'s) a(?:n)? (?:\w+ )?(?:student|freshman|sophomore|junior|senior|undergrad|postgrad) at"
        r"|(?:study|studies|am studying|is studying) at|(?:go|goes) to (?:uni|university|college|school) at)",
        objects.organisation,
    ),
    Rule("STUDIES_AT", r"(?:go|goes) to", objects.school),
    Rule("STUDIES", r"(?:am|is|'s)(?= an?\b)", objects.studied_by_student),
    Rule(
        "STUDIES",
        r"(?:am|is|'s) (?:\w+ )?(?:doing|getting|finishing|reading for) (?:an?|my|her|his) (?:\w+ )?"
        r"(?:degree|bachelor's|master's|masters|phd|doctorate|apprenticeship|diploma|ba|bsc|msc|mba) in",
        objects.subjects_of_study,
    ),
    Rule(
        "STUDIES",
        r"(?:study|studies|am studying|is studying|'s studying|am majoring in|major in|majors in"
        r"|am doing (?:a|my) (?:degree|master's|masters|phd|ba|bsc) in)",
        objects.subjects_of_study,
    ),
)
_BEING = (
    Rule(
        "ALLERGIC_TO",
        r"(?:(?:am|is|'s)(?: \w+)? allergic to|(?:have|has|'s got|have got) (?:an?|this) (?:\w+ )?allergy to)",
        objects.allergens,
    ),
    Rule("ALLERGIC_TO", r"(?:have got|has got|have|has|'s got|got)(?= an? )", objects.allergy),
    Rule("HAS_DIET", r"(?:am no longer|am not|don't eat|is no longer)(?: an?)?", objects.diet, ends=True),
    Rule(
        "HAS_DIET",
        r"(?:am|is|'s|have been|has been|became|have become|went|have gone|eat|eats)(?: an?)?",
        objects.diet,
    ),
    Rule(
        "HAS_CONDITION",
        r"(?:(?:have|has|was|got|am)(?: just)?(?: been)? diagnosed with|(?:suffer|suffers) from)",
        objects.thing,
    ),
    Rule("HAS_CONDITION", r"(?:have got|has got|have|has|got|am|is|'s)", objects.condition),
    Rule("HAS_AGE", r"(?:am|is|'s|turned|have turned|just turned|am turning)(?: only| just| already)?", objects.age),
    Rule("NAMED", r"(?:am called|am named|go by)", objects.named),
    Rule("WORKS_AS", r"(?:am|is|'s|(?:have|has) been)(?= an?\b)", objects.occupation),
    Rule("IS_A", r"(?:am|is|'s)(?= an?\b)", objects.identity),
)
_TASTES = (
    Rule(
        "INTERESTED_IN",
        r"(?:(?:am|is|'s)(?: \w+)? (?:interested in|into|passionate about|fascinated by)"
        r"|(?:have|has)(?: really)? (?:gotten|got) into|got into)",
        objects.interests,
    ),
    Rule("SPEAKS", r"(?:speak|speaks|(?:am|is) fluent in|can speak)", objects.languages),
    Rule(
        "PLAYS",
        r"(?:(?:have )?(?:stopped|quit|gave up|given up) playing|no longer play|used to play|don't play)",
        objects.played,
        ends=True,
    ),
    Rule("PLAYS", r"(?:play|plays|have been playing|can play)", objects.played),
    Rule("PLAYS", r"(?:have |has )?(?:given up|gave up|quit)", objects.played, ends=True),
    Rule("PLAYS", r"(?:have |has )?(?:played|been learning|am learning|is learning)(?: to play)?", objects.played),
    Rule("SPEAKS", r"grew up speaking|(?:can )?(?:get by|hold my own) in", objects.languages),
    Rule("INTERESTED_IN", r"(?:have |has )?(?:taken up|took up)", objects.interests),
    Rule(
        "LIKES",
        r"(?:have |has )?(?:gone off|went off|fallen out of love with|fell out of love with)",
        objects.tastes,
        ends=True,
    ),
    Rule("LIKES", r"(?:am|is|'s)(?= (?:an?|such a) )", objects.of_fan),
    Rule(
        "VALUES", r"(?:believe in|believes in)(?! (?:ghosts|god|aliens|you|me|magic|fate|luck|santa)\b)", objects.tastes
    ),
    Rule("VALUES", r"(?:value|values|treasure|care (?:a lot |deeply )?about)", objects.tastes),
    Rule(
        "LIKES",
        r"(?:(?:don't|no longer|stopped) (?:like|love|enjoy|liking|enjoying))"
        r"(?=.{2,40}\b(?:any ?more|any longer)\b)",
        objects.thing,
        ends=True,
    ),
    Rule("LIKES", r"(?:no longer (?:like|love|enjoy))", objects.thing, ends=True),
    Rule("DISLIKES", _HATE, objects.tastes),
    Rule(
        "DISLIKES",
        r"(?:am|is) not (?:really |that |much |too |so )?(?:into|keen on|crazy about|big on|fond of)"
        r"|(?:have )?never (?:liked|enjoyed|cared for|could stand)|could do without",
        objects.tastes,
    ),
    Rule(
        "WANTS",
        r"(?:want to|would love to|'d love to|would like to|'d like to|hope to|am hoping to|dream of|am planning to"
        r"|plan to|(?:have )?always wanted to|am (?:saving up|determined|hoping) to|'ll one day)",
        objects.wish,
    ),
    Rule("LIKES", _LIKE, objects.tastes),
    Rule(
        "LIKES",
        r"(?:have|has) (?:an? (?:soft spot|thing|weakness) for|always (?:loved|liked|enjoyed))"
        r"|(?:am|is|'s) (?:partial to|keen on|big on|hooked on|addicted to)|can't live without",
        objects.tastes,
    ),
)
_OWNING = (
    Rule("DRIVES", r"(?:drive|drives)", objects.vehicle),
    Rule(
        "OWNS",
        rf"(?:(?:have )?{_JUST}(?:sold|got rid of|gave away|lost)(?= (?:my|our)\b))",
        objects.mine,
        ends=True,
    ),
    Rule("OWNS", r"(?:own|owns|(?:have|has) owned)", objects.owned),
    Rule(
        "OWNS",
        r"(?:have |has )?(?:inherited|got myself|bought myself|treated myself to|picked up|splurged on|built|restored"
        r"|been restoring|am restoring)",
        objects.ownable,
    ),
    Rule("DRIVES", r"(?:commute|commutes|get around|gets around) (?:in|on)", objects.vehicle),
    Rule("OWNS", rf"(?:(?:have |has )?{_JUST}bought|have got|has got|have|has|'s got|got)", objects.ownable),
)


def _compiled(rule: Rule) -> re.Pattern[str]:
    return re.compile(rf"(?: ?(?:{lexicon.alternatives('adverbs')}))*\s*{rule.verb}(?![\w'])", re.IGNORECASE)


RULES: Sequence[tuple[re.Pattern[str], Rule]] = tuple(
    (_compiled(rule), rule) for rule in (*_HOME, *_WORKING, *_BEING, *_TASTES, *_OWNING)
)

BEHIND = {"WORKS_AS": "WORKS_AT", "STUDIES": "STUDIES_AT"}
"""What a name behind "at" says: "a nurse at Saint Mary's", "law at Leiden University"."""
NOT_INHERITED = frozenset({"LIKES", "VALUES", "WANTS"})
"""Their verbs are nouns and prepositions as well: "things like a walk", "self-acceptance and love"."""
