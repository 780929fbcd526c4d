"""Linting a draft, and mending it by one click.

A draft of a few facts is checked while its author waits; a larger one by a job, whose report is kept.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.authoring.lint import checks, findability, meanings, repeats, stored, usage
from characters.authoring.lint.findings import Finding
from characters.authoring.lint.models import LintReport
from characters.authoring.lint.usage import FactUse, fact_use_since
from characters.domain.facts import all_texts
from characters.domain.sheet import Sheet
from characters.profiles import vectors
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.accounts.models import User
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.rest.actions import Refused
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

JOB_KIND = "lint"
AT_ONCE = 300
"""Facts and questions of their own that are checked while somebody waits."""
CHANGED = "The draft has changed. Refresh the list."
PART = 512
"""Texts that are embedded between two words on how far a check is."""

TextVectors = dict[str, NDArray[np.float32]]
Tell = Callable[[int, int, str], None]
"""Told how far a check is: steps done, steps in all, what it does."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, contradictions first. `problem` is why meanings weren't compared, where they weren't.

    `checked_at` and `version` (of the draft) are those of a report that was kept; None for one that was made just now.
    """

    findings: tuple[Finding, ...]
    problem: str = ""
    checked_at: datetime | None = None
    version: int | None = None

    @property
    def contradictions(self) -> int:
        return sum(finding.is_contradiction for finding in self.findings)

    @property
    def remarks(self) -> int:
        return len(self.findings) - self.contradictions


def is_large(draft: Draft) -> bool:
    """Whether a job has to check it."""
    return sum(1 + len(fact["questions"]) for fact in draft.document["facts"]) > AT_ONCE


def report_of(draft: Draft) -> Report | None:
    """What is wrong with a draft: checked now, or what is left of the last job's report; None where there is none."""
    if not is_large(draft):
        return lint(draft)
    kept = LintReport.objects.filter(character=draft.character_id).first()
    if kept is None:
        return None
    findings = tuple(stored.read(kept.findings, stored.rows_of(draft.document)))
    return Report(findings, kept.problem, kept.checked_at, kept.version)


def start(character: Character, *, by: User | None) -> Job:
    """Let a worker check her draft. Its job tells how far it is."""
    return jobs.start(kind=JOB_KIND, subject=subject_of(character), by=by)


def subject_of(character: Character) -> str:
    """The subject of her jobs."""
    return f"character:{character.pk}"


def job_of(character: Character) -> Job | None:
    """The last check by a worker."""
    return Job.objects.filter(kind=JOB_KIND, subject=subject_of(character)).first()


def keep(draft: Draft, report: Report) -> None:
    """Keep what was found in this draft, in place of what was found before."""
    rows = stored.rows_of(draft.document)
    found = [stored.written(finding, rows) for finding in report.findings]
    said = {"version": draft.version, "findings": found, "problem": report.problem, "checked_at": timezone.now()}
    LintReport.objects.update_or_create(character=draft.character, defaults=said)


def _quietly(done: int, total: int, note: str) -> None:
    """Nobody wants to know."""


def lint(draft: Draft, tell: Tell = _quietly) -> Report:
    """Check a draft."""
    sheet, registry = draft.sheet, Predicate.objects.registry()
    found = [
        *checks.contradictions(sheet, registry),
        *checks.missing_bases(sheet, set(KnowledgeBase.objects.values_list("slug", flat=True))),
        *repeats.repeated_identity(sheet, registry),
        *usage.never_used(sheet, *_use(draft.character, sheet)),
    ]
    try:
        found += _by_meaning(draft.character, sheet, tell)
    except StoreError as error:  # the other checks need no embedder; the page says that these are left out
        return Report(tuple(found), f"Meanings weren’t compared: {error.message}")
    return Report(tuple(sorted(found, key=lambda finding: not finding.is_contradiction)))


def _by_meaning(character: Character, sheet: Sheet, tell: Tell) -> Iterator[Finding]:
    registry = Predicate.objects.registry()
    tried = findability.likely_questions(sheet, registry)
    texts = [*all_texts(sheet.facts, registry, sheet.name), *(said for each in tried.values() for said in each)]
    known = vectors_of(character, list(dict.fromkeys(texts)), tell)
    yield from meanings.duplicates(sheet.facts, registry, known, sheet.name)
    total = len(sheet.facts)
    yield from findability.not_findable(
        sheet,
        registry,
        known,
        tried,
        lambda more: vectors_of(character, more),
        lambda done: tell(done, total, "Trying questions for each fact"),
    )


def vectors_of(character: Character, texts: list[str], tell: Tell = _quietly) -> TextVectors:
    """Those of draft and live revision, and those that both lack, made now. Raises `StoreError`."""
    draft = Draft.objects.filter(character=character).first()
    live = character.live_revision
    known = {**(vectors.read(live) if live else {}), **(vectors.read(draft) if draft else {})}
    missing = sorted((text for text in texts if text not in known), key=len)  # batches of one length cost least
    for start in range(0, len(missing), PART):
        tell(start, len(missing), "Comparing the facts")
        part = missing[start : start + PART]
        known |= dict(zip(part, wiring.embedder().embed(part), strict=True))
    return known


def _use(character: Character, sheet: Sheet) -> tuple[FactUse, set[str]]:
    """How often facts came up since the live revision, and which could: those that it says as the draft does."""
    live = character.live_revision
    if live is None:
        return FactUse(), set()
    return fact_use_since(character.pk, live.created_at), {fact.id for fact in set(live.sheet.facts) & set(sheet.facts)}


def fix(character: Character, *, finding: str, number: int, by: User | None, tab: str = "") -> str:
    """Mend a finding of this id by the fix of this number; a sentence that says what was done.

    Raises `Refused` where the draft isn't so any more, or somebody else writes it.
    """
    draft = drafts.draft_of(character)
    report = report_of(draft)
    found = next((each for each in report.findings if each.id == finding), None) if report else None
    if found is None or not 0 <= number < len(found.fixes):
        raise Refused(CHANGED, status=409)
    chosen = found.fixes[number]

    def edits(now: Draft) -> tuple[Edit, ...]:
        if now.version != draft.version:
            raise Refused(CHANGED, status=409)
        return chosen.edits

    drafts.change(character, edits, by=by, tab=tab)
    return f"Done: {chosen.label}."
