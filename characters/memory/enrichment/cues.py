"""Classify relations by words, without a model. No Django.

`cues.txt` beside this module has the words. Rules are tried in order; where no words show a class, the pair isn't
classified.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from characters.domain.relations import Relation
from characters.memory.enrichment.pairs import MessageText, Pair, Verdict

FILE = Path(__file__).with_name("cues.txt")
MOST = 0.95
"""Confidence that no rule exceeds."""

Test = Callable[[Pair], bool]


def _read(text: str) -> dict[str, re.Pattern[str]]:
    """Return the groups of the file by name."""
    groups: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("= "):
            groups[line.removeprefix("= ")] = patterns = []
        elif line and not line.startswith("#"):
            patterns.append(f"(?:{line})")
    return {name: re.compile("|".join(patterns)) for name, patterns in groups.items()}


_PATTERNS = _read(FILE.read_text(encoding="utf-8"))


def _has(message: MessageText, *groups: str) -> bool:
    return any(_PATTERNS[group].search(message.plain) for group in groups)


def _later_has(group: str) -> Test:
    return lambda pair: _has(pair.later, group)


def _is_role(pair: Pair) -> bool:
    later = pair.later
    ordered = _has(later, "role") and not _has(later, "self acting")
    return (ordered or _has(later, "you are")) and not later.is_question and not _has(later, "when you")


def _is_standing_order(pair: Pair) -> bool:
    """Return whether a command is meant for more than one answer."""
    return _is_ordered(pair.later) and _has(pair.later, "standing", "manners")


def _is_ordered(later: MessageText) -> bool:
    is_about_oneself = later.plain.startswith(("i ", "i'm", "i've", "my ", "we ", "from now on it", "from now on i"))
    rule = later.plain.startswith(("as a rule", "as a general rule", "one rule"))
    return (later.is_command or rule) and not is_about_oneself and not later.is_question


def _is_asked_differently(pair: Pair) -> bool:
    """Return whether a complaint ("Your answer was too formal") is followed by how the answer should be."""
    wants = pair.later.is_asking or "should" in pair.later.plain
    return wants and _has(pair.earlier, "complaint")


def _is_turned(pair: Pair) -> bool:
    """Return whether one message is positive and the other negative about the same thing."""
    if pair.earlier.is_asking or pair.later.is_question or not pair.are_related:
        return False
    good, bad = _has(pair.earlier, "good"), _has(pair.earlier, "bad")
    good_now, bad_now = _has(pair.later, "good"), _has(pair.later, "bad")
    return (good and not bad and bad_now) or (bad and not good and good_now and not bad_now)


def _looks_back(pair: Pair) -> bool:
    return _has(pair.later, "looking back") and pair.later.is_personal and not pair.later.is_question


def _is_new_aim(pair: Pair) -> bool:
    """Return whether the later message sets another task ("Now let's plan my trip") unrelated to the earlier one."""
    turning = _has(pair.later, "turning") and not _has(pair.later, "points")
    return turning and pair.later.is_asking and not pair.are_related


def _has_scene(pair: Pair) -> bool:
    fiction = _has(pair.earlier, "fiction") and not pair.earlier.is_asking and not pair.earlier.is_personal
    return (_has(pair.earlier, "scene") or fiction) and not pair.are_far


def _has_loose_scene(pair: Pair) -> bool:
    return _has(pair.earlier, "scene") and pair.later.is_asking


def _follows(pair: Pair) -> bool:
    return pair.earlier.is_asking and pair.later.is_asking and _has(pair.later, "going on")


def _follows_from(pair: Pair) -> bool:
    return pair.earlier.is_remark and _has(pair.later, "following from")


def _details(pair: Pair) -> bool:
    return pair.earlier.is_remark and not pair.later.is_asking and _has(pair.later, "detailing")


def _says_who_one_is(pair: Pair) -> bool:
    return _has(pair.later, "identity") and not pair.later.is_question and not pair.later.is_command


@dataclass(frozen=True, slots=True)
class Rule:
    """Words that show a class. `evidence` is the sentence shown beside the relation.

    Of the `fits` rows it matches (`dev` in tests/data/relations.jsonl), `right` have its class; a test recounts.
    """

    relation: Relation
    is_fit: Test
    right: int
    fits: int
    evidence: str

    @property
    def confidence(self) -> float:
        """Return Laplace's estimate of its precision, capped."""
        return round(min((self.right + 1) / (self.fits + 2), MOST), 2)


RULES = (
    Rule("Contrast", _later_has("contrasting"), 8, 8, "It takes back what was said before."),
    Rule("Reframe/Correction", _later_has("correcting"), 9, 9, "Its words correct or rephrase something."),
    Rule("Reframe/Correction", _is_asked_differently, 3, 3, "A complaint, and how it should be instead."),
    Rule("Role Instruction", _is_role, 11, 11, "It tells the assistant whom to be."),
    Rule("Meta-Prompting", _is_standing_order, 14, 14, "A command that is meant for all answers."),
    Rule("Topic Switch", _later_has("switching"), 7, 7, "Its words announce another subject."),
    Rule("Topic Switch", _is_new_aim, 3, 3, "A new task that shares nothing with the one before."),
    Rule("Scenario Setup", _has_scene, 8, 8, "The earlier message sets a scene."),
    Rule("Scenario Setup", _has_loose_scene, 5, 5, "The earlier message may set a scene."),
    Rule("Self-Reference", _looks_back, 14, 14, "It looks back on what the person said or did."),
    Rule("Contrast", _is_turned, 3, 3, "Good was said of it before and bad now, or the other way round."),
    Rule("Causal", _follows_from, 4, 5, "Its words say that the other message led to it."),
    Rule("Identity Expression", _says_who_one_is, 13, 13, "The person says something about who they are."),
    Rule("Follow-up", _follows, 9, 9, "A question or task that goes on from the one before."),
    Rule("Elaboration", _details, 5, 5, "Its words announce details."),
)


def rule_for(pair: Pair) -> Rule | None:
    """Return the first rule that matches."""
    return next((rule for rule in RULES if rule.is_fit(pair)), None)


def classify(pair: Pair) -> Verdict | None:
    """Return the class that words show, or None."""
    rule = rule_for(pair)
    return Verdict(rule.relation, rule.confidence, rule.evidence) if rule else None
