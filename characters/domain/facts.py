"""Put a fact into words: the sentence for the prompt, and the texts by which questions find it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from characters.domain import grammar, lexicon, topics, words
from characters.domain.sheet import Fact, Predicate

NOTE = "NOTE"
"""Predicate of a fact that is a plain sentence."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of predicates: stems that name it, and questions that any of its facts may answer."""

    words: frozenset[str]
    questions: tuple[str, ...]


def _families() -> Iterator[tuple[str, Family]]:
    for heading, lines in lexicon.read_blocks(Path(__file__).with_name("families.txt")):
        name, _, names = heading.partition(" | ")
        yield name, Family(frozenset(map(words.stem, names.split())), tuple(lines))


FAMILIES: Mapping[str, Family] = dict(_families())


def predicate_words(name: str) -> str:
    """Return a predicate's name as words: HAS_FATHER -> "father", GREW_UP_IN -> "grew up in"."""
    plain = name.lower().replace("_", " ").strip()
    return plain.removeprefix("has ").removeprefix("is ") or plain


def sentence(fact: Fact, predicate: Predicate | None) -> str:
    """Return the fact in the first person: "My father is a commercial fisherman turned restaurant owner."."""
    if fact.predicate == NOTE:
        return _ended(fact.object)
    if predicate is None or not predicate.sentence:
        return _ended(f"My {predicate_words(fact.predicate)}: {fact.object}")
    for place, words_for in (("{object}", grammar.inline), ("{a object}", grammar.with_article)):
        if place in predicate.sentence:
            before, after = predicate.sentence.split(place, 1)
            return _ended(f"{before}{words_for(fact.object)}{after}")
    return _ended(grammar.joined(predicate.sentence, fact.object))


def _ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "…", '"', "”")) else f"{text}."


@dataclass(frozen=True, slots=True)
class FactTexts:
    """The texts of a fact that are embedded, so that questions find it."""

    sentence: str
    """In the first person, even if the author wrote about the character in the third."""
    labelled: str
    """Predicate and object: "father: Otto"."""
    questions: tuple[str, ...]
    """Questions from the author, the predicate and the predicate's topics."""
    general: tuple[str, ...]
    """Questions that any fact of the family may answer."""

    def __iter__(self) -> Iterator[str]:
        yield from (self.sentence, self.labelled, *self.questions, *self.general)


def texts(fact: Fact, predicate: Predicate | None, name: str = "") -> FactTexts:
    """Return the texts of a fact of the character called `name`."""
    family = FAMILIES.get(predicate.family) if predicate else None
    text = first_person(sentence(fact, predicate), name) if fact.predicate == NOTE else sentence(fact, predicate)
    labelled = text if fact.predicate == NOTE else f"{predicate_words(fact.predicate)}: {fact.object}"
    return FactTexts(text, labelled, questions(fact, predicate), family.questions if family else ())


def questions(fact: Fact, predicate: Predicate | None) -> tuple[str, ...]:
    """Return questions that this fact answers: the author's own first, then those of its predicate and topics."""
    if fact.predicate == NOTE:
        return fact.questions
    plain = predicate_words(fact.predicate)
    made = (f"What is your {plain}?", f"Do you have {grammar.with_article(plain)}?")
    registered = (predicate.question,) if predicate and predicate.question else made
    return tuple(dict.fromkeys((*fact.questions, *registered, *topics.questions(fact.predicate))))


def first_person(text: str, name: str) -> str:
    """Put "I" and "my" for a name that begins `text`: "Ann sold Ann's boat" -> "I sold my boat"."""
    first = words.without_possessive(text.split(" ", 1)[0]).lower()
    if len(first) < 3 or first not in words.tokens(name):
        return text
    name_pattern = re.compile(rf"\b{re.escape(first)}(['’]s)?", re.IGNORECASE)
    return name_pattern.sub(lambda match: "my" if match.group(1) else "I", text)


def all_texts(facts: Sequence[Fact], predicates: Mapping[str, Predicate], name: str = "") -> list[str]:
    """Return the `texts` of all facts, without duplicates."""
    return list(dict.fromkeys(text for fact in facts for text in texts(fact, predicates.get(fact.predicate), name)))


def category_words(family: str) -> frozenset[str]:
    """Return the stems that name this family."""
    known = FAMILIES.get(family)
    return known.words if known else frozenset()
