"""What a check finds, and what all checks look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from characters.domain.facts import sentence
from characters.domain.sheet import Fact, Predicate, Sheet

Outcome = Literal["good", "warn", "bad", "not judged"]
Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Found:
    """The verdict of one check: `summary` is a sentence for the operator, `evidence` what it goes by."""

    outcome: Outcome
    summary: str
    version: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """Something that holds, or may hold, of the character, beside which a proposal is put."""

    kind: Literal["core", "learned", "identity", "proposal"]
    id: str
    predicate: str
    object: str
    said: str
    """As a sentence in the first person."""
    vector: Vector | None = None

    def told(self) -> dict[str, str]:
        """For the evidence."""
        return {"kind": self.kind, "id": self.id, "predicate": self.predicate, "object": self.object, "said": self.said}


@dataclass(frozen=True, slots=True)
class Proposed:
    """The statement that is judged."""

    predicate: str
    object: str
    said: str
    meaning: str
    vector: Vector | None
    sheet: Sheet
    registry: Mapping[str, Predicate]

    @property
    def only_one(self) -> bool:
        """Whether a character can have one object of this predicate only."""
        known = self.registry.get(self.predicate)
        return known is not None and not known.many


def said(fact: Fact, registry: Mapping[str, Predicate]) -> str:
    """A fact as a sentence."""
    return sentence(fact, registry.get(fact.predicate))
