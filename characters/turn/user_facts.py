"""User facts and common ground: what is known of the person, and what person and character share."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoredUserFact:
    """A fact about the person with what speaks for it."""

    id: str
    """"user_fact:12"."""
    predicate: str
    object: str
    """Id of its entity."""
    object_name: str
    sentence: str
    score: float
    lexical: float
    semantic: float
    confidence: float
    why: str = ""
    """Why it was dropped, where it was."""


@dataclass(frozen=True, slots=True)
class Shared:
    """An entity that facts of both sides name."""

    name: str
    entity: str
    """Id of the person's entity."""
    theirs: str
    """Id of the person's fact."""
    hers: str
    """Id of the character's fact in her sheet."""
    sentence: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class UserFacts:
    """The person's facts that go into the prompt, best first, and the common ground."""

    used: tuple[ScoredUserFact, ...] = ()
    dropped: tuple[ScoredUserFact, ...] = ()
    common: tuple[Shared, ...] = ()
    common_dropped: tuple[Shared, ...] = ()
    total: int = 0
    """Facts that are known of the person."""
    broad: bool = False
    gate: str = ""
    """Why the message asks about the person, or doesn't."""
    threshold: float = 0.0
    skipped: str = ""
