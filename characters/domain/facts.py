"""A fact in words: the sentence that goes into the prompt, and the texts by which a question finds it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from characters.domain import grammar, lexicon, topics, words
from characters.domain.sheet import Fact, Predicate

NOTE = "NOTE"
"""The predicate of a fact that is a plain sentence."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of predicates: words that name it, and questions that somebody would ask about any of its facts."""

    words: frozenset[str]
    questions: tuple[str, ...]


def _families() -> Iterator[tuple[str, Family]]:
    for heading, lines in lexicon.read_blocks(Path(__file__).with_name("families.txt")):
        name, _, names = heading.partition(" | ")
        yield name, Family(frozenset(map(words.stem, names.split())), tuple(lines))


FAMILIES: Mapping[str, Family] = dict(_families())


def predicate_words(name: str) -> str:
    """HAS_FATHER -> "father", GREW_UP_IN -> "grew up in"."""
    plain = name.lower().replace("_", " ").strip()
    return plain.removeprefix("has ").removeprefix("is ") or plain


def sentence(fact: Fact, predicate: Predicate | None) -> str:
    """The fact as its owner would say it: "My father is a commercial fisherman turned restaurant owner."""
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
    """Everything of a fact that is embedded once: by these texts a question finds it."""

    sentence: str
    """In the first person, also where its author wrote about her in the third."""
    labelled: str
    """Predicate and object."""
    questions: tuple[str, ...]
    """Its author's own, its predicate's, and those of its topics."""
    general: tuple[str, ...]
    """Questions that any fact of its family answers."""

    def __iter__(self) -> Iterator[str]:
        yield from (self.sentence, self.labelled, *self.questions, *self.general)


def texts(fact: Fact, predicate: Predicate | None, name: str = "") -> FactTexts:
    """The texts of a fact of the character called `name`."""
    family = FAMILIES.get(predicate.family) if predicate else None
    text = first_person(sentence(fact, predicate), name) if fact.predicate == NOTE else sentence(fact, predicate)
    labelled = text if fact.predicate == NOTE else f"{predicate_words(fact.predicate)}: {fact.object}"
    return FactTexts(text, labelled, questions(fact, predicate), family.questions if family else ())


def questions(fact: Fact, predicate: Predicate | None) -> tuple[str, ...]:
    """What somebody would ask to hear this fact: its author's questions count like those that stand for its kind."""
    if fact.predicate == NOTE:
        return fact.questions
    plain = predicate_words(fact.predicate)
    made = (f"What is your {plain}?", f"Do you have {grammar.with_article(plain)}?")
    registered = (predicate.question,) if predicate and predicate.question else made
    return tuple(dict.fromkeys((*fact.questions, *registered, *topics.questions(fact.predicate))))


def first_person(text: str, name: str) -> str:
    """ "Ann sold her boat" -> "I sold my boat", where the text begins with a part of the character's name."""
    first = words.without_possessive(text.split(" ", 1)[0]).lower()
    if len(first) < 3 or first not in words.tokens(name):
        return text
    name_pattern = re.compile(rf"\b{re.escape(first)}(['’]s)?", re.IGNORECASE)
    return name_pattern.sub(lambda match: "my" if match.group(1) else "I", text)


def all_texts(facts: Sequence[Fact], predicates: Mapping[str, Predicate], name: str = "") -> list[str]:
    """`texts` of every fact, each text once."""
    return list(dict.fromkeys(text for fact in facts for text in texts(fact, predicates.get(fact.predicate), name)))


def category_words(family: str) -> frozenset[str]:
    """Stems that name this family."""
    known = FAMILIES.get(family)
    return known.words if known else frozenset()
