"""What one clause states of the character's tastes and opinions."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from characters.language.claims import answers, favorites, kinds, objects, tastes
from characters.language.claims.answers import Question
from characters.language.claims.clauses import Clause, clauses
from characters.language.sentences import Stretch

_AROUND = 0.85
"""Where the object stands in front, or the verb is a figure of speech."""
_FAVORITE = 0.95


@dataclass(frozen=True, slots=True)
class Stated:
    """`words` are those that state it, from the subject to the end of the object."""

    predicate: str
    object: Stretch
    words: Stretch
    certainty: float
    hedged: bool


def of_tastes(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    """By the tables of `tastes`, the first that fits."""
    readers = (
        _behind_i,
        _least,
        _one_of,
        _favorite,
        _favorite_behind,
        _what_i,
        _nothing_like,
        _over,
        _opinion,
        _subject_first,
    )
    for reader in readers:
        statements = list(reader(clause, registered))
        if statements:
            yield from statements
            return


def rule_of(of_i: Stretch) -> tuple[tastes.Rule, int] | None:
    """The rule for what stands behind "I", and where its object begins."""
    for rule in tastes.RULES:
        if match := rule.verb.match(of_i.text):
            return rule, match.end()
    return None


def self_question(words: Stretch, registered: Collection[str]) -> Question:
    """ "My favourite season?" is one that her next words answer."""
    match = favorites.ASKED.match(words.text)
    if match:
        return Question(kinds.favorite(match["kind"], registered))
    return answers.echoed(words)


def listed(words: Stretch) -> tuple[str, float] | None:
    """What the items below "I love three things:" or "Things I enjoy:" are to her, and how surely."""
    if match := tastes.THINGS_I.match(words.text):
        return tastes.OF_VERB[" ".join(match["verb"].lower().split())], _AROUND
    for clause in clauses(words):
        rule = rule_of(clause.of_i) if clause.of_i else None
        if rule and rule[0].read is objects.things and words.text.endswith(":"):
            return rule[0].predicate, rule[0].certainty
    return None


_THIS_ONE = re.compile(r"\s*(?:the|my)\s", re.IGNORECASE)


def _behind_i(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    if clause.of_i is None:
        return
    text = clause.of_i.text
    if match := rule_of(clause.of_i):
        rule, at = match
        hedged = _is_hedged(clause, text[:at])
        for item in rule.read(clause.of_i.part(at)):
            yield _made(rule.predicate, item, clause, item.end, rule.certainty, hedged)
        return
    judged = tastes.JUDGED.match(text)
    if judged and not _THIS_ONE.match(judged["what"]):
        for item in objects.opinion(clause.of_i.part(*judged.span("what"))):
            yield _made("HAS_OPINION", item, clause, item.end, _AROUND, False)
    elif finds := tastes.FINDS.match(text):
        if _THIS_ONE.match(finds["what"]):
            return  # those of something that was told before
        predicate = next(name for name in ("LIKES", "INTERESTED_IN", "DISLIKES") if finds[name])
        for item in objects.one_thing(clause.of_i.part(*finds.span("what"))):
            yield _made(predicate, item, clause, clause.words.end, _AROUND, _is_hedged(clause, text))


def _favorite(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    match = favorites.IS.match(clause.words.text)
    if not match:
        return
    kind = match["kind"]
    predicate = kinds.favorite("" if match["about"] else kind, registered)
    rest = clause.words.part(match.end())
    plural = kind.strip().endswith("s") or re.search(r"\bare\b", match.group())
    for item in (objects.things if plural else objects.one_thing)(rest):
        hedged = _is_hedged(clause, clause.words.text[: item.start - clause.words.start])
        yield _made(predicate, item, clause, item.end, _FAVORITE, hedged)


def _least(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    match = favorites.LEAST.match(clause.words.text)
    if match:
        for item in objects.one_thing(clause.words.part(match.end())):
            yield _made("DISLIKES", item, clause, item.end, _AROUND, False)


def _one_of(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    match = favorites.ONE_OF.match(clause.words.text)
    if match:
        rest = clause.words.part(*match.span("what")) if match["what"] else clause.words.part(match.end())
        for item in objects.one_thing(rest):
            end = max(item.end, clause.words.start + match.end())
            yield _made("LIKES", item, clause, end, _AROUND, False)


def _favorite_behind(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    match = favorites.BEHIND.match(clause.words.text)
    if match:
        for item in objects.one_thing(clause.words.part(*match.span("what"))):
            predicate = kinds.favorite(match["kind"], registered)
            hedged = _is_hedged(clause, match.group())
            yield _made(predicate, item, clause, clause.words.start + match.end(), _FAVORITE, hedged)


def _what_i(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    match = tastes.WHAT_I.match(clause.words.text)
    if match:
        predicate = tastes.OF_VERB[" ".join(match["verb"].lower().split())]
        for item in objects.things(clause.words.part(match.end())):
            yield _made(predicate, item, clause, item.end, _AROUND, False)


def _nothing_like(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    match = tastes.NOTHING_LIKE.match(clause.words.text)
    if match:
        for item in objects.one_thing(clause.words.part(match.end())):
            yield _made("LOVES", item, clause, item.end, _AROUND, False)


def _over(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    match = tastes.OVER.match(clause.words.text)
    if match:
        for item in objects.one_thing(clause.words.part(*match.span("what"))):
            yield _made("PREFERS", item, clause, item.end, _AROUND, False)


def _opinion(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    match = tastes.OPINION.search(clause.opener) or tastes.OPINION.match(clause.words.text)
    if match:
        at = match.end() if match.string == clause.words.text else 0
        for item in objects.opinion(clause.words.part(at)):
            yield _made("HAS_OPINION", item, clause, item.end, _AROUND, False)


def _subject_first(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    for predicate, pattern in tastes.SUBJECT_FIRST:
        if match := pattern.match(clause.words.text):
            for item in objects.one_thing(clause.words.part(*match.span("what"))):
                end = clause.words.start + match.end()
                yield _made(predicate, item, clause, end, _AROUND, _is_hedged(clause, match.group()))
            return


def _made(predicate: str, item: Stretch, clause: Clause, end: int, certainty: float, hedged: bool) -> Stated:
    words = Stretch(clause.words.text[: end - clause.words.start], clause.words.start)
    return Stated(predicate, item, words, certainty, hedged)


def _is_hedged(clause: Clause, text: str) -> bool:
    return bool(tastes.HEDGE.search(clause.opener) or tastes.HEDGE.search(text))
