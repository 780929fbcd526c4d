"""Second pass of the message graph: which pairs are to be classified, and saving what they were classified as."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from characters.domain.relations import CLASSES
from characters.memory.enrichment.first_pass import messages_of, present_messages, vectors_of
from characters.memory.enrichment.neighbours import frontier_pairs, ranked
from characters.memory.enrichment.pairs import IdPair, MessageText, Pair, Verdict
from characters.memory.models import EnrichmentRun, MessageClass, Relation, Similarity
from kgadmin.projection.tasks import sweep

CUES = "cues"
"""Origin of what was classified without a model."""
UNDECIDED = (Relation.Status.CLASSIFIED, Relation.Status.UNCERTAIN, Relation.Status.UNCLASSIFIED)
"""What a run may write over; an operator's word stays."""


def origin_of(run: EnrichmentRun) -> str:
    """What stands on the rows that the run classifies."""
    return run.model or CUES


def candidates(run: EnrichmentRun, person_id: int) -> list[Pair]:
    """Every pair within the run's frontier, the newest source first and its nearest message first."""
    rows = messages_of(person_id, run.character_id).values_list("pk", "text", "at")
    messages = {pk: MessageText(text, pk, at) for pk, text, at in rows}
    near = Similarity.objects.filter(person_id=person_id, later__conversation__character_id=run.character_id)
    scores = {(earlier, later): score for earlier, later, score in near.values_list("earlier", "later", "score")}
    ordered = within_frontier(run, {pk: message.text for pk, message in messages.items()}, scores)
    order = {pk: place for place, pk in enumerate(messages)}
    cosines = _cosines(person_id, run.character_id, ordered)
    ordered.sort(key=lambda pair: (-order[pair[1]], -cosines.get(pair, 0.0), pair[0]))
    return [Pair(messages[earlier], messages[later], cosines.get((earlier, later))) for earlier, later in ordered]


def within_frontier(run: EnrichmentRun, texts: Mapping[int, str], scores: Mapping[IdPair, float]) -> list[IdPair]:
    """The pairs that the run reaches from these similarities; `texts` are in order of time."""
    neighbours = ranked({pair: score for pair, score in scores.items() if set(pair) <= texts.keys()})
    pairs = frontier_pairs(neighbours, texts, anchors=run.anchors, frontier=run.frontier)
    order = {pk: place for place, pk in enumerate(texts)}
    return [(left, right) if order[left] < order[right] else (right, left) for left, right in pairs]


def _cosines(person_id: int, character_id: int, pairs: Sequence[IdPair]) -> dict[IdPair, float]:
    ids, vectors = vectors_of(person_id, character_id)
    rows = {pk: row for row, pk in enumerate(ids)}
    return {
        (earlier, later): float(vectors[rows[earlier]] @ vectors[rows[later]])
        for earlier, later in pairs
        if earlier in rows and later in rows
    }


def due(run: EnrichmentRun, person_id: int) -> list[Pair]:
    """The candidates that this run has still to classify.

    Left out: what an operator decided, what the same model classified, what a model classified where the run has none,
    and what this run has tried already.
    """
    known = settled(run, person_id)
    return [pair for pair in candidates(run, person_id) if pair.ids not in known]


def settled(run: EnrichmentRun, person_id: int) -> set[IdPair]:
    """The person's pairs that the run leaves as they are."""
    rows = relations(run, person_id).values_list("earlier", "later", "status", "origin", "run")
    return {(earlier, later) for earlier, later, status, origin, by in rows if _is_settled(run, status, origin, by)}


def _is_settled(run: EnrichmentRun, status: str, origin: str, by: int | None) -> bool:
    if status not in UNDECIDED or (by is not None and by == run.pk):
        return True
    return status != Relation.Status.UNCLASSIFIED and _outranks(origin, origin_of(run))


def _outranks(origin: str, newcomer: str) -> bool:
    """Whether what `origin` decided stays, where `newcomer` could decide it again."""
    return newcomer in {origin, CUES}


def relations(run: EnrichmentRun, person_id: int) -> QuerySet[Relation]:
    """The relations of the person's messages to the run's character."""
    return Relation.objects.filter(person_id=person_id, character_id=run.character_id)


@transaction.atomic
def apply_threshold(run: EnrichmentRun, person_id: int) -> None:
    """Draw, of what was classified before, what reaches the run's threshold, and nothing below it."""
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
    """Keep what a batch was classified as; a pair without a verdict is kept as unclassified, and tried again."""
    present = present_messages({pk for pair in pairs for pk in pair.ids})
    pairs = [pair for pair in pairs if set(pair.ids) <= present]
    classes = _message_classes(run, {pair.ids: verdicts[pair.ids] for pair in pairs if pair.ids in verdicts})
    there = {
        (row.earlier_id, row.later_id): row
        for row in relations(run, person_id).filter(later_id__in={pair.later.id for pair in pairs})
    }
    new = []
    for pair in pairs:
        verdict = _of_message(verdicts.get(pair.ids), classes.get(pair.later.id))
        row = there.get(pair.ids)
        if row:
            _rewrite(run, row, verdict)
        else:
            new.append(_row(run, person_id, pair, verdict))
    Relation.objects.bulk_create(new, ignore_conflicts=True)
    sweep.delay_on_commit()


def _fields(run: EnrichmentRun, verdict: Verdict | None) -> dict[str, object]:
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


def _row(run: EnrichmentRun, person_id: int, pair: Pair, verdict: Verdict | None) -> Relation:
    earlier, later = pair.ids
    return Relation(
        person_id=person_id,
        character_id=run.character_id,
        earlier_id=earlier,
        later_id=later,
        run=run,
        **_fields(run, verdict),
    )


def _rewrite(run: EnrichmentRun, row: Relation, verdict: Verdict | None) -> None:
    """Another look at a pair; a row that an operator decided, or another run wrote meanwhile, stays as it is."""
    mine = Relation.objects.filter(pk=row.pk, updated_at=row.updated_at, status__in=UNDECIDED)
    fields = _fields(run, verdict)
    if row.status != Relation.Status.UNCLASSIFIED and verdict is None:
        mine.update(run=run)  # what was known before is better than nothing
    elif all(getattr(row, name) == value for name, value in fields.items()):
        mine.update(run=run)
    else:
        mine.update(run=run, updated_at=timezone.now(), **fields)


def _message_classes(run: EnrichmentRun, verdicts: Mapping[IdPair, Verdict]) -> dict[int, MessageClass]:
    """Of each source that has a class of its own that class, decided once: the surest answer counts for all pairs."""
    surest: dict[int, Verdict] = {}
    for (_, later), verdict in verdicts.items():
        known_as = surest.get(later)
        if CLASSES[verdict.relation].single and (known_as is None or known_as.confidence < verdict.confidence):
            surest[later] = verdict
    known = {row.message_id: row for row in MessageClass.objects.filter(message_id__in=surest)}
    for message_id, verdict in surest.items():
        row = known.get(message_id)
        if row is None or not _outranks(row.origin, origin_of(run)):
            known[message_id] = _decide_class(run, message_id, verdict)
    return known


def _decide_class(run: EnrichmentRun, message_id: int, verdict: Verdict) -> MessageClass:
    row, _ = MessageClass.objects.update_or_create(
        message_id=message_id,
        defaults={
            "relation": verdict.relation,
            "confidence": verdict.confidence,
            "evidence": verdict.evidence,
            "origin": origin_of(run),
        },
    )
    return row


def _of_message(verdict: Verdict | None, decided: MessageClass | None) -> Verdict | None:
    """The verdict on a pair; where it names a class of one message, the one that was decided for that message."""
    if verdict is None or decided is None or not CLASSES[verdict.relation].single:
        return verdict
    if decided.relation == verdict.relation:
        return verdict
    return Verdict(decided.relation, decided.confidence, decided.evidence)  # type: ignore[arg-type]  # a column of these names
