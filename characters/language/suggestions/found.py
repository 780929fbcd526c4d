"""A fact that a text seems to state, with the place where it does."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """`text[start:end]` is the sentence, or the line of a card, that says it."""

    predicate: str
    object: str
    start: int
    end: int
