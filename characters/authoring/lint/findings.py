"""What a check finds wrong with a sheet, and what would mend it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from characters.authoring.drafts.services import Edit
from characters.domain.sheet import Fact, Persona

Kind = Literal["contradiction", "duplicate", "not findable", "never used", "repeated identity", "missing base"]


@dataclass(frozen=True, slots=True)
class Fix:
    """One click. `edits` go into the draft together."""

    label: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to look at. `facts` are the ids of those concerned, `tried` the questions that didn't find one."""

    kind: Kind
    sentence: str
    facts: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    tried: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Names it as long as it is found."""
        told = "\n".join((self.kind, self.sentence, *self.facts))
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    @property
    def labels(self) -> list[str]:
        """What a click on each fix would do."""
        return [fix.label for fix in self.fixes]

    @property
    def is_contradiction(self) -> bool:
        """Whether the sheet can't be right as it is; the others are remarks."""
        return self.kind in {"contradiction", "missing base"}


def fact_row(fact: Fact, **changed: Any) -> dict[str, Any]:
    """The fact as its document has it."""
    row = {"id": fact.id, "predicate": fact.predicate, "object": fact.object, "questions": list(fact.questions)}
    return row | changed


def removing(*facts: Fact) -> tuple[Edit, ...]:
    """Take facts out of the draft."""
    return tuple(Edit(f"fact:{fact.id}", None) for fact in facts)


def keeping_one(facts: Sequence[Fact]) -> tuple[Fix, ...]:
    """A fix per fact: it stays, the others go; their own questions come to it."""
    names = {fact.predicate for fact in facts}
    return tuple(
        Fix(f"Keep {f'{fact.predicate} ' if len(names) > 1 else ''}“{fact.object}”", _kept(fact, facts))
        for fact in facts
    )


def _kept(fact: Fact, facts: Sequence[Fact]) -> tuple[Edit, ...]:
    others = [each for each in facts if each.id != fact.id]
    questions = list(dict.fromkeys([*fact.questions, *(said for each in others for said in each.questions)]))
    merged = (
        () if questions == list(fact.questions) else (Edit(f"fact:{fact.id}", fact_row(fact, questions=questions)),)
    )
    return (*merged, *removing(*others))


def without_base(persona: Persona, base: str) -> Edit:
    """The persona without one of its bases."""
    return Edit(
        f"persona:{persona.slug}",
        {
            "slug": persona.slug,
            "name": persona.name,
            "instructions": persona.instructions,
            "bases": [each for each in persona.bases if each != base],
            "keywords": list(persona.keywords),
        },
    )
