"""Extract facts about a person from a message with a language model; only facts worded in the message count."""

from collections.abc import Collection

from pydantic import BaseModel, Field, OnErrorOmit

from characters.domain import words
from characters.domain.entities import fold, key
from characters.domain.people import (
    KIN_WORDS,
    PERSON_PREDICATES,
    EntityKind,
    Statement,
    is_registered,
    person_predicate,
)
from characters.language.extraction import nouns
from kgadmin.stores.json_answers import Line, Probability, ask_json
from kgadmin.stores.language_model import LanguageModel

MAX_FACTS = 12
MAX_NAME = 80
MAX_WORDS = 6
MAX_TEXT = 4_000
MAX_CONTEXT = 600
MAX_TOKENS = 900
LEAST_CONFIDENCE = 0.5


class Fact(BaseModel):
    """One fact that the message states."""

    subject: Line = Field(max_length=MAX_NAME)
    predicate: Line = Field(max_length=40)
    object: Line = Field(min_length=1, max_length=MAX_NAME)
    quote: Line = Field(max_length=300)
    ends: bool = False
    confidence: Probability


class FactsAboutThePerson(BaseModel):
    """The lasting facts of a message."""

    facts: list[OnErrorOmit[Fact]] = Field(json_schema_extra={"maxItems": MAX_FACTS})


_EXAMPLE = (
    {"message": "I've moved to Portland, and Luna got a brother called Sol. Do you think I should get a dog?"},
    FactsAboutThePerson(
        facts=[
            Fact(subject="", predicate="LIVES_IN", object="Portland", quote="I've moved to Portland", confidence=0.97),
            Fact(
                subject="Luna",
                predicate="HAS_BROTHER",
                object="Sol",
                quote="Luna got a brother called Sol",
                confidence=0.95,
            ),
        ]
    ),
)


def extract(text: str, *, before: str, names: Collection[str], model: LanguageModel) -> list[Statement]:
    """Return what `text`, which answers `before`, says about its writer, not about the character (`names`).

    Invalid items are left out. Raises `AnswerError` or `StoreError`.
    """
    data = {"before": before[-MAX_CONTEXT:], "message": text[:MAX_TEXT]}
    answer = ask_json(model, FactsAboutThePerson, _instructions(), data, max_tokens=MAX_TOKENS, example=_EXAMPLE)
    refused = {key(name) for name in names}
    statements: dict[tuple[str, str, str, bool], Statement] = {}
    for fact in answer.facts:
        if _is_sound(fact, text) and not {key(fact.object), key(fact.subject)} & refused:
            statements.setdefault(
                (key(fact.subject), fact.predicate, key(fact.object), fact.ends), _statement(fact, text)
            )
    return list(statements.values())


def _instructions() -> str:
    predicates = "\n".join(f"- {each.name}: {each.sentence}" for each in PERSON_PREDICATES.values())
    return (
        "You note lasting facts that the writer of a message states about themselves, their relatives, friends and "
        "pets. Take nothing out of questions, negations, wishes that are only supposed (if, would, maybe), quotations, "
        "what others say, jokes, roleplay, fiction or code, and nothing about the assistant. Take no passing states "
        "(tired, in a meeting) and no vague objects (it, stuff, things).\n"
        "subject: empty for the writer, else the name of who it is about, or father, mother, sister ... where there is "
        "no name. predicate: one of the list, or FAVORITE_<KIND>. object: the shortest noun phrase, as it stands in "
        "the message, without article. quote: the words of the message that say it. ends: true where it says that it "
        "no longer holds. confidence: how sure you are, from 0 to 1. No facts: an empty list.\n\n"
        "<before> is what the assistant had said before.\n\n"
        f"Predicates:\n{predicates}"
    )


def _is_sound(fact: Fact, text: str) -> bool:
    """Return whether the predicate is known and the fact's words are in the message."""
    named = not fact.subject or key(fact.subject) in KIN_WORDS or _stands_in(fact.subject, text)
    sure = fact.confidence >= LEAST_CONFIDENCE and is_registered(fact.predicate)
    short = len(fact.object.split()) <= MAX_WORDS
    return sure and short and named and _stands_in(fact.object, text) and not nouns.is_vague(fact.object)


def _statement(fact: Fact, text: str) -> Statement:
    kind: EntityKind = person_predicate(fact.predicate).kind
    start, end = _span(fact.quote, fact.object, text)
    return Statement(fact.predicate, fact.object, start, end, fact.subject, kind, fact.confidence, fact.ends)


def _stands_in(phrase: str, text: str) -> bool:
    """Return whether the phrase is in the text as whole words: "Ann" isn't in "planned"."""
    wanted, there = words.tokens(fold(phrase)), words.tokens(fold(text))
    bare = [words.without_possessive(word) for word in there]
    size = len(wanted)
    return bool(size) and any(wanted in (there[i : i + size], bare[i : i + size]) for i in range(len(there)))


def _span(quote: str, noun_phrase: str, text: str) -> tuple[int, int]:
    """Return where it was stated: the quotation, else the object, else the whole message."""
    for part in (quote, noun_phrase):
        at = text.lower().find(part.lower()) if part else -1
        if at >= 0:
            return at, at + len(part)
    return 0, len(text)
