"""Read what a clause states about the character's tastes and opinions, by the table of tastes.txt."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from characters.domain.lexicon import read_patterns, worded
from characters.language.claims import meaning, objects
from characters.language.claims.answers import Question
from characters.language.claims.clauses import Clause, clauses
from characters.language.sentences import Stretch

_OF_VERB = {
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
_HEDGE = worded(
    r"\b(?:kind of|kinda|sort of|sorta|probably|perhaps|maybe|I guess|I suppose|I think|somewhat|a bit|more or less"
    r"|possibly|likely|I reckon|slightly|sometimes)\b"
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement; `words` reach from the subject to the end of the object."""

    predicate: str
    object: Stretch
    words: Stretch
    certainty: float
    hedged: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and the predicate of its matches; FAVORITE and VERB depend on the kind or verb in the match."""

    predicate: str
    read: Callable[[Stretch], Iterator[Stretch]]
    certainty: float
    place: str
    """Where it matches: empty for behind "I", else "clause", "question" or "list"."""
    pattern: re.Pattern[str]

    def stated(self, match: re.Match[str], registered: Collection[str]) -> str:
        """Return the predicate of a match."""
        if self.predicate == "FAVORITE":
            return meaning.favorite("" if match.groupdict().get("about") else match["kind"], registered)
        return _OF_VERB[" ".join(match["verb"].lower().split())] if self.predicate == "VERB" else self.predicate


def _rules() -> Iterator[Rule]:
    for (predicate, reader, certainty, *place), pattern in read_patterns(Path(__file__).with_name("tastes.txt")):
        worded_pattern = worded(rf"(?:{pattern})(?![\w'-])")
        yield Rule(predicate, getattr(objects, reader), float(certainty), "".join(place), worded_pattern)


_RULES = tuple(_rules())


def of_tastes(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    """Yield what the first rule states that reads an object; rules behind "I" go first."""
    for place, words in (("", clause.of_i or Stretch("", 0)), ("clause", clause.words)):
        for rule, match in _matches(place, words):
            if statements := list(_stated(rule, match, words, clause, registered)):
                yield from statements
                return


def _matches(place: str, words: Stretch) -> Iterator[tuple[Rule, re.Match[str]]]:
    for rule in _RULES:
        if rule.place == place and (match := rule.pattern.match(words.text)):
            yield rule, match


def _stated(
    rule: Rule, match: re.Match[str], words: Stretch, clause: Clause, registered: Collection[str]
) -> Iterator[Stated]:
    """Yield what a rule reads from its match of `words`, the clause or what follows its "I"."""
    in_front = "what" in match.re.groupindex
    rest = words.part(*match.span("what")) if in_front else words.part(match.end())
    is_plural = rule.predicate == "FAVORITE" and (match["kind"].endswith("s") or match.group().endswith("are"))
    for item in (objects.things if is_plural and not in_front else rule.read)(rest):
        before = words.text[: max(item.start - words.start, match.end())]
        end = max(item.end, words.start + match.end()) - clause.words.start
        hedged = bool(_HEDGE.search(clause.opener) or _HEDGE.search(before))
        yield Stated(rule.stated(match, registered), item, clause.words.part(0, end), rule.certainty, hedged)


def behind_i(of_i: Stretch) -> tuple[Rule, int] | None:
    """Return the first rule that matches behind "I" and where its object begins; None if it doesn't read things."""
    rule, match = next(_matches("", of_i), (None, None))
    return (rule, match.end()) if rule and match and rule.read is objects.things else None


def self_question(words: Stretch, registered: Collection[str]) -> Question:
    """Return what the character asks itself and answers next: "My favourite season?"."""
    asked = next(_matches("question", words), None)
    return Question(asked[0].stated(asked[1], registered)) if asked else Question()


def listed(words: Stretch) -> tuple[str, float] | None:
    """Return predicate and certainty of the items below "I love three things:" or "Things I enjoy:", or None."""
    for rule, match in _matches("list", words):
        return rule.stated(match, ()), rule.certainty
    for clause in clauses(words):
        if clause.of_i and (behind := behind_i(clause.of_i)) and words.text.endswith(":"):
            return behind[0].predicate, behind[0].certainty
    return None
