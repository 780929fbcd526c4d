"""What one clause states of the character's tastes and opinions."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from characters.language.claims import answers, favorites, kinds, objects, tastes
from characters.language.claims.answers import Question
from characters.language.claims.clauses import Clause, clauses
from characters.language.claims.places import Stretch

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
        found = list(reader(clause, registered))
        if found:
            yield from found
            return


def rule_of(of_i: Stretch) -> tuple[tastes.Rule, int] | None:
    """The rule for what stands behind "I", and where its object begins."""
    for rule in tastes.RULES:
        if found := rule.verb.match(of_i.text):
            return rule, found.end()
    return None


def own_question(said: Stretch, registered: Collection[str]) -> Question:
    """ "My favourite season?" is one that her next words answer."""
    found = favorites.ASKED.match(said.text)
    if found:
        return Question(kinds.favorite(found["kind"], registered))
    return answers.echoed(said)


def listed(said: Stretch) -> tuple[str, float] | None:
    """What the items below "I love three things:" or "Things I enjoy:" are to her, and how surely."""
    if found := tastes.THINGS_I.match(said.text):
        return tastes.OF_VERB[" ".join(found["verb"].lower().split())], _AROUND
    for clause in clauses(said):
        rule = rule_of(clause.of_i) if clause.of_i else None
        if rule and rule[0].read is objects.things and said.text.endswith(":"):
            return rule[0].predicate, rule[0].certainty
    return None


_THIS_ONE = re.compile(r"\s*(?:the|my)\s", re.IGNORECASE)


def _behind_i(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    if clause.of_i is None:
        return
    text = clause.of_i.text
    if found := rule_of(clause.of_i):
        rule, at = found
        hedged = _is_hedged(clause, text[:at])
        for said in rule.read(clause.of_i.part(at)):
            yield _made(rule.predicate, said, clause, said.end, rule.certainty, hedged)
        return
    judged = tastes.JUDGED.match(text)
    if judged and not _THIS_ONE.match(judged["what"]):
        for said in objects.opinion(clause.of_i.part(*judged.span("what"))):
            yield _made("HAS_OPINION", said, clause, said.end, _AROUND, False)
    elif finds := tastes.FINDS.match(text):
        if _THIS_ONE.match(finds["what"]):
            return  # those of something that was told before
        predicate = next(name for name in ("LIKES", "INTERESTED_IN", "DISLIKES") if finds[name])
        for said in objects.one(clause.of_i.part(*finds.span("what"))):
            yield _made(predicate, said, clause, clause.said.end, _AROUND, _is_hedged(clause, text))


def _favorite(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    found = favorites.IS.match(clause.said.text)
    if not found:
        return
    kind = found["kind"]
    predicate = kinds.favorite("" if found["about"] else kind, registered)
    rest = clause.said.part(found.end())
    plural = kind.strip().endswith("s") or re.search(r"\bare\b", found.group())
    for said in (objects.things if plural else objects.one)(rest):
        hedged = _is_hedged(clause, clause.said.text[: said.start - clause.said.start])
        yield _made(predicate, said, clause, said.end, _FAVORITE, hedged)


def _least(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    found = favorites.LEAST.match(clause.said.text)
    if found:
        for said in objects.one(clause.said.part(found.end())):
            yield _made("DISLIKES", said, clause, said.end, _AROUND, False)


def _one_of(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    found = favorites.ONE_OF.match(clause.said.text)
    if found:
        rest = clause.said.part(*found.span("what")) if found["what"] else clause.said.part(found.end())
        for said in objects.one(rest):
            end = max(said.end, clause.said.start + found.end())
            yield _made("LIKES", said, clause, end, _AROUND, False)


def _favorite_behind(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    found = favorites.BEHIND.match(clause.said.text)
    if found:
        for said in objects.one(clause.said.part(*found.span("what"))):
            predicate = kinds.favorite(found["kind"], registered)
            hedged = _is_hedged(clause, found.group())
            yield _made(predicate, said, clause, clause.said.start + found.end(), _FAVORITE, hedged)


def _what_i(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    found = tastes.WHAT_I.match(clause.said.text)
    if found:
        predicate = tastes.OF_VERB[" ".join(found["verb"].lower().split())]
        for said in objects.things(clause.said.part(found.end())):
            yield _made(predicate, said, clause, said.end, _AROUND, False)


def _nothing_like(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    found = tastes.NOTHING_LIKE.match(clause.said.text)
    if found:
        for said in objects.one(clause.said.part(found.end())):
            yield _made("LOVES", said, clause, said.end, _AROUND, False)


def _over(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    found = tastes.OVER.match(clause.said.text)
    if found:
        for said in objects.one(clause.said.part(*found.span("what"))):
            yield _made("PREFERS", said, clause, said.end, _AROUND, False)


def _opinion(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    found = tastes.OPINION.search(clause.opened) or tastes.OPINION.match(clause.said.text)
    if found:
        at = found.end() if found.string == clause.said.text else 0
        for said in objects.opinion(clause.said.part(at)):
            yield _made("HAS_OPINION", said, clause, said.end, _AROUND, False)


def _subject_first(clause: Clause, registered: Collection[str]) -> Iterator[Stated]:
    for predicate, pattern in tastes.SUBJECT_FIRST:
        if found := pattern.match(clause.said.text):
            for said in objects.one(clause.said.part(*found.span("what"))):
                end = clause.said.start + found.end()
                yield _made(predicate, said, clause, end, _AROUND, _is_hedged(clause, found.group()))
            return


def _made(predicate: str, said: Stretch, clause: Clause, end: int, certainty: float, hedged: bool) -> Stated:
    whole = Stretch(clause.said.text[: end - clause.said.start], clause.said.start)
    return Stated(predicate, said, whole, certainty, hedged)


def _is_hedged(clause: Clause, said: str) -> bool:
    return bool(tastes.HEDGE.search(clause.opened) or tastes.HEDGE.search(said))
