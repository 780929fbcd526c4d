"""Extract facts about a person, their kin and their pets from a message, by precise patterns."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from characters.domain.entities import key
from characters.domain.people import EntityKind, Statement
from characters.language.extraction import assertions, belongings, clauses, mask, nouns, pronouns, subjects
from characters.language.extraction.names import Mine, capitalised
from characters.language.extraction.names import mine as mine_in
from characters.language.extraction.pronouns import Relatives
from characters.language.extraction.subjects import CONFIDENCE, Subject
from characters.language.sentences import Stretch

MAX_SENTENCE = 1_000
"""Characters of a sentence that are read: the time is quadratic in the length."""


def extract(
    text: str, *, names: Collection[str] = (), known: Mapping[str, EntityKind] | None = None
) -> list[Statement]:
    """Return what `text` states about its writer, each statement once.

    `names` are the character's: never a subject or object. `known` maps names of the person's entities, as
    `entities.key` folds them, to kinds; such a name may be a subject ("Luna got a brother called Sol").
    """
    refused = {key(name) for name in names}
    statements: dict[tuple[str, str, str, bool], Statement] = {}
    for sentence, statement in _statements(list(mask.sentences(text)), known or {}):
        if not {key(statement.object), key(statement.subject)} & refused:
            placed = replace(statement, start=statement.start + sentence.start, end=statement.end + sentence.start)
            statements.setdefault((placed.subject, placed.predicate, key(placed.object), placed.ends), placed)
    return list(statements.values())


def _statements(sentences: Sequence[Stretch], known: Mapping[str, EntityKind]) -> Iterator[tuple[Stretch, Statement]]:
    relatives = Relatives(sentences)
    for place, sentence in enumerate(sentences):
        asserted = assertions.asserted(sentence.text)[:MAX_SENTENCE]
        for statement in _of_sentence(asserted, place, relatives, known) if asserted.strip() else ():
            yield sentence, statement


def _of_sentence(text: str, place: int, relatives: Relatives, known: Mapping[str, EntityKind]) -> Iterator[Statement]:
    """Yield the statements of a sentence's asserted part."""
    for mine in mine_in(text):
        yield from _named(mine)
    last = Subject.left_out(text)
    for start in assertions.clause_starts(text):
        yield from belongings.statements_at(text, start)
        subject = subjects.subject_at(text, start, known) or relatives.subject_at(text, start, place)
        if subject is None and last and not pronouns.is_somebody_else(text, start):
            subject = last.again(start)
        last = subject
        if subject:
            yield from clauses.statements_of(text, subject)


def _named(mine: Mine) -> Iterator[Statement]:
    """Yield that "my sister Ana" is a sister, and "my cat Luna" a pet and a cat."""
    for name in mine.names:
        text = capitalised(name.text)
        span = (mine.start, name.end) if name.start > mine.start else (name.start, mine.end)
        if mine.kin:
            yield Statement(f"HAS_{mine.kin}", text, *span, kind="person", confidence=CONFIDENCE)
        elif not nouns.is_vague(name.text):
            yield Statement("HAS_PET", text, *span, kind="pet", confidence=CONFIDENCE)
            yield Statement("IS_A", mine.word, *span, subject=text, kind="topic", confidence=CONFIDENCE)
