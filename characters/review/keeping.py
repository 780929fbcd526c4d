"""Keeping what the checks found, beside operators who decide and replies that say it again."""

from collections.abc import Collection, Mapping, Set

from django.db import transaction
from django.utils import timezone

from characters.domain.sheet import is_learned, learned_pk
from characters.profiles.learned.models import LearnedFact
from characters.review.models import Proposal, Verdict
from characters.review.verdicts.found import Found

_Words = tuple[str, str]
"""Predicate and object."""


@transaction.atomic
def keep(
    proposal: Proposal, found: Mapping[str, Found], *, confidence: float, priority: float, claims: Set[int]
) -> bool:
    """Keep the verdicts; False where it has to be judged anew: it was said again since `claims` were read, or it, or
    what its evidence quotes, is gone or put in other words.

    Nothing changes of what was decided meanwhile. Other outcomes than before make it another version.
    """
    quoted = _quoted(found) | {proposal.subject: (proposal.predicate, proposal.object)}
    named = {int(name.partition(":")[2]) for name in quoted if not is_learned(name)}
    held = Proposal.objects.select_for_update(no_key=True).filter(pk__in=named).defer("vector")
    rows = {each.subject: each for each in held.order_by("pk")}  # in one order, so that nobody waits in a circle
    row = rows.get(proposal.subject)
    if row is None or not row.is_undecided:
        return True
    there = {name: (each.predicate, each.object) for name, each in rows.items()} | _learned(quoted)
    if any(there.get(name) != words for name, words in quoted.items()):
        return False  # somebody was forgotten meanwhile, and so are these words
    if set(row.heard().values_list("pk", flat=True)) != claims:
        return False
    before = dict(row.verdicts.values_list("check_name", "outcome"))
    _write(row, found)
    row.confidence, row.priority = confidence, priority
    row.version += bool(before) and before != {check: each.outcome for check, each in found.items()}
    row.save(update_fields=["confidence", "priority", "version"])
    return True


def _quoted(found: Mapping[str, Found]) -> dict[str, _Words]:
    """The proposals and learned facts that the evidence quotes, by their names, with their words."""
    told = (each for one in found.values() for name in ("conflicts", "nearest") for each in one.evidence.get(name, ()))
    return {each["id"]: (each["predicate"], each["object"]) for each in told if each["kind"] in {"proposal", "learned"}}


def _learned(quoted: Collection[str]) -> dict[str, _Words]:
    """Of those that are learned facts, the ones that are still there; they stay until the transaction ends."""
    pks = [learned_pk(name) for name in quoted if is_learned(name)]
    held = LearnedFact.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=pks).order_by("pk")
    rows = held.select_related("predicate").defer("vectors") if pks else ()
    return {row.fact.id: (row.predicate.name, row.object) for row in rows}


def _write(proposal: Proposal, found: Mapping[str, Found]) -> None:
    rows = [
        Verdict(
            proposal=proposal,
            check_name=check,
            position=position,
            outcome=each.outcome,
            summary=each.summary[:300],
            evidence=dict(each.evidence),
            version=each.version,
            judged_at=timezone.now(),
        )
        for position, (check, each) in enumerate(found.items())
    ]
    Verdict.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["proposal", "check_name"],
        update_fields=["position", "outcome", "summary", "evidence", "version", "judged_at"],
    )
