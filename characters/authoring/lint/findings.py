"""Findings of lint in a sheet, and the fixes that would mend it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from characters.authoring.drafts.services import Edit
from characters.domain.sheet import Fact, Persona
from characters.profiles import documents

Kind = Literal[
    "contradiction", "duplicate", "not findable", "never used", "repeated identity", "missing base", "needless keyword"
]


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix by one click: `edits` go into the draft together."""

    label: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to look at. `facts` are the ids of the facts concerned, `tried` the questions that didn't find one."""

    kind: Kind
    sentence: str
    facts: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    tried: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Hash of kind, sentence and facts, by which a page names the finding."""
        text = "\n".join((self.kind, self.sentence, *self.facts))
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def labels(self) -> list[str]:
        """Labels of the fixes, which say what a click does."""
        return [fix.label for fix in self.fixes]

    @property
    def is_contradiction(self) -> bool:
        """Whether the sheet can't be right as it is; other findings are remarks."""
        return self.kind in {"contradiction", "missing base"}


def fact_row(fact: Fact, questions: Sequence[str]) -> dict[str, Any]:
    """Return the fact's row in a document, with these questions."""
    return documents.fact_row(fact) | {"questions": list(questions)}


def removing(*facts: Fact) -> tuple[Edit, ...]:
    """Return edits that remove facts from the draft."""
    return tuple(Edit(f"fact:{fact.id}", None) for fact in facts)


def keeping_one(facts: Sequence[Fact]) -> tuple[Fix, ...]:
    """Return a fix per fact, which removes the others and gives this one their questions."""
    names = {fact.predicate for fact in facts}
    return tuple(
        Fix(f"Keep {f'{fact.predicate} ' if len(names) > 1 else ''}“{fact.object}”", _merged(fact, facts))
        for fact in facts
    )


def _merged(fact: Fact, facts: Sequence[Fact]) -> tuple[Edit, ...]:
    others = [other for other in facts if other.id != fact.id]
    questions = tuple(dict.fromkeys([*fact.questions, *(asked for other in others for asked in other.questions)]))
    edits = () if questions == fact.questions else (Edit(f"fact:{fact.id}", fact_row(fact, questions)),)
    return (*edits, *removing(*others))


def without_base(persona: Persona, base: str) -> Edit:
    """Return an edit that removes a base from a persona."""
    bases = tuple(each for each in persona.bases if each != base)
    return Edit(f"persona:{persona.slug}", documents.persona_row(replace(persona, bases=bases)))


def without_keyword(persona: Persona, keyword: str) -> Edit:
    """Return an edit that removes a keyword from a persona."""
    keywords = tuple(each for each in persona.keywords if each != keyword)
    return Edit(f"persona:{persona.slug}", documents.persona_row(replace(persona, keywords=keywords)))
