"""Linting a draft, and mending it by one click."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from characters.profiles import vectors
from characters.profiles.drafts import parts
from characters.profiles.drafts import services as drafts
from characters.profiles.lint import asking, checks, meanings, usage
from characters.profiles.lint.findings import Finding
from characters.profiles.lint.usage import FactUse
from characters.profiles.models import Character, Draft, Predicate
from characters.turn.facts import all_texts
from characters.turn.sheet import Sheet
from kgadmin.accounts.models import User
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

TextVectors = dict[str, NDArray[np.float32]]


class FixError(ValueError):
    """This can't be mended so; the text says why."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, contradictions first. `problem` is why meanings weren't compared, where they weren't."""

    findings: tuple[Finding, ...]
    problem: str = ""

    @property
    def contradictions(self) -> int:
        return sum(finding.is_contradiction for finding in self.findings)

    @property
    def remarks(self) -> int:
        return len(self.findings) - self.contradictions


def lint(character: Character) -> Report:
    """Check her draft."""
    return _lint(drafts.draft_of(character))


def _lint(draft: Draft) -> Report:
    sheet, registry = draft.sheet, Predicate.objects.registry()
    found = [
        *checks.contradictions(sheet, registry),
        *checks.missing_bases(sheet, set(KnowledgeBase.objects.values_list("slug", flat=True))),
        *checks.repeated_identity(sheet, registry),
        *usage.never_used(sheet, *_use(draft.character, sheet)),
    ]
    try:
        found += _by_meaning(draft.character, sheet)
    except StoreError as error:  # the other checks need no embedder; the page says that these are left out
        return Report(tuple(found), f"Meanings weren’t compared: {error.message}")
    return Report(tuple(sorted(found, key=lambda finding: not finding.is_contradiction)))


def _by_meaning(character: Character, sheet: Sheet) -> list[Finding]:
    registry = Predicate.objects.registry()
    tried = asking.likely_questions(sheet, registry)
    texts = dict.fromkeys(
        [*all_texts(sheet.facts, registry, sheet.name), *(said for each in tried.values() for said in each)]
    )
    known = vectors_of(character, list(texts))
    return [
        *meanings.duplicates(sheet.facts, registry, known, sheet.name),
        *asking.not_findable(sheet, registry, known, tried),
    ]


def vectors_of(character: Character, texts: list[str]) -> TextVectors:
    """Those of draft and live revision, and, made in one batch, those that both lack. Raises `StoreError`."""
    draft = Draft.objects.filter(character=character).first()
    live = character.live_revision
    known = {**(vectors.read(live) if live else {}), **(vectors.read(draft) if draft else {})}
    missing = [text for text in texts if text not in known]
    if not missing:
        return known
    return {**known, **dict(zip(missing, wiring.embedder().embed(missing), strict=True))}


def _use(character: Character, sheet: Sheet) -> tuple[FactUse, set[str]]:
    """How often facts came up since the live revision, and which could: those that it says as the draft does."""
    live = character.live_revision
    if live is None:
        return FactUse(), set()
    return usage.counted(character, live.created_at), {fact.id for fact in set(live.sheet.facts) & set(sheet.facts)}


def fix(character: Character, *, finding: str, number: int, by: User | None) -> str:
    """Mend a finding of this id by the fix of this number; a sentence that says what was done.

    Raises `FixError` where the draft isn't so any more, `drafts.ConflictError` where somebody saves at the same time.
    """
    draft = drafts.draft_of(character)
    found = next((each for each in _lint(draft).findings if each.id == finding), None)
    if found is None or not 0 <= number < len(found.fixes):
        raise FixError("The draft isn’t so any more. Look at the list again.")
    chosen = found.fixes[number]
    seen = [replace(edit, was=parts.digest(parts.get(draft.document, edit.part))) for edit in chosen.edits]
    drafts.save(character, seen, by=by)
    return f"Done: {chosen.label}."
