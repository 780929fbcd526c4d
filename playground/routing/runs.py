"""The job that runs labelled messages through a character's bases, by the turn's own code."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.utils import timezone

from characters.language.phrases import Phrase
from characters.profiles.bases import in_scope
from characters.profiles.models import Character
from characters.talk.requests import branch_of, live_readers, request_from_nobody
from characters.turn.probe import Matches, Plan, ask, plan, probe
from characters.turn.request import Readers, TurnRequest
from kgadmin.accounts.models import User
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused, first_or_404
from kgadmin.stores.errors import StoreError
from playground.routing.figures import Alternative, Outcome
from playground.routing.models import NONE, Label, Run

LIKELY = 5
"""Bases of the highest share, whose other thresholds are tried for a message."""
ALWAYS, NEVER = 0.0, 2.0
"""Thresholds that every chunk reaches, and none."""


def start(character: Character, *, by: User | None) -> Run:
    """Start a run over all labels. Raises `Refused` if there are none."""
    if not Label.objects.exists():
        raise Refused("There are no labelled messages yet. Add some, then run them.")
    row = Run.objects.create(character=character, created_by=by)
    jobs.start(kind=Run.JOB_KIND, subject=str(row.pk), by=by)
    return row


def run(job: Job) -> None:
    """Run all labels whose base is in scope; nothing is saved before the last one. Raises `StoreError`."""
    row = Run.objects.filter(pk=int(job.subject)).select_related("character").first()
    if row is None:
        return
    request = request_from_nobody(row.character, "")
    row.bases = bases_of(row.character)
    labels = [label for label in Label.objects.select_related("base", "message") if label.slug in {NONE, *row.bases}]
    readers, outcomes = live_readers(), []
    for number, label in enumerate(labels):
        job.progress(done=number, total=len(labels), note="Running the labelled messages")
        outcomes.append(_outcome(label, _request(label, request), readers).as_json())
    row.outcomes, row.finished_at = outcomes, timezone.now()
    row.save()
    job.progress(done=len(labels), total=len(labels), note="Done")


def bases_of(character: Character) -> dict[str, list[Any]]:
    """Return title, content digest and threshold of the bases in scope, by slug."""
    return {base.slug: [base.name, base.content, base.threshold] for base in in_scope(character)}


def _request(label: Label, alone: TurnRequest) -> TurnRequest:
    """Return the request of a label's message: one of a turn follows up what that turn did."""
    memory = branch_of(label.message).carried.probe if label.message else alone.memory
    return replace(alone, message=label.text, memory=memory)


def _outcome(label: Label, request: TurnRequest, readers: Readers) -> Outcome:
    planned = plan(request)
    if planned.skipped:
        return Outcome(label.pk, label.slug, NONE, {})
    vectors = readers.embed(planned.texts)
    matches, nearest = ask(request.bases, planned, vectors, readers)
    for slug, reason in nearest.failed.items():
        raise StoreError(f"{request.title_of(slug)} couldn't be asked: {reason}")
    readers = replace(readers, nearest=lambda *_: nearest)

    def chosen(slug: str, threshold: float) -> str:
        bases = [replace(base, threshold=threshold) if base.slug == slug else base for base in request.bases]
        return probe(replace(request, bases=tuple(bases)), planned, vectors, readers)[0].primary

    probed, _ = probe(request, planned, vectors, readers)
    likely = [score.base for score in probed.scores[:LIKELY]]
    slugs = {label.slug, *likely} & {base.slug for base in request.bases}
    others = {slug: _alternative(slug, planned, matches, chosen) for slug in sorted(slugs)}
    return Outcome(label.pk, label.slug, probed.primary, others)


def _alternative(slug: str, planned: Plan, matches: Matches, chosen: Callable[[str, float], str]) -> Alternative:
    def highest(phrases: Iterable[Phrase]) -> float:
        near = (match for phrase in phrases for match in matches[phrase.text] if match.base == slug)
        return max((match.similarity for match in near), default=0.0)

    best, alone = highest(planned.asked), highest(phrase for phrase in planned.asked if phrase.kind != "follow-up")
    return Alternative(best, chosen(slug, best), chosen(slug, NEVER), alone, chosen(slug, ALWAYS))


def run_for(pk: int) -> Run:
    """Return a run; 404 if there is none."""
    rows = Run.objects.select_related("character", "created_by").filter(pk=pk)
    return first_or_404(rows, "There is no such run. Its character may be gone. See the routing lab.")


def run_before(row: Run, pk: int = 0) -> Run | None:
    """Return the run of this character with that id, or else the last one before."""
    others = Run.objects.filter(character=row.character_id, finished_at__isnull=False).exclude(pk=row.pk)
    return others.filter(pk=pk).first() or others.filter(pk__lt=row.pk).first()


def outcomes_of(row: Run) -> list[Outcome]:
    """Return what the run found, a label at a time."""
    return [Outcome.from_json(outcome) for outcome in row.outcomes]


def stale_bases(row: Run) -> list[str]:
    """Return the titles of bases whose content, threshold or scope has changed since the run."""
    if not row.finished_at:
        return []
    now = bases_of(row.character)
    bases = row.bases | now
    return [title for slug, (title, *_) in bases.items() if row.bases.get(slug, [])[1:] != now.get(slug, [])[1:]]


def labels_left_out(row: Run) -> int:
    """Return how many labels of its time a run doesn't have, since their base is out of scope."""
    ran = {outcome.label for outcome in outcomes_of(row)}
    others = Label.objects.filter(created_at__lte=row.created_at).exclude(base=None).exclude(base__slug__in=row.bases)
    return len(set(others.values_list("pk", flat=True)) - ran) if row.finished_at else 0


def changes(row: Run, other: Run) -> tuple[Sequence[Outcome], Sequence[Outcome]]:
    """Return the outcomes of `row` that are right and weren't in `other`, and those that were and aren't; none of a
    label that was corrected in between.
    """
    before = {(outcome.label, outcome.expected): outcome.is_right for outcome in outcomes_of(other)}
    pairs = [(outcome, before.get((outcome.label, outcome.expected))) for outcome in outcomes_of(row)]
    mended = [outcome for outcome, was_right in pairs if outcome.is_right and was_right is False]
    return mended, [outcome for outcome, was_right in pairs if not outcome.is_right and was_right]
