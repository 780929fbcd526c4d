"""Lint a draft, at once or (many facts) in a job that stores a report, and fix findings by one click."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.utils import timezone

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.authoring.lint import checks, findability, keywords, meanings
from characters.authoring.lint.checks import FactUse, fact_use_since
from characters.authoring.lint.findings import Finding, Fix
from characters.authoring.models import LintReport
from characters.domain.facts import all_texts
from characters.domain.sheet import Sheet
from characters.profiles import vectors
from characters.profiles.models import Character, Draft, Predicate
from kgadmin.accounts.models import User
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.rest.actions import Refused
from kgadmin.stores.errors import StoreError

JOB_KIND = "lint"
AT_ONCE = 300
"""Most facts, together with their own questions, that are checked while somebody waits."""
CHANGED = "The draft has changed. Refresh the list."
Progress = Callable[[int, int, str], None]
"""Callback for progress: steps done, steps in all, the current step."""


@dataclass(frozen=True, slots=True)
class Lint:
    """Findings in a draft, contradictions first; a job checks a draft of many facts."""

    findings: tuple[Finding, ...] = ()
    problem: str = ""
    """Why meanings weren't compared."""
    is_large: bool = False
    job: Job | None = None
    checked_at: datetime | None = None
    version: int | None = None
    """The draft's version that the job checked; None before."""

    @property
    def contradictions(self) -> int:
        return sum(finding.is_contradiction for finding in self.findings)

    @property
    def remarks(self) -> int:
        return len(self.findings) - self.contradictions

    @property
    def is_checked(self) -> bool:
        return not self.is_large or self.version is not None

    @property
    def state(self) -> str:
        """The job's state; without one "done", or "unchecked" if a job must check the draft first."""
        return self.job.state if self.job else "done" if self.is_checked else "unchecked"

    @property
    def notice(self) -> str:
        """Why the check failed, or meanings weren't compared."""
        return (self.job.error if self.job else "") or self.problem


def lint_of(draft: Draft) -> Lint:
    """Return findings in a draft: checked now, or for a large one those of the last job's report that still hold."""
    if not is_large(draft):
        return lint(draft)
    job = Job.objects.filter(kind=JOB_KIND, subject=draft.character.graph_id).first()
    row = LintReport.objects.filter(character=draft.character_id).first()
    if row is None:
        return Lint(is_large=True, job=job)
    findings = tuple(_still_true(row.findings, _rows_of(draft.document)))
    return Lint(findings, row.problem, is_large=True, job=job, checked_at=row.checked_at, version=row.version)


def is_large(draft: Draft) -> bool:
    """Return whether a job has to check the draft."""
    return sum(1 + len(fact["questions"]) for fact in draft.document["facts"]) > AT_ONCE


def _rows_of(document: parts.Document) -> dict[str, Any]:
    return {"identity": document.get("identity"), **parts.rows(document)}


def _parts_of(finding: Finding) -> set[str]:
    """Return the parts that a finding is about; it stays true until they change."""
    concerned = {f"fact:{id}" for id in finding.facts}
    concerned |= {edit.part for fix in finding.fixes for edit in fix.edits}
    return concerned | ({"identity"} if finding.kind == "repeated identity" else set())


def _as_json(finding: Finding, rows: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": finding.kind,
        "sentence": finding.sentence,
        "facts": list(finding.facts),
        "tried": list(finding.tried),
        "fixes": [[fix.label, [[edit.part, edit.value] for edit in fix.edits]] for fix in finding.fixes],
        "seen": {part: parts.digest(rows.get(part)) for part in sorted(_parts_of(finding))},
    }


def _still_true(findings: list[dict[str, Any]], rows: dict[str, Any]) -> Iterator[Finding]:
    """Yield the stored findings that still hold for these rows."""
    digests: dict[str, str] = {}
    for finding in findings:
        for part in finding["seen"].keys() - digests.keys():
            digests[part] = parts.digest(rows.get(part))
        if all(digests[part] == was for part, was in finding["seen"].items()):
            fixes = ((label, tuple(Edit(part, value) for part, value in edits)) for label, edits in finding["fixes"])
            yield Finding(
                finding["kind"],
                finding["sentence"],
                tuple(finding["facts"]),
                tuple(Fix(*fix) for fix in fixes),
                tuple(finding["tried"]),
            )


def start(character: Character, *, by: User | None) -> Job:
    """Start a job that checks the draft."""
    return jobs.start(kind=JOB_KIND, subject=character.graph_id, by=by)


def run(job: Job) -> None:
    """Check the draft of the job's subject, "character:3", and replace the stored report."""
    character = Character.objects.filter(pk=job.subject.rpartition(":")[2]).first()
    if character is None:
        return
    draft = drafts.draft_of(character)
    report = lint(draft, lambda done, total, note: job.progress(done=done, total=total, note=note))
    rows = _rows_of(draft.document)
    values = {
        "version": draft.version,
        "findings": [_as_json(finding, rows) for finding in report.findings],
        "problem": report.problem,
        "checked_at": timezone.now(),
    }
    LintReport.objects.update_or_create(character=character, defaults=values)


def lint(draft: Draft, progress: Progress = lambda done, total, note: None) -> Lint:
    """Check a draft."""
    sheet, registry = draft.sheet, Predicate.objects.registry()
    findings = [
        *checks.contradictions(sheet, registry),
        *checks.missing_bases(sheet, set(KnowledgeBase.objects.values_list("slug", flat=True))),
        *checks.repeated_identity(sheet, registry),
        *checks.never_used(sheet, *_use(draft.character, sheet)),
    ]
    try:
        findings += _by_meaning(draft.character, sheet, progress)
    except StoreError as error:  # the other checks need no embedder; the page says that these are left out
        return Lint(tuple(findings), f"Meanings weren’t compared: {error.message}")
    return Lint(tuple(sorted(findings, key=lambda finding: not finding.is_contradiction)))


def _by_meaning(character: Character, sheet: Sheet, progress: Progress) -> Iterator[Finding]:
    yield from keywords.needless(character, sheet)
    registry = Predicate.objects.registry()
    tried = findability.likely_questions(sheet, registry)
    texts = [
        *all_texts(sheet.facts, registry, sheet.name),
        *(question for questions in tried.values() for question in questions),
    ]
    known = vectors.of_texts(character, texts, progress=lambda done, all: progress(done, all, "Comparing the facts"))
    yield from meanings.duplicates(sheet.facts, registry, known, sheet.name)
    total = len(sheet.facts)
    asked = "Trying questions for each fact"
    more = partial(vectors.of_texts, character)
    yield from findability.not_findable(sheet, registry, known, tried, more, lambda done: progress(done, total, asked))


def _use(character: Character, sheet: Sheet) -> tuple[FactUse, set[str]]:
    """Return the use of facts since the live revision, and the ids of facts that it and the draft have alike."""
    live = character.live_revision
    if live is None:
        return FactUse(), set()
    return fact_use_since(character.pk, live.created_at), {fact.id for fact in set(live.sheet.facts) & set(sheet.facts)}


def fix(character: Character, *, finding: str, number: int, by: User | None, tab: str = "") -> str:
    """Apply a finding's fix and return a sentence that says so. Raises `Refused` if the draft has changed."""
    draft = drafts.draft_of(character)
    listed = lint_of(draft).findings
    fixes = next((each.fixes for each in listed if each.id == finding), ())
    if not 0 <= number < len(fixes):
        raise Refused(CHANGED, status=409)
    chosen = fixes[number]

    def edits(now: Draft) -> tuple[Edit, ...]:
        if now.version != draft.version:
            raise Refused(CHANGED, status=409)
        return chosen.edits

    drafts.change(character, edits, by=by, tab=tab)
    return f"Done: {chosen.label}."
