"""Facts about a person out of a message, by careful patterns: what each clause says of "I", of kin and of pets."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from characters.memory.extraction import assertions, cleaning, naming, nouns
from characters.memory.extraction.clauses import Subject, broke_up, of_belongings, of_values, statements_of
from characters.memory.extraction.naming import Mine
from characters.turn.entities import key
from characters.turn.people import KIN, EntityKind, Statement

CONFIDENCE = 0.9


def extract(
    text: str, *, names: Collection[str] = (), known: Mapping[str, EntityKind] | None = None
) -> list[Statement]:
    """What `text` says of its writer, each statement once.

    `names` are the character's own: never an object. `known` are entities of the person by name, of which facts may be
    told by their name alone ("Luna got a brother called Sol").
    """
    refused = {key(name) for name in names}
    found: dict[tuple[str, str, str, bool], Statement] = {}
    for sentence in cleaning.sentences(text):
        for statement in _of_sentence(sentence.text, known or {}):
            placed = replace(statement, start=statement.start + sentence.start, end=statement.end + sentence.start)
            if key(placed.object) not in refused and key(placed.subject) not in refused:
                found.setdefault((placed.subject, placed.predicate, key(placed.object), placed.ends), placed)
    return list(found.values())


def _of_sentence(sentence: str, known: Mapping[str, EntityKind]) -> Iterator[Statement]:
    said = assertions.asserted(sentence)
    if not said.strip():
        return
    for mine in naming.mine(said):
        yield from _named(mine)
    last = Subject.left_out(said)
    for start in assertions.clause_starts(said):
        yield from of_belongings(said, start)
        yield from of_values(said, start)
        yield from broke_up(said, start)
        subject = next(_subjects(said, start, known), None)
        if subject:
            last = subject
        elif last:
            subject = last.again(start)
        if subject:
            yield from statements_of(said, subject)


def _named(mine: Mine) -> Iterator[Statement]:
    """That "my sister Ana" is a sister, and "my cat Luna" a pet and a cat."""
    for name in mine.names:
        text = _proper(name.text)
        if mine.kin:
            yield Statement(f"HAS_{mine.kin}", text, mine.start, name.end, kind="person", confidence=CONFIDENCE)
        elif nouns.is_vague(name.text):
            continue
        else:
            yield Statement("HAS_PET", text, mine.start, name.end, kind="pet", confidence=CONFIDENCE)
            yield Statement(
                "IS_A", mine.species, mine.start, name.end, subject=text, kind="topic", confidence=CONFIDENCE
            )


def _subjects(said: str, start: int, known: Mapping[str, EntityKind]) -> Iterator[Subject]:
    """Who the clause that begins here is about, and where what is said of them begins."""
    first = Subject.first_person(said, start)
    if first:
        yield first
        return
    mine = naming.mine_at(said, start)
    if mine and not mine.many:
        kind: EntityKind = "person" if mine.kin else "pet"
        name = _proper(mine.names[0].text) if mine.names else (KIN[mine.kin][0] if mine.kin else "")
        if name:
            yield Subject(name, kind, mine.end)
        return
    name_here = nouns.name(said, start)
    if name_here:
        kinds = {key(name): (name, kind) for name, kind in known.items()}
        words = name_here.text.split()
        for count in range(len(words), 0, -1):
            text = " ".join(words[:count])
            if key(text) in kinds:
                name, kind = kinds[key(text)]
                yield Subject(name, kind, name_here.start + len(text))
                return


def _proper(name: str) -> str:
    """A name that was typed without its capital."""
    return name.title() if name == name.lower() else name
