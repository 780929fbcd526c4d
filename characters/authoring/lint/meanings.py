"""Find facts that say the same in other words, by their sentences' similarity and the words that they share."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from characters.authoring.lint.findings import Finding, keeping_one
from characters.authoring.lint.opposites import AGAINST, FOR, Registry
from characters.domain import words
from characters.domain.facts import NOTE, sentence, texts
from characters.domain.sheet import Fact
from characters.language.contradictions import denies

ALIKE = 0.70
"""Similarity from which two sentences may say the same."""
SHORT, LONG = ((0.80, 0.34),), ((0.70, 0.50), (0.80, 0.34), (0.85, 0.20))
"""Pairs of least similarity and least share of words in common, of which one must hold: green tea is near to black tea.
`LONG` is for two objects of one predicate, both of several words; `SHORT` for all others.
"""
SEVERAL = 3
"""Content words from which an object counts as long."""

BLOCK = 512
"""Facts that are compared with all others at once."""
MOST_OF_A_BLOCK = 2_000
"""Nearest pairs of a block that are examined."""
MOST = 200
"""Pairs that are reported: a sheet that says one thing in a thousand ways has millions. Others follow once these go.
"""

FEW = 2
"""Most content words of a thing of which a longer text names a kind: green tea, iced green tea."""
FEW_OF_KINDS = 4
"""Most content words of texts that name two kinds of a thing, each with a word of its own."""
_MORE = re.compile(r"[,;:(—]|\b(?:at|in|who|which|that|since|from)\b")
_DOING = re.compile(r"(?:to )?[a-z]+ (?:an?|the|my|our|some) ", re.IGNORECASE)

_FIRST_PERSON = frozenset(("I", "I'm", "I've", "I'd", "I'll"))

Vectors = Mapping[str, NDArray[np.float32]]


def duplicates(facts: Sequence[Fact], registry: Registry, vectors: Vectors, name: str) -> Iterator[Finding]:
    """Yield the nearest duplicates of the character called `name`, at most `MOST`; facts need a vector."""
    return islice(_duplicates(facts, registry, vectors, name), MOST)


def _duplicates(facts: Sequence[Fact], registry: Registry, vectors: Vectors, name: str) -> Iterator[Finding]:
    embedded = [texts(fact, registry.get(fact.predicate), name).sentence for fact in facts]
    known = [fact for fact, text in zip(facts, embedded, strict=True) if text in vectors]
    if len(known) < 2:
        return
    matrix = np.stack([vectors[text] for text in embedded if text in vectors])
    pairs = [pair for block in _alike(matrix, _groups(known)) for pair in block]
    for near, row, column in sorted(pairs, key=lambda pair: (-pair[0], pair[1:])):
        first, second = known[row], known[column]
        if _may_be_one(first, second, near, registry):
            sentences = [sentence(fact, registry.get(fact.predicate)) for fact in (first, second)]
            message = f"“{sentences[0]}” and “{sentences[1]}” mean nearly the same ({near:.2f})."
            yield Finding("duplicate", message, (first.id, second.id), keeping_one((first, second)))


def _groups(facts: Sequence[Fact]) -> NDArray[np.intp]:
    """Return a group number per fact; facts of a group don't differ in names, numbers, disliking or denying."""
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(_tells_apart(fact), len(numbers)) for fact in facts])


def _alike(matrix: NDArray[np.float32], groups: NDArray[np.intp]) -> Iterator[list[tuple[float, int, int]]]:
    """Yield similarity and rows of pairs that may say the same, block by block to save memory."""
    for start in range(0, len(matrix), BLOCK):
        near = matrix[start : start + BLOCK] @ matrix[start:].T
        same = groups[start : start + BLOCK, None] == groups[None, start:]
        rows, columns = np.nonzero(np.triu((near >= ALIKE) & same, k=1))
        values = near[rows, columns]
        nearest = np.argsort(-values, kind="stable")[:MOST_OF_A_BLOCK]
        yield [(float(values[at]), start + int(rows[at]), start + int(columns[at])) for at in nearest]


def _may_be_one(first_fact: Fact, second_fact: Fact, near: float, registry: Registry) -> bool:
    """Return whether the facts share enough words for this similarity, and their predicates may say the same."""
    texts = _compared(first_fact, second_fact, registry)
    first, second = (set(words.stems(text)) for text in texts)
    shared = len(first & second) / len(first | second) if first and second else 0.0
    is_long = first_fact.predicate == second_fact.predicate and min(len(first), len(second)) >= SEVERAL
    enough = any(near >= least and shared >= share for least, share in (LONG if is_long else SHORT))
    return enough and not _is_narrower(*texts) and _kinds_agree(first_fact, second_fact, registry)


def _compared(first: Fact, second: Fact, registry: Registry) -> tuple[str, str]:
    """Return the two objects, or the two sentences if only one fact is a note."""
    if (first.predicate == NOTE) == (second.predicate == NOTE):
        return first.object, second.object
    return sentence(first, registry.get(first.predicate)), sentence(second, registry.get(second.predicate))


def _is_narrower(first: str, second: str) -> bool:
    """Return whether one is a kind of the other (iced tea, tea), or both are of one thing (with honey, with lemon)."""
    short, long = sorted((words.stems(first), words.stems(second)), key=len)
    common = set(short) & set(long)
    if set(short) < set(long):
        return len(short) <= FEW and _core(first) != _core(second)
    is_kind = common not in ({*short}, {*long}) and len(long) <= FEW_OF_KINDS
    return is_kind and not _verbs_differ(first, second, common)


def _core(text: str) -> list[str]:
    """Return the stems before details begin."""
    return words.stems(_MORE.split(text, maxsplit=1)[0])


def _verbs_differ(first: str, second: str, common: set[str]) -> bool:
    """Return whether only the verbs differ: "open a nursery", "founding a nursery"."""
    return all(_DOING.match(text) and {*words.stems(text)[1:]} == common for text in (first, second))


def _tells_apart(fact: Fact) -> tuple[frozenset[str], bool, bool]:
    """Return the object's names and numbers, whether the fact is a dislike, and whether the object denies."""
    tokens = fact.object.replace("’", "'").split()
    plain = [word.strip(".,;:!?()\"'“”") for word in tokens]
    names = {
        word.lower() for place, word in enumerate(plain) if place and word[:1].isupper() and word not in _FIRST_PERSON
    }
    rare = {
        word.lower() for word in plain[:1] if word not in _FIRST_PERSON and words.rarity(word.lower()) >= words.UNKNOWN
    }
    numbers = {word for word in plain if any(each.isdigit() for each in word)}
    return frozenset(names | rare | numbers), fact.predicate in AGAINST, denies(fact.object)


def _kinds_agree(first: Fact, second: Fact, registry: Registry) -> bool:
    """Return whether the predicates may say the same: not two predicates of relatives, each another person."""
    if first.predicate == second.predicate or {first.predicate, second.predicate} <= FOR:
        return True
    families = [registry[each.predicate].family if each.predicate in registry else "other" for each in (first, second)]
    return "family" not in families
