"""Ambient connections: what the graph knows of the entities that the message names (seed 004)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """The six parts of the score, each in [0, 1], before their weights."""

    direct: float
    recency: float
    frequency: float
    trust: float
    novelty: float
    anchor: float


@dataclass(frozen=True, slots=True)
class Connection:
    """A fact that came up by itself. `subject` and `object` are ids of nodes ("person:1", "character:3", "entity:7")."""

    id: str
    """"user_fact:12", or "fact:ID" of the character's sheet."""
    sentence: str
    subject: str
    predicate: str
    object: str
    seed: str
    """Id of the entity from which it was reached."""
    depth: int
    score: float
    parts: ScoreParts
    why: str = ""
    """Why it was dropped, where it was."""


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity that the message names."""

    id: str
    name: str
    text: str
    """As it stands in the message."""
    whose: str
    """"person" or "character"."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the drawing. `kind` is "person", "character" or an entity's kind."""

    id: str
    name: str
    kind: str
    named: bool = False
    """Whether the message names it."""


@dataclass(frozen=True, slots=True)
class Ambient:
    """Connections that go into the prompt, best first, those that don't, and the small graph of both."""

    named: tuple[NamedEntity, ...] = ()
    used: tuple[Connection, ...] = ()
    dropped: tuple[Connection, ...] = ()
    nodes: tuple[Node, ...] = ()
    depth: int = 1
    threshold: float = 0.5
    explored: bool = False
    """The message asks what is remembered: deeper, and what was said lately is said again."""
    skipped: str = ""
