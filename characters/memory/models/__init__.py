"""What characters remember of people: entities, user facts, and how messages relate.

Everything here belongs to one person; what one character learned no other one knows.
"""

from characters.memory.models.entities import KINDS, Alias, Entity, Mention
from characters.memory.models.facts import Evidence, UserFact
from characters.memory.models.relations import (
    RELATION_CLASSES,
    EnrichmentRun,
    MessageClass,
    Relation,
    RunProblem,
    Similarity,
)

__all__ = [
    "KINDS",
    "RELATION_CLASSES",
    "Alias",
    "EnrichmentRun",
    "Entity",
    "Evidence",
    "Mention",
    "MessageClass",
    "Relation",
    "RunProblem",
    "Similarity",
    "UserFact",
]
