"""What stands before and after a proposal in the queue: where the keys lead, and what is read next."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils import timezone

from characters.review import listing, queue
from characters.review.filters import query
from characters.review.models import Proposal
from characters.review.queue import ProposalFilter
from kgadmin.accounts.models import User


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The ids of the proposals before and after one in the queue, where so many (`place`) come before it."""

    previous: int | None
    next: int | None
    place: int
    wanted: ProposalFilter

    @classmethod
    def of(cls, proposal: Proposal, user: User, wanted: ProposalFilter) -> "Neighbours":
        rows = queue.listed(user, wanted).exclude(pk=proposal.pk)
        before, after = _around(proposal, wanted)
        ahead = rows.filter(before)
        return cls(_first(ahead.reverse()), _first(rows.filter(after)), ahead.order_by().count(), wanted)

    @property
    def begins_page(self) -> bool:
        """Whether the one before it stands on another page of the queue."""
        return self.place % listing.ROWS_A_PAGE == 0

    @property
    def ends_page(self) -> bool:
        """Whether the next one does."""
        return (self.place + 1) % listing.ROWS_A_PAGE == 0

    @property
    def previous_query(self) -> str:
        """The end of the address of the one before, beside its page of the queue."""
        return query(self.wanted, (self.place - 1) // listing.ROWS_A_PAGE + 1)

    @property
    def next_query(self) -> str:
        """The same of the next one."""
        return query(self.wanted, (self.place + 1) // listing.ROWS_A_PAGE + 1)

    @property
    def to_go_on(self) -> int | None:
        """What is shown once this one is decided: the next, at the end the one before."""
        return self.next or self.previous


def _around(proposal: Proposal, wanted: ProposalFilter) -> tuple[Q, Q]:
    """What stands before it, and what after it, in the order of the tab."""
    pk = proposal.pk
    if wanted.shown in {"waiting", "deferred"}:
        same, value = Q(priority=proposal.priority), proposal.priority
        return Q(priority__gt=value) | same & Q(pk__lt=pk), Q(priority__lt=value) | same & Q(pk__gt=pk)
    at = proposal.decided_at or timezone.now()
    same = Q(decided_at=at)
    return Q(decided_at__gt=at) | same & Q(pk__gt=pk), Q(decided_at__lt=at) | same & Q(pk__lt=pk)


def _first(rows: Any) -> int | None:
    return rows.values_list("pk", flat=True).first()  # type: ignore[no-any-return]
