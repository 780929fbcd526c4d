"""A run as its page and the API show it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgadmin.knowledge.models import KnowledgeBase
from playground.routing import runs
from playground.routing.figures import (
    STEPS,
    Figures,
    Outcome,
    Point,
    confusion,
    figures_of,
    is_short,
    suggestion,
    sweep,
)
from playground.routing.models import NONE, Label, Run

WIDTH, HEIGHT = 300, 80
"""Size of a drawn sweep."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A label that the probe chose otherwise for; `label` is None if it is gone."""

    label: Label | None
    expected: str
    chosen: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """Precision and recall of one base over its threshold, and the suggested threshold, if another one is better."""

    slug: str
    title: str
    threshold: float
    is_short: bool
    """Whether there are too few labels to suggest a threshold."""
    now: float | None
    """The threshold now in force; None if the base is gone."""
    suggested: float | None
    points: Sequence[Point]

    @property
    def precision_line(self) -> str:
        """Return the points of the drawn line of precision."""
        return self._line([point.precision for point in self.points])

    @property
    def recall_line(self) -> str:
        """Return the points of the drawn line of recall."""
        return self._line([point.recall for point in self.points])

    @property
    def tick(self) -> float:
        """Return where the threshold in force stands in the drawing."""
        return round(min(1.0, max(0.0, (self.threshold - STEPS[0]) / (STEPS[-1] - STEPS[0]))) * WIDTH, 1)

    def _line(self, values: Sequence[float]) -> str:
        step = WIDTH / (len(values) - 1)
        return " ".join(f"{index * step:.1f},{HEIGHT * (1 - value):.1f}" for index, value in enumerate(values))


@dataclass(frozen=True, slots=True)
class Report:
    """One run: figures, confusion matrix (rows expected, columns chosen), errors, sweeps, changes since another run."""

    run: Run
    figures: Figures
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[int, bool]]]]
    """By expected title: counts, and whether they are right."""
    wrong: Sequence[Wrong]
    sweeps: Sequence[Sweep]
    stale: Sequence[str]
    """Titles of bases whose content, threshold or scope has changed since."""
    left_out: int
    """Labels that weren't run: their base is out of scope."""
    other: Run | None = None
    mended: Sequence[Wrong] = ()
    broken: Sequence[Wrong] = ()


def report_of(run: Run, other: Run | None = None) -> Report:
    """Return a run's report, compared with `other`."""
    outcomes = runs.outcomes_of(run)
    titles = {slug: title for slug, (title, *_) in run.bases.items()} | {NONE: "No base"}
    labels = Label.objects.in_bulk([outcome.label for outcome in outcomes])
    slugs, matrix = confusion(outcomes)
    mended, broken = runs.changes(run, other) if other else ((), ())
    now = dict(KnowledgeBase.objects.filter(slug__in=run.bases).values_list("slug", "threshold"))
    concerned = {slug for outcome in outcomes for slug in (outcome.expected, outcome.chosen)}
    return Report(
        run=run,
        figures=figures_of(outcomes),
        columns=[titles.get(slug, slug) for slug in slugs],
        rows=[
            (titles.get(row, row), [(count, row == slug) for slug, count in zip(slugs, counts, strict=True)])
            for row, counts in matrix
        ],
        wrong=_named([outcome for outcome in outcomes if not outcome.is_right], labels, titles),
        sweeps=[_sweep(run, outcomes, slug, now.get(slug)) for slug in sorted(run.bases) if slug in concerned],
        stale=runs.stale_bases(run),
        left_out=runs.labels_left_out(run),
        other=other,
        mended=_named(mended, labels, titles),
        broken=_named(broken, labels, titles),
    )


def _named(outcomes: Sequence[Outcome], labels: Mapping[int, Label], titles: Mapping[str, str]) -> list[Wrong]:
    return [
        Wrong(
            labels.get(outcome.label),
            titles.get(outcome.expected, outcome.expected),
            titles.get(outcome.chosen, outcome.chosen),
        )
        for outcome in outcomes
    ]


def _sweep(run: Run, outcomes: Sequence[Outcome], slug: str, now: float | None) -> Sweep:
    title, _, threshold = run.bases[slug]
    best = suggestion(outcomes, slug, threshold)
    return Sweep(slug, title, threshold, is_short(outcomes, slug), now, best, sweep(outcomes, slug))
