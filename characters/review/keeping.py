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
    """Keep the verdicts; False where it was said again since `claims` were read, so that it has to be judged anew.

    Nothing changes of what was decided meanwhile. Other outcomes than before make it another version.
    """
    row = Proposal.objects.undecided().select_for_update(no_key=True).filter(pk=proposal.pk).first()
    if row is None:
        return True
    if set(row.claims.values_list("pk", flat=True)) != claims:
        return False
    before = dict(row.verdicts.values_list("check_name", "outcome"))
    _write(row, found)
    row.confidence, row.priority = confidence, priority
    row.version += bool(before) and before != {check: each.outcome for check, each in found.items()}
    row.save(update_fields=["confidence", "priority", "version"])
    return True


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
