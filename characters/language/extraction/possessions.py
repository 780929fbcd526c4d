"""Pets and relatives that somebody has, with their names: "a cat called Luna", "a brother called Sol"."""

import re
from collections.abc import Iterator, Sequence

from characters.domain import lexicon
from characters.domain.people import EntityKind, Statement
from characters.language.extraction import nouns
from characters.language.extraction.names import called, capitalised, kin
from characters.language.extraction.nouns import Phrase
from characters.language.extraction.subjects import Subject

_HAVE = re.compile(
    r"""\s*(?:do\ |does\ |also\ |now\ |just\ |recently\ |finally\ |still\ )*
    (?P<verb>have\ got|has\ got|have|has|had|got|'s\ got|own|owns
      |(?:have\ |has\ )?(?:just\ |recently\ )?(?:adopted|rescued|bought|got)
    )(?![\w'])""",
    re.IGNORECASE | re.VERBOSE,
)
_AND = re.compile(r"\s*(?:,|,?\s+and|&)\s+(?=(?:an?|one|two|three|some|\d)\b)", re.IGNORECASE)


def statements_of(head: str, subject: Subject, offset: int) -> Iterator[Statement]:
    """What `head`, the clause from its verb on, says of `subject`; it stands at `offset` of the sentence."""
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
    """By their names, and what they are; a pet without a name by what it is."""
    for name in names:
        text = capitalised(name.text)
        kind = lexicon.singular(species.lower())
        yield Statement("HAS_PET", text, *span, subject.name, kind="pet", confidence=subject.confidence)
        yield Statement("IS_A", kind, *span, text, kind="topic", confidence=subject.confidence)
    if not names:
        yield Statement("HAS_PET", species, *span, subject.name, kind="pet", confidence=subject.confidence)
