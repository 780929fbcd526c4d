"""The facts of one sheet, ready for search: matrices of vectors, and the facts by word."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from characters.domain import words
from characters.domain.facts import FAMILIES, category_words, predicate_words, sentence, texts
from characters.domain.sheet import Concept, Fact, Predicate, is_learned

Floats = NDArray[np.float32]
Places = NDArray[np.intp]
Related = Mapping[str, Collection[str]]
"""Names of the concepts that a fact belongs to, by fact id."""

FACT_BYTES = 5_000
"""Memory per fact in bytes, most of it vectors."""
BROAD_LIMIT = 8
_BROAD_ORDER = ("identity", "work", "origin", "family", "taste", "dream", "personality", "education", "home", "opinion")


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts that facts share, each with one vector. `places[starts[i] : starts[i + 1]]` are those of fact i."""

    vectors: Floats
    """Vectors of the texts; the last row is zero, for facts without a text."""
    places: Places
    starts: Places
    texts: tuple[str, ...] = ()

    def best(self, vector: Floats) -> Floats:
        """Return each fact's highest similarity to the vector."""
        if not len(self.starts):
            return np.zeros(0, dtype=np.float32)
        similar: Floats = np.maximum.reduceat((self.vectors @ vector)[self.places], self.starts)
        return similar

    def nearest(self, fact: int, vector: Floats) -> str:
        """Return the fact's text that is most similar to the vector."""
        end = self.starts[fact + 1] if fact + 1 < len(self.starts) else len(self.places)
        places = self.places[self.starts[fact] : end]
        place = int(places[int((self.vectors[places] @ vector).argmax())])
        return self.texts[place] if place < len(self.texts) else ""


@dataclass(frozen=True, slots=True)
class FactIndex:
    """Facts as arrays; row i of every array is fact i."""

    facts: tuple[Fact, ...]
    sentences: tuple[str, ...]
    families: tuple[str, ...]
    sentence_vectors: Floats
    labelled_vectors: Floats
    questions: Texts
    general: Texts
    known: NDArray[np.bool_]
    """Whether each fact has vectors; the others are found by words only."""
    is_asked_for: NDArray[np.bool_]
    """Whether each fact has ready-made questions; a plain sentence has only its author's."""
    with_stem: Mapping[str, Places]
    named_by: Mapping[str, Places]
    members: Mapping[str, Places]
    """Facts of a category, by stem of its name: a family or one of the sheet's concepts."""
    core: Mapping[str, Places]
    broad: tuple[int, ...]
    """Answers to a general question: the first facts of each family in turn."""

    @property
    def missing(self) -> int:
        """Return the facts without vectors."""
        return int((~self.known).sum())

    @property
    def dimensions(self) -> int:
        """Return the dimensions of the vectors."""
        return int(self.sentence_vectors.shape[1])


def build_index(
    facts: Sequence[Fact],
    predicates: Mapping[str, Predicate],
    concepts: Sequence[Concept],
    vectors: Mapping[str, Floats],
    name: str = "",
    related: Related | None = None,
) -> FactIndex:
    """Index the facts of the character called `name`; `related` replaces `concepts` where it is known.
    A text missing in `vectors` is similar to nothing.
    """
    related = _related(facts, concepts) if related is None else related
    registered = [predicates.get(fact.predicate) for fact in facts]
    families = [predicate.family if predicate else "other" for predicate in registered]
    in_families = list(zip(facts, families, strict=True))
    of_sheet = [family for fact, family in in_families if not is_learned(fact.id)]
    rows = [texts(fact, predicate, name) for fact, predicate in zip(facts, registered, strict=True)]
    return FactIndex(
        facts=tuple(facts),
        sentences=tuple(sentence(fact, predicate) for fact, predicate in zip(facts, registered, strict=True)),
        families=tuple(families),
        sentence_vectors=_stacked([row.sentence for row in rows], vectors),
        labelled_vectors=_stacked([row.labelled for row in rows], vectors),
        questions=_shared([row.questions for row in rows], vectors),
        general=_shared([row.general for row in rows], vectors),
        known=np.array([row.sentence in vectors for row in rows], dtype=bool),
        is_asked_for=np.array([bool(row.questions) for row in rows], dtype=bool),
        with_stem=_inverted(words.stems(fact.object) for fact in facts),
        named_by=_inverted(words.stems(predicate_words(fact.predicate)) for fact in facts),
        members=_inverted(_categories(family, related.get(fact.id, ())) for fact, family in in_families),
        core=_inverted(category_words(family) for family in families),
        broad=tuple(in_turn(of_sheet, _BROAD_ORDER)[:BROAD_LIMIT]),
    )


def _stacked(chosen: Sequence[str], vectors: Mapping[str, Floats]) -> Floats:
    dimensions = next((len(vector) for vector in vectors.values()), 1)
    zero = np.zeros(dimensions, dtype=np.float32)
    return np.stack([vectors.get(text, zero) for text in chosen]) if chosen else np.zeros((0, dimensions), np.float32)


def _shared(rows: Sequence[Sequence[str]], vectors: Mapping[str, Floats]) -> Texts:
    texts = list(dict.fromkeys(text for row in rows for text in row))
    place = {text: number for number, text in enumerate(texts)}
    places = [[place[text] for text in row] or [len(texts)] for row in rows]
    vectors = {**vectors, "": np.zeros_like(next(iter(vectors.values())))} if vectors else {}
    return Texts(
        vectors=_stacked([*texts, ""], vectors),
        places=np.array([number for row in places for number in row], dtype=np.intp),
        starts=np.cumsum([0, *map(len, places)], dtype=np.intp)[: len(places)],
        texts=tuple(texts),
    )


def _inverted(rows: Iterable[Iterable[str]]) -> Mapping[str, Places]:
    by_stem: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for stem in dict.fromkeys(row):
            by_stem.setdefault(stem, []).append(number)
    return {stem: np.array(numbers, dtype=np.intp) for stem, numbers in by_stem.items()}


def _related(facts: Sequence[Fact], concepts: Sequence[Concept]) -> Related:
    by_predicate: dict[str, list[str]] = {}
    for concept in concepts:
        for predicate in concept.predicates:
            by_predicate.setdefault(predicate, []).append(concept.name)
    return {fact.id: by_predicate[fact.predicate] for fact in facts if fact.predicate in by_predicate}


def _categories(family: str, concepts: Collection[str]) -> frozenset[str]:
    """Return the words that name a fact's family and concepts; a concept in a family's words ("career") adds the
    others.
    """
    named = {words.stem(word) for name in concepts for word in words.tokens(name)}
    return frozenset(named.union(*_known_words(family, frozenset(named))))


@lru_cache(maxsize=1_000)
def _known_words(family: str, named: frozenset[str]) -> tuple[frozenset[str], ...]:
    return tuple(each.words for name, each in FAMILIES.items() if name == family or named & each.words)


def in_turn(families: Iterable[str], order: Sequence[str]) -> list[int]:
    """Return fact numbers in turn: the first of each family, in `order`, then the second of each, and so on."""
    ranks = {family: rank for rank, family in enumerate(order)}
    counted = Counter[str]()
    places = []
    for number, family in enumerate(families):
        places.append((counted[family], ranks.get(family, len(ranks)), number))
        counted[family] += 1
    return [number for *_, number in sorted(places)]
