"""Facts out of a character's prose without a language model: by labels, by lists, and sentence by sentence."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from sentencex import get_sentence_boundaries

from characters.language.suggestions import labels
from characters.language.suggestions.clauses import Reader
from characters.language.suggestions.mask import masked
from characters.language.suggestions.subjects import cast_of

MAX_TEXT = 50_000
"""Characters of a text that are read."""
MAX_LINE = 4_000
MAX_SENTENCE = 800
"""What is longer is no prose."""

_BULLET = re.compile(r"\s*(?:[-*•–+]|\d+[.)])\s+")
_SPEAKER = re.compile(r"\s*(?:\{\{(?:user|char)\}\}|<(?:user|bot|char)>|you|user)\s*:", re.IGNORECASE)
_HEADING = re.compile(r"\s*#")


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact that a text seems to state: `text[start:end]` is the sentence, or the line of a card, that says it."""

    predicate: str
    object: str
    start: int
    end: int


def extract(text: str, *, names: Collection[str], registered: Collection[str]) -> list[StatedFact]:
    """What `text` says of the character with these names, in its order, each fact once.

    Only predicates that are `registered` come out, and NOTE doesn't: a sentence as it stands is no suggestion.
    """
    plain = masked(text[:MAX_TEXT])
    reader = Reader(cast_of(plain, names))
    speakers = {name.lower() for name in names} | {word.lower() for name in names for word in name.split()}
    statements: dict[tuple[str, str], StatedFact] = {}
    for line in re.finditer(r"[^\n]+|\n\n", plain):
        if not line.group().strip():
            reader.new_paragraph()
            continue
        for statement in _line(line.group(), line.start(), reader, speakers, registered):
            if statement.predicate in registered and statement.predicate != "NOTE" and statement.object:
                statements.setdefault((statement.predicate, statement.object.lower()), statement)
    return list(statements.values())


def _line(
    line: str, start: int, reader: Reader, speakers: Collection[str], registered: Collection[str]
) -> Iterator[StatedFact]:
    if len(line) > MAX_LINE or _SPEAKER.match(line) or _HEADING.match(line):
        return
    bullet = _BULLET.match(line)
    at = bullet.end() if bullet else 0
    pairs = labels.labelled(line[at:])
    if any(pair.name in speakers for pair in pairs):
        return  # "Elena: Hello!" is dialogue
    for pair in pairs:
        if pair.name in labels.PROSE:
            yield from _prose(pair.value, start + at + pair.end - len(pair.value), reader)
            continue
        for predicate, text in labels.statements(pair, registered):
            yield StatedFact(predicate, text, start + at + pair.start, start + at + pair.end)
    if not pairs and bullet:
        end = start + len(line.rstrip())
        yield from (StatedFact(*text, start + at, end) for text in reader.read_bullet(line[at:]))
    elif not pairs:
        yield from _prose(line, start, reader)


def _prose(text: str, start: int, reader: Reader) -> Iterator[StatedFact]:
    for boundary in get_sentence_boundaries("en", text):
        sentence = boundary["text"]
        if len(sentence) > MAX_SENTENCE:
            continue
        first = start + boundary["start_index"] + len(sentence) - len(sentence.lstrip())
        for predicate, item in reader.read(sentence):
            yield StatedFact(predicate, item, first, first + len(sentence.strip()))
