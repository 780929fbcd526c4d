"""How long the small parts of a sheet may be, and of what shape: slugs, names, keywords, questions."""

import re
from collections.abc import Iterator, Sequence

from characters.domain.sheet import Concept, Fact, LoreEntry, Persona, Sheet

MAX_ID = 60
MAX_NAME = 100
"""Characters of a name, a keyword, an anchor, the slug of a persona."""
MAX_QUESTION = 500
MAX_KEY = 2_000
"""Characters of a key of the lore, which may be a regular expression."""
MAX_LORE_NAME = 200
MAX_LISTED = 200
"""Anchors, concepts, personas; keywords or bases of one persona, predicates of one concept."""
MAX_QUESTIONS = 100
"""Of one fact, or to click in the playground."""
SHOWN = 40
"""Characters of a text by which a sentence names it."""

_SLUG = re.compile(r"[-\w]+", re.ASCII)
_ID = re.compile(r"\S+")
_BREAK = re.compile(r"[\x01-\x1f\x7f\x85\u2028\u2029]")


def problems(sheet: Sheet) -> Iterator[str]:
    """What is too long, too many, or of another shape: a sentence each, with its place."""
    yield from _line("name", sheet.name)
    yield from _line("nickname", sheet.nickname, MAX_NAME)
    yield from _many("anchors", sheet.anchors)
    for anchor in sheet.anchors:
        yield from _line(f"anchor {shown(anchor)}", anchor, MAX_NAME)
    for fact in sheet.facts:
        yield from _fact(fact)
    yield from _many("personas", sheet.personas)
    for persona in sheet.personas:
        yield from _persona(persona)
    yield from _many("concepts", sheet.concepts)
    for concept in sheet.concepts:
        yield from _concept(concept)
    for entry in sheet.lore:
        yield from _lore(entry)
    yield from _questions("settings.questions", sheet.settings.questions)


def _fact(fact: Fact) -> Iterator[str]:
    where = place_of(fact)
    yield from _id(where, fact.id)
    yield from _questions(f"{where}, questions", fact.questions)


def _persona(persona: Persona) -> Iterator[str]:
    where = f"persona {shown(persona.slug)}"
    yield from _slug(where, persona.slug, MAX_NAME)
    yield from _line(f"{where}, name", persona.name, MAX_NAME)
    yield from _many(f"{where}, bases", persona.bases)
    for base in persona.bases:
        yield from _slug(f"{where}, base {shown(base)}", base, MAX_ID)
    yield from _many(f"{where}, keywords", persona.keywords)
    for keyword in persona.keywords:
        yield from _line(f"{where}, keyword {shown(keyword)}", keyword, MAX_NAME)


def _concept(concept: Concept) -> Iterator[str]:
    where = f"concept {shown(concept.name)}"
    yield from _line(where, concept.name, MAX_NAME)
    yield from _many(f"{where}, predicates", concept.predicates)
    for name in concept.predicates:
        yield from _line(f"{where}, predicate {shown(name)}", name, MAX_ID)


def _lore(entry: LoreEntry) -> Iterator[str]:
    where = f"lore {shown(entry.id)}"
    yield from _id(where, entry.id)
    yield from _length(f"{where}, name", entry.name, MAX_LORE_NAME)
    for key in (*entry.keys, *entry.secondary_keys):
        yield from _length(f"{where}, key {shown(key)}", key, MAX_KEY)


def _questions(where: str, questions: Sequence[str]) -> Iterator[str]:
    yield from _many(where, questions, MAX_QUESTIONS)
    for question in questions:
        yield from _line(f"{where}, {shown(question)}", question, MAX_QUESTION)


def _many(where: str, listed: Sequence[object], most: int = MAX_LISTED) -> Iterator[str]:
    if len(listed) > most:
        yield f"{where}: there are {len(listed)}; at most {most} are taken."


def _length(where: str, text: str, most: int) -> Iterator[str]:
    if len(text) > most:
        yield f"{where}: {len(text)} characters; at most {most} are taken."


def _line(where: str, text: str, most: int | None = None) -> Iterator[str]:
    if most is not None:
        yield from _length(where, text, most)
    if _BREAK.search(text):
        yield f"{where}: it holds a line break or another control character. Write it on one line."


def _slug(where: str, text: str, most: int) -> Iterator[str]:
    yield from _length(where, text, most)
    if not _SLUG.fullmatch(text):
        yield f"{where}: {shown(text)} is no slug. Use a-z, 0-9, - and _ only, without spaces."


def _id(where: str, text: str) -> Iterator[str]:
    if not _ID.fullmatch(text) or len(text) > MAX_ID:
        yield f"{where}: {shown(text)} is no id. Use at most {MAX_ID} characters, without spaces."


def place_of(fact: Fact) -> str:
    """How a sentence names a fact."""
    return f"fact {fact.predicate[:MAX_ID]} {shown(fact.object)}"


def shown(text: str) -> str:
    """The text as a sentence names it."""
    line = " ".join(text.split())
    return f"“{line[:SHOWN]}…”" if len(line) > SHOWN else f"“{line}”"
