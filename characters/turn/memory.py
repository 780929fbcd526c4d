"""Memory: earlier messages of this person that bear on this one, and what later ones make of them (seeds 003, 004)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Qualification:
    """A later message that is tied to a recollection by a typed relation."""

    id: str
    relation: str
    text: str
    when: str


@dataclass(frozen=True, slots=True)
class Recollection:
    """An earlier message of the person."""

    id: str
    """"message:7"."""
    text: str
    at: str
    """ISO date and time."""
    when: str
    """In words: "three weeks ago"."""
    score: float
    meaning: float
    """Cosine."""
    wording: float
    """BM25 over the message and its neighbours in time."""
    dated: float
    """1 on the day that the message names, -1 elsewhere, 0 where it names none."""
    reply: str = ""
    """What the character answered, quoted as its context."""
    qualified: tuple[Qualification, ...] = ()
    why: str = ""
    """Why it was dropped, where it was."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Recollections that go into the prompt, best first, and those that nearly did."""

    used: tuple[Recollection, ...] = ()
    dropped: tuple[Recollection, ...] = ()
    searched: int = 0
    """Messages of this person to this character."""
    threshold: float = 0.0
    skipped: str = ""
