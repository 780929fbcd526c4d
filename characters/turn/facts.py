"""A fact in words: the sentence that goes into the prompt, and the texts by which a question finds it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from characters.turn import grammar
from characters.turn.sheet import Concept, Fact, Predicate
from kgadmin import words

NOTE = "NOTE"
"""The predicate of a fact that is a plain sentence."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of predicates: words that name it, and questions that somebody would ask about any of its facts."""

    words: frozenset[str]
    questions: tuple[str, ...]


def _family(names: str, *questions: str) -> Family:
    return Family(frozenset(words.stem(name) for name in names.split()), questions)


FAMILIES: Mapping[str, Family] = {
    "identity": _family("identity", "Who are you?", "What are you?"),
    "origin": _family(
        "origin origins background heritage roots hometown childhood born",
        "Where are you from?",
        "Where were you born?",
        "What is your background?",
        "What was your childhood like?",
    ),
    "family": _family(
        "family relatives parents siblings kin folks",
        "How is your family?",
        "Tell me about your parents.",
        "Do you have any brothers or sisters?",
        "Are you close to your family?",
    ),
    "work": _family(
        "work job career profession occupation living",
        "What do you do for a living?",
        "What is your job?",
        "How is work going?",
        "How did your career begin?",
    ),
    "education": _family("education school studies degree", "What did you study?", "Where did you go to school?"),
    "home": _family("home house apartment live", "Where do you live?", "What is your home like?"),
    "taste": _family(
        "like likes love favourite favorite hobby hobbies prefer enjoy interests",
        "What do you like?",
        "What is your favourite?",
        "What do you do in your free time?",
        "What are your hobbies?",
    ),
    "opinion": _family("opinion opinions view views believe think", "What do you believe in?", "What is your opinion?"),
    "dream": _family(
        "dream dreams goal goals ambition hope plans",
        "What is your dream?",
        "What do you hope for?",
        "What are your plans?",
    ),
    "habit": _family("habit habits routine", "What do you do every day?", "What is your daily routine?"),
    "health": _family("health allergy allergies illness", "How is your health?", "Are you allergic to anything?"),
    "friends": _family("friend friends", "Who are your friends?", "Who is your best friend?"),
    "memory": _family("memory memories remember", "What is a memory you treasure?", "What do you remember?"),
    "personality": _family(
        "personality character qualities strengths weaknesses flaws",
        "What are you like?",
        "What are your best qualities?",
        "How would you describe your personality?",
    ),
    "fear": _family("fear fears afraid scared", "What are you afraid of?"),
    "skill": _family("skill skills talent talents ability languages", "What are you good at?"),
}


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


def questions(fact: Fact, predicate: Predicate | None) -> tuple[str, ...]:
    """What somebody would ask to hear this fact."""
    plain = predicate_words(fact.predicate)
    own = (predicate.question,) if predicate and predicate.question else (f"What is your {plain}?",)
    family = FAMILIES.get(predicate.family) if predicate else None
    return (*own, *fact.questions, *(family.questions if family else ()))


def texts(fact: Fact, predicate: Predicate | None) -> tuple[str, ...]:
    """Everything of this fact that is embedded once, at publishing: sentence, predicate and object, questions."""
    labelled = f"{predicate_words(fact.predicate)}: {fact.object}"
    return (sentence(fact, predicate), labelled, *questions(fact, predicate))


def all_texts(facts: Sequence[Fact], predicates: Mapping[str, Predicate]) -> list[str]:
    """`texts` of every fact, each text once."""
    return list(dict.fromkeys(text for fact in facts for text in texts(fact, predicates.get(fact.predicate))))


@dataclass(frozen=True, slots=True)
class FactIndex:
    """The facts of one sheet, ready to be searched. Row i of every array is fact i."""

    facts: tuple[Fact, ...]
    sentences: tuple[str, ...]
    families: tuple[str, ...]
    object_stems: tuple[frozenset[str], ...]
    predicate_stems: tuple[frozenset[str], ...]
    concept_stems: tuple[frozenset[str], ...]
    """Stems of the family's words and of the sheet's concepts that the predicate belongs to."""
    sentence_vectors: NDArray[np.float32]
    labelled_vectors: NDArray[np.float32]
    own_question_vectors: NDArray[np.float32]
    family_question_vectors: NDArray[np.float32]
    """Shape (questions, dimensions); `family_rows[i]` are the rows of fact i."""
    family_rows: tuple[tuple[int, ...], ...]
    missing: int
    """Facts without vectors: only words find them."""


def build_index(
    facts: Sequence[Fact],
    predicates: Mapping[str, Predicate],
    concepts: Sequence[Concept],
    vectors: Mapping[str, NDArray[np.float32]],
) -> FactIndex:
    """Index `facts`; a text that `vectors` lacks counts as similar to nothing."""
    dimensions = next((len(vector) for vector in vectors.values()), 1)
    zero = np.zeros(dimensions, dtype=np.float32)
    registered = [predicates.get(fact.predicate) for fact in facts]
    rows = [texts(fact, predicate) for fact, predicate in zip(facts, registered, strict=True)]
    families = [predicate.family if predicate else "other" for predicate in registered]
    family_texts = list(dict.fromkeys(text for row in rows for text in row[3:]))
    place = {text: position for position, text in enumerate(family_texts)}

    def stacked(chosen: Sequence[str]) -> NDArray[np.float32]:
        return (
            np.stack([vectors.get(text, zero) for text in chosen]) if chosen else np.zeros((0, dimensions), np.float32)
        )

    return FactIndex(
        facts=tuple(facts),
        sentences=tuple(row[0] for row in rows),
        families=tuple(families),
        object_stems=tuple(frozenset(words.stems(fact.object)) for fact in facts),
        predicate_stems=tuple(frozenset(words.stems(predicate_words(fact.predicate))) for fact in facts),
        concept_stems=tuple(
            _concept_stems(fact.predicate, family, concepts) for fact, family in zip(facts, families, strict=True)
        ),
        sentence_vectors=stacked([row[0] for row in rows]),
        labelled_vectors=stacked([row[1] for row in rows]),
        own_question_vectors=stacked([row[2] for row in rows]),
        family_question_vectors=stacked(family_texts),
        family_rows=tuple(tuple(place[text] for text in row[3:]) for row in rows),
        missing=sum(row[0] not in vectors for row in rows),
    )


def category_words(family: str) -> frozenset[str]:
    """Stems that name this family."""
    known = FAMILIES.get(family)
    return known.words if known else frozenset()


def _concept_stems(predicate: str, family: str, concepts: Sequence[Concept]) -> frozenset[str]:
    """Words that name a category of this predicate: its family's, and those of the sheet's concepts.

    A concept that a family has a word for ("career") brings the family's other words along ("job").
    """
    names = [concept.name for concept in concepts if predicate in concept.predicates]
    named = {words.stem(word) for name in names for word in words.tokens(name)}
    known = [each.words for name, each in FAMILIES.items() if name == family or named & each.words]
    return frozenset(named.union(*known))
