"""Extract facts from a character's description without a language model: from labels, lists and sentences."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from characters.language.sentences import hidden, stretches
from characters.language.suggestions import labels
from characters.language.suggestions.clauses import Reader
from characters.language.suggestions.subjects import cast_of

MAX_TEXT = 50_000
"""Characters of a text that are read."""
MAX_LINE = 4_000
MAX_SENTENCE = 800
"""Longer sentences are skipped: they aren't prose."""

_BULLET = re.compile(r"\s*(?:[-*•–+]|\d+[.)])\s+")
_SPEAKER = re.compile(r"\s*(?:\{\{(?:user|char)\}\}|<(?:user|bot|char)>|you|user)\s*:", re.IGNORECASE)
_HEADING = re.compile(r"\s*#")
_EXAMPLES = re.compile(
    r"<START>|^[^\w\n]{0,4}(?:example (?:dialogues?|messages?|conversations?)|mes_example)\b", re.I | re.M
)
"""Beginning of example dialogue, which lasts to the end of the text."""
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", re.DOTALL)
_STARRED = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?!\*)")
_SPACE = re.compile(r"\S\s.*\S", re.DOTALL)
_BOLD = re.compile(r"\*\*|__|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)")
_QUOTED = re.compile(r"“[^”\n]*(?:”|$)|«[^»\n]*»|\"[^\"\n]*(?:\"|$)", re.MULTILINE)
_NAMING = re.compile(r"(?:called|named|nicknamed|as|is|are|call\w* \w+(?: \w+)?)\s*$", re.IGNORECASE)
_CALL = re.compile(r"\(\s*$|\+\s*$")
_TITLE = re.compile(
    r"(?:motto|favou?rite \w+|catchphrase|tattoo\w*)(?: of \w+)? (?:is|was|has always been)[: ]*$", re.I
)


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact that a text seems to state; `text[start:end]` is the sentence or card line that states it."""

    predicate: str
    object: str
    start: int
    end: int


def extract(text: str, *, names: Collection[str], registered: Collection[str]) -> list[StatedFact]:
    """Return what `text` states about the character with these names, in order, each fact once.

    Only `registered` predicates are returned, and never NOTE: an unchanged sentence is no suggestion.
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
    for sentence in stretches(text):
        for predicate, item in reader.read(sentence.text) if len(sentence.text) <= MAX_SENTENCE else ():
            yield StatedFact(predicate, item, start + sentence.start, start + sentence.end)


def masked(text: str) -> str:
    """Hide quotations, actions, links, code and example dialogue; the length of the text stays."""
    text = text.replace("’", "'").replace("‘", "'")
    examples = _EXAMPLES.search(text)
    if examples:
        text = text[: examples.start()] + hidden(text[examples.start() :])
    text = _CODE.sub(lambda match: hidden(match.group()), text)
    text = _STARRED.sub(_action, text)
    text = _BOLD.sub(lambda match: " " * len(match.group()), text)
    return _QUOTED.sub(lambda match: _quotation(match, text), text)


def _action(match: re.Match[str]) -> str:
    """Hide an action (*Smiles at you*), keep a stressed word (*this*)."""
    inner = match[1]
    is_acted = inner == inner.strip() and _SPACE.search(inner)
    return hidden(match.group()) if is_acted else match.group()


def _quotation(match: re.Match[str], text: str) -> str:
    """Keep quoted names and titles, hide quoted speech."""
    before, inner = text[max(0, match.start() - 40) : match.start()], match.group()[1:-1]
    if _CALL.search(before) or len(match.group()) == 1:
        return match.group()
    is_name = _NAMING.search(before) and len(inner.split()) <= 4
    return f" {inner} " if is_name or _TITLE.search(before) else hidden(match.group())
