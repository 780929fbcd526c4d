"""Second pass of the message graph: choose the pairs to classify, and save their classes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from characters.memory.enrichment.first_pass import messages_of, present_messages, vectors_of
from characters.memory.enrichment.pairs import IdPair, MessageText, Pair, Verdict
from characters.memory.models import EnrichmentRun, Relation, Similarity
from kgadmin.projection.tasks import sweep

CUES = "cues"
"""Origin of relations classified without a model."""
UNDECIDED = (Relation.Status.CLASSIFIED, Relation.Status.UNCERTAIN, Relation.Status.UNCLASSIFIED)
"""States that a run may overwrite; an operator's decision stays."""


def origin_of(run: EnrichmentRun) -> str:
    """Return the origin saved on the rows that the run classifies."""
    return run.model or CUES


def candidates(run: EnrichmentRun, person_id: int) -> list[Pair]:
    """Return every pair within the run's frontier: newest source first, then its nearest messages."""
    rows = messages_of(person_id, run.character_id).values_list("pk", "text", "at")
    messages = {pk: MessageText(text, pk, at) for pk, text, at in rows}
    near = Similarity.objects.filter(person_id=person_id, later__conversation__character_id=run.character_id)
    scores = {
        (earlier, later): score
        for earlier, later, score in near.values_list("earlier", "later", "score")
        if {earlier, later} <= messages.keys()
    }
    texts = {pk: message.text for pk, message in messages.items()}
    pairs = frontier_pairs(ranked(scores), texts, anchors=run.anchors, frontier=run.frontier)
    order = {pk: place for place, pk in enumerate(messages)}
    cosines = _cosines(person_id, run.character_id, pairs)
    ordered = sorted(pairs, key=lambda pair: (-order[pair[1]], -cosines.get(pair, 0.0), pair[0]))
    return [Pair(messages[earlier], messages[later], cosines.get((earlier, later))) for earlier, later in ordered]


def ranked(pairs: Mapping[IdPair, float]) -> dict[int, list[int]]:
    """Return each message's neighbours, nearest first, then oldest first."""
    neighbours: dict[int, list[tuple[float, int]]] = {}
    for (earlier, later), score in pairs.items():
        neighbours.setdefault(earlier, []).append((-score, later))
        neighbours.setdefault(later, []).append((-score, earlier))
    return {message: [other for _, other in sorted(others)] for message, others in neighbours.items()}


def frontier_pairs(
    neighbours: Mapping[int, Sequence[int]], texts: Mapping[int, str], *, anchors: int, frontier: int
) -> set[IdPair]:
    """Return the pairs that the second pass classifies, each once; `texts` are in order of time.

    Message M is paired with the `frontier` nearest of each of its `anchors` nearest, except texts that repeat M's, and
    with its own `frontier` nearest: if only two messages share a subject ("I want to start yoga", "I changed my mind,
    no yoga"), no third message connects them.
    """
    order = {message: place for place, message in enumerate(texts)}
    return {
        (message, other) if order[message] < order[other] else (other, message)
        for message in neighbours
        for other in _reached(message, neighbours, anchors, frontier)
        if other != message and _plain(texts[other]) != _plain(texts[message])
    }


def _reached(message: int, neighbours: Mapping[int, Sequence[int]], anchors: int, frontier: int) -> set[int]:
    reached = set(neighbours[message][:frontier])
    for anchor in neighbours[message][:anchors]:
        reached.update([other for other in neighbours[anchor] if other != message][:frontier])
    return reached


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _cosines(person_id: int, character_id: int, pairs: Iterable[IdPair]) -> dict[IdPair, float]:
    ids, vectors = vectors_of(person_id, character_id)
    rows = {pk: row for row, pk in enumerate(ids)}
    return {
        (earlier, later): float(vectors[rows[earlier]] @ vectors[rows[later]])
        for earlier, later in pairs
        if earlier in rows and later in rows
    }


def due(run: EnrichmentRun, person_id: int) -> list[Pair]:
    """Return the candidates that this run has still to classify.

    Pairs are left out if an operator decided them, the same model or cues classified them, this run has tried them, or
    if the run has no model and any other classified them.
    """
    rows = relations(run, person_id).values_list("earlier", "later", "status", "origin", "run")
    known = {(earlier, later) for earlier, later, status, origin, by in rows if _is_settled(run, status, origin, by)}
    return [pair for pair in candidates(run, person_id) if pair.ids not in known]


def _is_settled(run: EnrichmentRun, status: str, origin: str, by: int | None) -> bool:
    if status not in UNDECIDED or (by is not None and by == run.pk):
        return True
    return status != Relation.Status.UNCLASSIFIED and origin_of(run) in {origin, CUES}


def relations(run: EnrichmentRun, person_id: int) -> QuerySet[Relation]:
    """Return the relations of the person's messages to the run's character."""
    return Relation.objects.filter(person_id=person_id, character_id=run.character_id)


@transaction.atomic
def apply_threshold(run: EnrichmentRun, person_id: int) -> None:
    """Apply the run's threshold to earlier classifications: below it they become uncertain, from it on drawn."""
    rows = relations(run, person_id).exclude(relation="Unrelated")
    below = rows.filter(status=Relation.Status.CLASSIFIED, confidence__lt=run.threshold)
    reaching = rows.filter(status=Relation.Status.UNCERTAIN, confidence__gte=run.threshold)
    now = timezone.now()
    changed = below.update(status=Relation.Status.UNCERTAIN, updated_at=now)
    changed += reaching.update(status=Relation.Status.CLASSIFIED, updated_at=now)
    if changed:
        sweep.delay_on_commit()


@transaction.atomic
def save(
    run: EnrichmentRun,
    person_id: int,
    pairs: Sequence[Pair],
    verdicts: Mapping[IdPair, Verdict],
) -> None:
    """Save the classes of a batch; a pair without a verdict is saved as unclassified, and tried again."""
    present = present_messages({pk for pair in pairs for pk in pair.ids})
    pairs = [pair for pair in pairs if set(pair.ids) <= present]
    there = {
        (row.earlier_id, row.later_id): row
        for row in relations(run, person_id).filter(later_id__in={pair.later.id for pair in pairs})
    }
    new = []
    for pair in pairs:
        fields = _fields(run, verdicts.get(pair.ids))
        if row := there.get(pair.ids):
            _rewrite(run, row, fields)
        else:
            earlier, later = pair.ids
            ends = {"person_id": person_id, "character_id": run.character_id, "earlier_id": earlier, "later_id": later}
            new.append(Relation(run=run, **ends, **fields))
    Relation.objects.bulk_create(new, ignore_conflicts=True)
    sweep.delay_on_commit()


def _fields(run: EnrichmentRun, verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        nothing = {"relation": "", "confidence": 0.0, "evidence": "", "origin": origin_of(run)}
        return nothing | {"status": Relation.Status.UNCLASSIFIED}
    drawn = verdict.confidence >= run.threshold or verdict.relation == "Unrelated"
    return {
        "relation": verdict.relation,
        "confidence": verdict.confidence,
        "evidence": verdict.evidence,
        "origin": origin_of(run),
        "status": Relation.Status.CLASSIFIED if drawn else Relation.Status.UNCERTAIN,
    }


def _rewrite(run: EnrichmentRun, row: Relation, fields: Mapping[str, Any]) -> None:
    """Update a pair, unless an operator decided it or another run wrote it meanwhile."""
    unchanged = Relation.objects.filter(pk=row.pk, updated_at=row.updated_at, status__in=UNDECIDED)
    is_worse = fields["status"] == Relation.Status.UNCLASSIFIED  # an earlier class is better than none
    if is_worse or all(getattr(row, name) == value for name, value in fields.items()):
        unchanged.update(run=run)
    else:
        unchanged.update(run=run, updated_at=timezone.now(), **fields)
