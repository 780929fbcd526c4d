"""Keeping what the checks found, beside operators who decide and replies that say it again."""

from collections.abc import Mapping, Set

from django.db import transaction
from django.utils import timezone

from characters.review.models import Proposal, Verdict
from characters.review.verdicts.found import Found


@transaction.atomic
def keep(
    proposal: Proposal, found: Mapping[str, Found], *, confidence: float, priority: float, claims: Set[int]
) -> bool:
    """Keep the verdicts; False where it has to be judged anew: it was said again since `claims` were read, or what its
    evidence quotes is gone.

    Nothing changes of what was decided meanwhile. Other outcomes than before make it another version.
    """
    named = _named(found)
    held = Proposal.objects.select_for_update(no_key=True).filter(pk__in={proposal.pk, *named})
    rows = {each.pk: each for each in held.order_by("pk")}  # in one order, so that nobody waits in a circle
    row = rows.get(proposal.pk)
    if row is None or not row.is_undecided:
        return True
    if not named <= rows.keys():
        return False  # it was forgotten meanwhile, and so are its words
    if set(row.claims.values_list("pk", flat=True)) != claims:
        return False
    before = dict(row.verdicts.values_list("check_name", "outcome"))
    _write(row, found)
    row.confidence, row.priority = confidence, priority
    row.version += bool(before) and before != {check: each.outcome for check, each in found.items()}
    row.save(update_fields=["confidence", "priority", "version"])
    return True


def _named(found: Mapping[str, Found]) -> Set[int]:
    """The proposals that the evidence quotes."""
    told = (each for one in found.values() for name in ("conflicts", "nearest") for each in one.evidence.get(name, ()))
    return {int(each["id"].partition(":")[2]) for each in told if each["kind"] == "proposal"}


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
