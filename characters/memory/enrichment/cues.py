"""Relation classes by words and vectors, without a model. No Django.

Rules in order, the first that fits wins. Where its words show a class, it decides; else `learned` guesses one of six
classes. A rule's confidence is its precision on the `dev` rows of tests/data/relations.jsonl: `COUNTED` says what was
counted there, and a test counts again. A rule that goes by moods and nearness alone, without a word that shows the
class, has a vote in the guess. Where there is nothing to guess by it decides, below the usual threshold of .60, so that
it isn't drawn: on other people's data such rules are right far less often.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from characters.domain.relations import Relation
from characters.memory.enrichment import learned, patterns
from characters.memory.enrichment.answers import Verdict
from characters.memory.enrichment.learned import Learned
from characters.memory.enrichment.prompt import Pair
from characters.memory.enrichment.traits import Both, Message

Test = Callable[[Both], bool]


def _says(pattern: re.Pattern[str]) -> Test:
    return lambda both: bool(pattern.search(both.later.plain))


def _is_role(both: Both) -> bool:
    later = both.later
    told = bool(patterns.ROLE.search(later.plain)) and not patterns.SELF_ACTING.search(later.plain)
    named = bool(patterns.YOU_ARE.search(later.plain))
    return (told or named) and not later.is_question and not patterns.WHEN_YOU.search(later.plain)


def _is_rule(both: Both) -> bool:
    """A standing order: told as a command, and for more than one answer."""
    later = both.later
    return _is_ordered(later) and bool(patterns.STANDING.search(later.plain) or patterns.MANNERS.search(later.plain))


def _is_ordered(later: Message) -> bool:
    is_about_oneself = later.plain.startswith(("i ", "i'm", "i've", "my ", "we ", "from now on it", "from now on i"))
    rule = later.plain.startswith(("as a rule", "as a general rule", "one rule"))
    return (later.is_command or rule) and not is_about_oneself and not later.is_question


def _is_asked_differently(both: Both) -> bool:
    """ "Your answer was too formal", and then how it should be."""
    wants = both.later.is_asking or "should" in both.later.plain
    return wants and bool(patterns.COMPLAINT.search(both.earlier.plain))


def _is_turned(both: Both) -> bool:
    """Good of it then, bad of it now, or the other way round."""
    if both.earlier.is_asking or both.later.is_question or not both.are_related:
        return False
    good, bad = bool(patterns.GOOD.search(both.earlier.plain)), bool(patterns.BAD.search(both.earlier.plain))
    good_now, bad_now = bool(patterns.GOOD.search(both.later.plain)), bool(patterns.BAD.search(both.later.plain))
    return (good and not bad and bad_now) or (bad and not good and good_now and not bad_now)


def _looks_back(both: Both) -> bool:
    later = both.later
    return bool(patterns.LOOKING_BACK.search(later.plain)) and later.is_personal and not later.is_question


def _is_new_aim(both: Both) -> bool:
    """ "Now let's plan my trip": another task, that shares nothing with what was before."""
    turning = bool(patterns.TURNING.match(both.later.plain))
    return turning and both.later.is_asking and not both.are_related and not patterns.POINTS.search(both.later.plain)


def _has_scene(both: Both) -> bool:
    told = bool(patterns.SCENE.search(both.earlier.plain))
    fiction = bool(patterns.FICTION.search(both.earlier.plain)) and not both.earlier.is_asking
    return (told or (fiction and not both.earlier.is_personal)) and not both.are_far


def _has_loose_scene(both: Both) -> bool:
    return bool(patterns.SCENE.search(both.earlier.plain)) and both.later.is_asking


def _follows(both: Both) -> bool:
    return both.earlier.is_asking and both.later.is_asking and bool(patterns.GOING_ON.search(both.later.plain))


def _follows_by_subject(both: Both) -> bool:
    asked = both.earlier.is_asking and both.later.is_asking
    return asked and (both.are_related or both.later.points_back)


def _leads(both: Both) -> bool:
    return bool(patterns.LEADING.search(both.later.plain)) and not both.earlier.is_asking and not both.earlier.is_empty


def _makes_ask(both: Both) -> bool:
    """Something happened, and now she asks for what it makes her need."""
    return _has_told(both) and both.later.is_asking and not both.are_far


def _makes_do(both: Both) -> bool:
    return _has_told(both) and bool(patterns.ACTED.search(both.later.plain)) and not both.are_far


def _has_told(both: Both) -> bool:
    return not both.earlier.is_asking and not both.earlier.is_empty


def _adds(both: Both) -> bool:
    return _has_told(both) and not both.later.is_asking and bool(patterns.DETAILING.search(both.later.plain))


def _adds_by_pronoun(both: Both) -> bool:
    return _has_told(both) and not both.later.is_asking and both.later.points_first


def _adds_by_subject(both: Both) -> bool:
    return _has_told(both) and not both.later.is_asking and both.are_related


def _says_who_one_is(both: Both) -> bool:
    later = both.later
    return bool(patterns.IDENTITY.search(later.plain)) and not later.is_question and not later.is_command


def _is_other_aim(both: Both) -> bool:
    return both.earlier.is_asking and both.later.is_asking and not both.are_related


def _is_apart(both: Both) -> bool:
    return not both.later.is_asking and _has_told(both) and not both.are_related and not both.later.points_first


@dataclass(frozen=True, slots=True)
class Rule:
    """What shows a class. `evidence` is the sentence that stands beside the relation."""

    name: str
    relation: Relation
    fits: Test
    evidence: str
    by_words: bool = True
    """Whether words show the class; else only moods and nearness speak for it, which proves little."""


RULES = (
    Rule("takes back", "Contrast", _says(patterns.CONTRASTING), "It takes back what was said before."),
    Rule("corrects", "Reframe/Correction", _says(patterns.CORRECTING), "Its words correct or rephrase something."),
    Rule("asks differently", "Reframe/Correction", _is_asked_differently, "A complaint, and how it should be instead."),
    Rule("tells a role", "Role Instruction", _is_role, "It tells the assistant whom to be."),
    Rule("tells a rule", "Meta-Prompting", _is_rule, "A command that is meant for all answers."),
    Rule("switches", "Topic Switch", _says(patterns.SWITCHING), "Its words announce another subject."),
    Rule("turns to a new aim", "Topic Switch", _is_new_aim, "A new task that shares nothing with the one before."),
    Rule("plays in a scene", "Scenario Setup", _has_scene, "The earlier message sets a scene."),
    Rule("plays in a loose scene", "Scenario Setup", _has_loose_scene, "The earlier message may set a scene."),
    Rule("looks back", "Self-Reference", _looks_back, "It looks back on what the person said or did."),
    Rule("turns round", "Contrast", _is_turned, "Good was said of it before and bad now, or the other way round."),
    Rule("leads to", "Causal", _leads, "Its words say that the other message led to it."),
    Rule("says who one is", "Identity Expression", _says_who_one_is, "The person says something about who they are."),
    Rule("goes on", "Follow-up", _follows, "A question or task that goes on from the one before."),
    Rule(
        "goes on by subject", "Follow-up", _follows_by_subject, "Two questions or tasks on one subject.", by_words=False
    ),
    Rule("details", "Elaboration", _adds, "Its words announce details."),
    Rule(
        "details by pronoun",
        "Elaboration",
        _adds_by_pronoun,
        "It begins with what the other message spoke of.",
        by_words=False,
    ),
    Rule("does about it", "Causal", _makes_do, "What the person did after what they had told.", by_words=False),
    Rule("asks about it", "Causal", _makes_ask, "Something was told, and then asked for.", by_words=False),
    Rule("details by subject", "Elaboration", _adds_by_subject, "Two remarks on one subject.", by_words=False),
    Rule(
        "other aim",
        "Topic Switch",
        _is_other_aim,
        "A question or task that shares nothing with the one before.",
        by_words=False,
    ),
    Rule("apart", "Unrelated", _is_apart, "Two remarks that share nothing.", by_words=False),
)

COUNTED: Mapping[str, tuple[int, int]] = {
    "apart": (10, 12),
    "asks about it": (4, 4),
    "asks differently": (3, 3),
    "corrects": (9, 9),
    "details": (5, 5),
    "details by pronoun": (6, 8),
    "details by subject": (1, 2),
    "does about it": (1, 1),
    "goes on": (9, 9),
    "goes on by subject": (3, 4),
    "leads to": (4, 5),
    "looks back": (14, 14),
    "other aim": (1, 1),
    "plays in a loose scene": (5, 5),
    "plays in a scene": (8, 8),
    "says who one is": (13, 13),
    "switches": (7, 7),
    "takes back": (8, 8),
    "tells a role": (11, 11),
    "tells a rule": (14, 14),
    "turns round": (3, 3),
    "turns to a new aim": (3, 3),
}
"""Of each rule how often it was right and how often it fitted (tests/data/relations.jsonl, `dev`)."""

MOST = 0.95
MOST_WITHOUT_WORDS = 0.55
VOTE = 1.5
"""By how much a rule without words multiplies the odds of its class: more serves tests/data, and harms Molweni."""
GUESSED = "A guess by wording, length and nearness, learned from other people's messages."


def confidence(rule: Rule) -> float:
    """Laplace's estimate of the rule's precision, bounded."""
    right, fits = COUNTED[rule.name]
    return round(min((right + 1) / (fits + 2), MOST if rule.by_words else MOST_WITHOUT_WORDS), 2)


def rule_for(both: Both) -> Rule | None:
    """The first rule that fits."""
    return next((rule for rule in RULES if rule.fits(both)), None)


def classify(pair: Pair) -> Verdict | None:
    """What words and vectors show of the pair; None where that is nothing."""
    return verdict(both_of(pair), learned.shipped())


def turns_away(pair: Pair) -> bool:
    """Whether the later message turns to another subject."""
    return is_shift(both_of(pair), learned.shipped())


def both_of(pair: Pair) -> Both:
    """The pair as the rules look at it."""
    return Both(Message(pair.earlier.text), Message(pair.later.text), pair.cosine)


def verdict(both: Both, model: Learned) -> Verdict | None:
    """Words that show a class decide; where there are none, what was learned guesses, and the other rules have a vote.

    Without vectors there is nothing to guess by: the other rules decide then.
    """
    rule = rule_for(both)
    if both.cosine is None or both.earlier.is_empty or both.later.is_empty or (rule and rule.by_words):
        return Verdict(rule.relation, confidence(rule), rule.evidence) if rule else None
    relation, chance = model.relation(both, {rule.relation: VOTE} if rule else {})
    if relation == "Unrelated" and both.earlier.is_asking and both.later.is_asking and model.is_shift(both):
        relation = "Topic Switch"
    return Verdict(relation, round(min(chance, learned.MOST), 2), GUESSED)


def is_shift(both: Both, model: Learned) -> bool:
    """Words that announce another subject decide; where there are none, what was learned."""
    rule = rule_for(both)
    if rule and rule.by_words and rule.relation == "Topic Switch":
        return True
    return both.cosine is not None and model.is_shift(both)
