"""What a character's reply states of herself."""

from dataclasses import dataclass

MAX_OBJECT = 200
"""Characters of an object. A longer one is no statement that somebody could decide."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the character about herself.

    `reply[start:end]` are the words that make it, `sentence` is the sentence that they stand in. `certainty`, from 0
    to 1, says how sure it is that she states this; a hedge ("I guess I like") lowers it.
    """

    predicate: str
    object: str
    start: int
    end: int
    sentence: str
    certainty: float
    hedged: bool = False
