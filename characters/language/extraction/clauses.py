"""What one clause says of its subject: by the table of verbs, then what somebody has, then their favourites."""

import re
from collections.abc import Iterator

from characters.domain.people import FAVORITE, Statement, person_predicate
from characters.language.extraction import objects, possessions, proper
from characters.language.extraction.nouns import Phrase
from characters.language.extraction.rules import BEHIND, NOT_INHERITED, RULES, Rule
from characters.language.extraction.subjects import CONFIDENCE, Subject

_EMPLOYED = re.compile(r"\s+(?:at|for|with)\s+")
_FAVOURITE = re.compile(
    r"""\s*(?:all[- ]time\ |absolute\ )?(?:favou?rite|fave?)\ (?P<what>[a-z]+(?:\ (?!rn\b|atm\b|ever\b)[a-z]+)?)
    (?:(?:\ ever|\ of\ all\ time|\ rn|\ atm|\ right\ now)?
      \ (?:is|are|has\ to\ be|will\ always\ be|has\ always\ been)|'s)
    (?:\ definitely|\ probably|\ still|\ always)?(?![\w'])""",
    re.IGNORECASE | re.VERBOSE,
)


def statements_of(text: str, subject: Subject) -> Iterator[Statement]:
    """Every statement of the clause; the first rule that fits decides, as one verb says one thing."""
    rest = text[subject.end :]
    head = f"{subject.verb}{rest}" if subject.verb else rest.lstrip()
    offset = subject.end + len(rest) - len(head)
    for pattern, rule in RULES:
        match = pattern.match(head)
        if match is None or (subject.inherited and rule.predicate in NOT_INHERITED):
            continue
        phrases = list(rule.read(head, match.end()))
        if phrases:
            yield from (_statement(rule, subject, phrase, offset) for phrase in phrases)
            yield from _behind(head, rule, phrases[-1], subject, offset)
            return
    yield from possessions.statements_of(head, subject, offset)
    if subject.name and text[subject.end : subject.end + 2] in {"'s", "s'"}:
        yield from favourites(text, subject.end + 2, name=subject.name)


def favourites(text: str, at: int, *, name: str = "") -> Iterator[Statement]:
    """ "favourite animal is ..." behind "my", or behind somebody's name."""
    match = _FAVOURITE.match(text, at)
    phrase = objects.name_or_phrase(text, match.end()) if match else None
    if match and phrase:
        predicate = FAVORITE + match["what"].upper().replace(" ", "_")
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        yield Statement(predicate, phrase.text, start, phrase.end, subject=name, kind="topic", confidence=CONFIDENCE)


def _behind(head: str, rule: Rule, phrase: Phrase, subject: Subject, offset: int) -> Iterator[Statement]:
    """Where somebody works or studies, behind what: a name."""
    match = _EMPLOYED.match(head, phrase.end) if rule.predicate in BEHIND and not rule.ends else None
    name = objects.name_or_phrase(head, match.end()) if match and proper.name(head, match.end()) else None
    if name:
        yield _statement(Rule(BEHIND[rule.predicate], "", rule.read), subject, name, offset)


def _statement(rule: Rule, subject: Subject, phrase: Phrase, offset: int) -> Statement:
    return Statement(
        rule.predicate,
        phrase.text,
        max(0, phrase.start + offset),
        phrase.end + offset,
        subject=subject.name,
        kind=person_predicate(rule.predicate).kind,
        confidence=subject.confidence,
        ends=rule.ends,
    )
