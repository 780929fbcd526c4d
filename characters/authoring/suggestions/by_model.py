"""Extract facts about a character from prose by a language model, asked with a JSON schema; drop unsound ones."""

import re
from collections.abc import Collection, Iterator, Mapping

from pydantic import BaseModel, Field, OnErrorOmit

from characters.domain import words
from characters.domain.facts import NOTE
from characters.domain.sheet import Predicate
from characters.language.suggestions.patterns import StatedFact as Found
from kgadmin.stores.json_answers import Line, ask_json
from kgadmin.stores.language_model import LanguageModel

MAX_FACTS = 25
"""Facts of one answer."""
PIECE = 4_000
"""Characters that are read at once."""
MAX_PIECES = 8
MAX_OBJECT = 120
MAX_QUOTE = 400
MAX_TOKENS = 1_800

_OWN_WORDS = frozenset("i me my mine myself".split())


class Suggestion(BaseModel):
    """One fact that the text states."""

    predicate: Line = Field(max_length=60)
    object: Line = Field(min_length=1, max_length=MAX_OBJECT)
    quote: Line = Field(min_length=1, max_length=MAX_QUOTE)


class FactsAboutTheCharacter(BaseModel):
    """The lasting facts of a text."""

    facts: list[OnErrorOmit[Suggestion]] = Field(json_schema_extra={"maxItems": MAX_FACTS})


_EXAMPLE = (
    {"text": "You are Ada, a clockmaker in Bern. Your father sold ferns. Never speak for {{user}}."},
    FactsAboutTheCharacter(
        facts=[
            Suggestion(predicate="IS_A", object="clockmaker", quote="You are Ada, a clockmaker in Bern"),
            Suggestion(predicate="HAS_FATHER", object="sold ferns", quote="Your father sold ferns"),
        ]
    ),
)


def extract(
    text: str, *, names: Collection[str], registered: Mapping[str, Predicate], model: LanguageModel
) -> Iterator[list[Found]]:
    """Yield the facts that each piece of `text` soundly states of the character. Raises `AnswerError`, `StoreError`."""
    instructions = _instructions(names, registered)
    for start, end in pieces(text):
        piece = {"text": text[start:end]}
        answer = ask_json(model, FactsAboutTheCharacter, instructions, piece, max_tokens=MAX_TOKENS, example=_EXAMPLE)
        suggestions = (_sound(item, text[start:end], registered, start) for item in answer.facts)
        yield list({(each.predicate, each.object.lower()): each for each in suggestions if each}.values())


def pieces(text: str) -> list[tuple[int, int]]:
    """Return start and end of at most `MAX_PIECES` pieces, each cut after a line or sentence if possible."""
    spans: list[tuple[int, int]] = []
    start = 0
    while start < len(text) and len(spans) < MAX_PIECES:
        end = min(len(text), start + PIECE)
        if end < len(text):
            end = max(text.rfind("\n", start, end), text.rfind(". ", start, end)) + 1 or end
        spans.append((start, end))
        start = end
    return spans


def _instructions(names: Collection[str], registered: Mapping[str, Predicate]) -> str:
    predicates = "\n".join(f"- {each.name}: {each.sentence}" for each in registered.values() if each.name != NOTE)
    return (
        f"You note lasting facts that a text states about the character {' or '.join(sorted(names))}, whom it may also "
        "call you, I, he, she or {{char}}. Take nothing out of questions, negations, suppositions (if, would, maybe), "
        "dialogue, instructions for how to answer, and nothing about {{user}} or about anybody else, but say who the "
        "character's relatives and friends are. Take no passing states and no vague objects.\n"
        "predicate: one of the list. object: the shortest phrase, in the text's own words, as it stands in the "
        "predicate's sentence (my in place of your, his or her). quote: the words of the text that say it, exactly. "
        f"No facts: an empty list.\n\nPredicates:\n{predicates}"
    )


def _sound(item: Suggestion, text: str, registered: Mapping[str, Predicate], offset: int) -> Found | None:
    """Return the item as a fact; None if its predicate is unknown, or its words aren't in the text."""
    span = place(item.quote, text)
    if item.predicate not in registered or item.predicate == NOTE or span is None:
        return None
    start, end = span
    quoted = set(words.tokens(text[start:end])) | _OWN_WORDS | words.STOP
    if not set(words.tokens(item.object)) <= quoted or not words.stems(item.object):
        return None
    return Found(item.predicate, item.object, start + offset, end + offset)


def place(quote: str, text: str) -> tuple[int, int] | None:
    """Return where the quotation stands in `text`, whatever its case, white space and apostrophes; None if nowhere."""
    pattern = r"\s+".join(re.escape(word) for word in quote.strip(" \"'“”").split())
    match = re.search(pattern.replace("'", "['’]"), text, re.IGNORECASE) if pattern else None
    return match.span() if match else None
