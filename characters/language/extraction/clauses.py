"""Read what a clause states about its subject: by the table of verbs, else pets, relatives and favourites."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from characters.domain import lexicon
from characters.domain.people import FAVORITE, EntityKind, Statement, person_predicate
from characters.language.extraction import nouns, objects, proper
from characters.language.extraction.names import KIN_WORDS, called, capitalised, kin
from characters.language.extraction.nouns import Phrase
from characters.language.extraction.objects import Reader
from characters.language.extraction.subjects import CONFIDENCE, Subject


@dataclass(frozen=True, slots=True)
class Rule:
    """A verb, and the predicate it states of its subject; with `ends`, that the fact no longer holds."""

    verb: re.Pattern[str]
    predicate: str
    read: Reader
    ends: bool
    of_clause: bool
    """Whether the verb begins a clause about the person, without a subject in front."""


def _rules() -> Iterator[Rule]:
    adverbs = lexicon.alternatives("adverbs")
    for (predicate, reader, *marks), pattern in lexicon.read_patterns(Path(__file__).with_name("rules.txt")):
        front = r"[\s,]*" if "clause" in marks else rf"(?: ?(?:{adverbs}))*\s*"
        verb = re.compile(rf"{front}(?:{pattern})(?![\w'])", re.IGNORECASE)
        yield Rule(verb, predicate, getattr(objects, reader), "ends" in marks, "clause" in marks)


_RULES = tuple(_rules())
_BEHIND = {"WORKS_AS": "WORKS_AT", "STUDIES": "STUDIES_AT"}
"""Predicates of a name behind "at": "a nurse at Saint Mary's", "law at Leiden University"."""
_NOT_INHERITED = frozenset({"LIKES", "VALUES", "WANTS"})
"""Predicates that need a subject: their verbs are nouns and prepositions, too ("things like a walk", "and love")."""
_EMPLOYED = re.compile(r"\s+(?:at|for|with)\s+")
_FAVOURITE = re.compile(
    r"""\s*(?:all[- ]time\ |absolute\ )?(?:favou?rite|fave?)\ (?P<what>[a-z]+(?:\ (?!rn\b|atm\b|ever\b)[a-z]+)?)
    (?:(?:\ ever|\ of\ all\ time|\ rn|\ atm|\ right\ now)?
      \ (?:is|are|has\ to\ be|will\ always\ be|has\ always\ been)|'s)
    (?:\ definitely|\ probably|\ still|\ always)?(?![\w'])""",
    re.IGNORECASE | re.VERBOSE,
)

_HAVE = re.compile(
    r"""\s*(?:do\ |does\ |also\ |now\ |just\ |recently\ |finally\ |still\ )*
    (?P<verb>have\ got|has\ got|have|has|had|got|'s\ got|own|owns
      |(?:have\ |has\ )?(?:just\ |recently\ )?(?:adopted|rescued|bought|got)
    )(?![\w'])""",
    re.IGNORECASE | re.VERBOSE,
)
_OVER = re.compile(
    r"\s*(?:(?:has|just|sadly|finally)\s+)*(?:died|passed away|(?:is|was) (?:dead|put (?:down|to sleep)))\b"
    rf"|\s*(?:is|was)(?: not| never|n['’]?t)(?: really| actually| even)? my (?P<kin>{lexicon.one_of(KIN_WORDS)})\b",
    re.IGNORECASE,
)
"""Who isn't there any more, or never was what they were taken for."""
_AND = re.compile(r"\s*(?:,|,?\s+and|&)\s+(?=(?:an?|one|two|three|some|\d)\b)", re.IGNORECASE)


def statements_of(text: str, subject: Subject) -> Iterator[Statement]:
    """Yield the statements of a clause, by the first rule that reads an object: a clause has one verb."""
    rest = text[subject.end :]
    if subject.name and (over := _OVER.match(rest)):
        relation = kin(over["kin"]) if over["kin"] else "PET" if subject.kind == "pet" else ""
        if relation:
            kind = person_predicate(f"HAS_{relation}").kind
            end = subject.end + over.end()
            yield Statement(f"HAS_{relation}", subject.name, 0, end, kind=kind, confidence=CONFIDENCE, ends=True)
            return
    head = f"{subject.verb}{rest}" if subject.verb else rest.lstrip()
    offset = subject.end + len(rest) - len(head)
    for rule in _RULES:
        match = None if rule.of_clause else rule.verb.match(head)
        if match is None or (subject.inherited and rule.predicate in _NOT_INHERITED):
            continue
        phrases = list(rule.read(head, match.end()))
        if phrases:
            yield from (_statement(rule, subject, phrase, offset) for phrase in phrases)
            yield from _behind(head, rule, phrases[-1], subject, offset)
            return
    yield from _possessions(head, subject, offset)
    if subject.name and text[subject.end : subject.end + 2] in {"'s", "s'"}:
        yield from favourites(text, subject.end + 2, name=subject.name)


def of_person(text: str, start: int) -> Iterator[Statement]:
    """Yield what the clause at `start` states about the person without "I" as its subject: "my name is"."""
    for rule in _RULES:
        if not rule.of_clause or not (match := rule.verb.match(text, start)):
            continue
        for phrase in rule.read(text, match.end()):
            yield replace(_statement(rule, Subject("", "person", 0), phrase, 0), start=match.start())


def favourites(text: str, at: int, *, name: str = "") -> Iterator[Statement]:
    """Read "favourite animal is ..." behind "my", or behind the possessive of `name`."""
    match = _FAVOURITE.match(text, at)
    phrase = objects.name_or_phrase(text, match.end()) if match else None
    if match and phrase:
        predicate = FAVORITE + match["what"].upper().replace(" ", "_")
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        yield Statement(predicate, phrase.text, start, phrase.end, subject=name, kind="topic", confidence=CONFIDENCE)


def _behind(head: str, rule: Rule, phrase: Phrase, subject: Subject, offset: int) -> Iterator[Statement]:
    """Yield where somebody works or studies, if a name comes behind what they do."""
    match = _EMPLOYED.match(head, phrase.end) if rule.predicate in _BEHIND and not rule.ends else None
    name = objects.name_or_phrase(head, match.end()) if match and proper.name(head, match.end()) else None
    if name:
        yield _statement(replace(rule, predicate=_BEHIND[rule.predicate]), subject, name, offset)


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


def _possessions(head: str, subject: Subject, offset: int) -> Iterator[Statement]:
    """Read pets and relatives behind "have": "a cat called Luna", "a brother called Sol"."""
    match = _HAVE.match(head)
    if match is None or match["verb"].lower() == "had":
        return
    at: int | None = match.end()
    while at is not None and (phrase := nouns.phrase(head, at)) is not None:
        many = lexicon.singular(phrase.head) != phrase.head
        names = called(head, phrase.end, many=many)
        yield from _had(phrase, names, subject, offset)
        joint = _AND.match(head, names[-1].end if names else phrase.end)
        at = joint.end() if joint else None


def _had(phrase: Phrase, names: Sequence[Phrase], subject: Subject, offset: int) -> Iterator[Statement]:
    start, end = max(0, phrase.start + offset), (names[-1].end if names else phrase.end) + offset
    if relation := kin(phrase.head):
        yield from _relatives(relation, names, subject, (start, end))
    elif (species := lexicon.tail("pets", phrase.text)) and subject.kind != "pet":
        yield from _pets(species, names, subject, (start, end))


def _relatives(relation: str, names: Sequence[Phrase], subject: Subject, span: tuple[int, int]) -> Iterator[Statement]:
    kind: EntityKind = "pet" if subject.kind == "pet" else "person"
    for name in names:
        text = capitalised(name.text)
        yield Statement(f"HAS_{relation}", text, *span, subject.name, kind=kind, confidence=subject.confidence)


def _pets(species: str, names: Sequence[Phrase], subject: Subject, span: tuple[int, int]) -> Iterator[Statement]:
    """Yield a name and a species for each pet; only the species if none is named."""
    for name in names:
        text = capitalised(name.text)
        kind = lexicon.singular(species.lower())
        yield Statement("HAS_PET", text, *span, subject.name, kind="pet", confidence=subject.confidence)
        yield Statement("IS_A", kind, *span, text, kind="topic", confidence=subject.confidence)
    if not names:
        yield Statement("HAS_PET", species, *span, subject.name, kind="pet", confidence=subject.confidence)
