"""What waits for a decision, and what was decided: filtered, searched, counted. Pages and the API read it here."""

from datetime import timedelta
from typing import Annotated, Literal, get_args

from django.db.models import Count, Exists, OuterRef, Q
from django.http import Http404
from django.utils import timezone
from ninja import Field, Schema

from characters.profiles.access import characters_for
from characters.review.models import Claim, Decision, DecisionQuerySet, Proposal, ProposalQuerySet, Verdict
from kgadmin.accounts.roles import AnyUser, has_role
from kgadmin.rest.schemas import Id, Slug, Text

Shown = Literal["waiting", "deferred", "approved", "rejected"]
SHOWN: tuple[Shown, ...] = get_args(Shown)
AGES = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}
"""How long ago it was first said, at most."""
CHECK = "(taint|duplicate|contradiction|validation|confidence):(good|warn|bad|not judged)"


class ProposalFilter(Schema):
    """Everything may be left out."""

    shown: Shown = Field(default="waiting", examples=["waiting"], description="What was deferred waits again in time.")
    character: Slug | None = Field(default=None, examples=["elena"])
    predicate: Text = Field(default="", max_length=60, examples=["LOVES"])
    verdict: Annotated[str, Field(pattern=f"^({CHECK})?$")] = Field(default="", examples=["taint:bad"])
    person: Id | None = Field(default=None, examples=[12], description="Somebody to whom it was said.")
    age: Literal["", "day", "week", "month"] = Field(
        default="", examples=["week"], description="First said since then."
    )
    q: Text = Field(default="", max_length=200, examples=["jazz"], description="Words of predicate and object.")

    @property
    def narrows(self) -> bool:
        """Whether anything but the tab is chosen."""
        return bool(self.character or self.predicate or self.verdict or self.person or self.age or self.q)


def proposals_for(user: AnyUser) -> ProposalQuerySet:
    """Those of the characters that this operator may know of; none for anybody else."""
    if not has_role(user, "operator"):
        return Proposal.objects.none()
    return Proposal.objects.filter(character__in=characters_for(user))


def proposal_for(user: AnyUser, pk: int) -> Proposal:
    """A proposal with all that its page and the API show of it; 404 where there is none that this user may know of."""
    rows = proposals_for(user).select_related("character", "reserved_by", "learned").prefetch_related("verdicts")
    found = rows.with_support().defer("vector", "learned__vectors").filter(pk=pk).first()
    if found is None:
        raise Http404(
            "There is no such proposal. The queue lists those that there are; the person with whom it was said may "
            "have been forgotten."
        )
    return found


def decisions_for(user: AnyUser) -> DecisionQuerySet:
    """Those on the proposals that this operator may know of."""
    return Decision.objects.filter(proposal__in=proposals_for(user))


def decision_for(user: AnyUser, pk: int) -> Decision:
    """A decision; 404 where there is none that this user may know of."""
    found = decisions_for(user).filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such decision: the person with whom it was said may have been forgotten.")
    return found


def listed(user: AnyUser, wanted: ProposalFilter) -> ProposalQuerySet:
    """The proposals that the filter lets through, what is most pressing or was decided last first."""
    return _narrowed(_tab(proposals_for(user), wanted.shown), wanted)


def counts(user: AnyUser, wanted: ProposalFilter) -> dict[Shown, int]:
    """How many the filter lets through in each tab."""
    rows = _narrowed(proposals_for(user), wanted).order_by()
    each = {name: Count("pk", filter=_is_shown(name)) for name in SHOWN}
    return rows.aggregate(**each)  # type: ignore[return-value]


def waiting(user: AnyUser) -> int:
    """How many wait for this user's decision now."""
    return proposals_for(user).filter(_is_shown("waiting")).order_by().count()


def _tab(rows: ProposalQuerySet, shown: Shown) -> ProposalQuerySet:
    order = ("-priority", "pk") if shown in {"waiting", "deferred"} else ("-decided_at", "-pk")
    return rows.filter(_is_shown(shown)).order_by(*order)


def _is_shown(shown: Shown) -> Q:
    """What is deferred waits again from its day on; without a day, once it was said to somebody else."""
    state, now = Proposal.State, timezone.now()
    if shown == "waiting":
        return Q(state=state.OPEN) | Q(state=state.DEFERRED, deferred_until__lte=now)
    if shown == "deferred":
        return Q(state=state.DEFERRED) & (Q(deferred_until=None) | Q(deferred_until__gt=now))
    return Q(state=shown)


def _narrowed(rows: ProposalQuerySet, wanted: ProposalFilter) -> ProposalQuerySet:
    if wanted.character:
        rows = rows.filter(character__slug=wanted.character)
    if wanted.predicate:
        rows = rows.filter(predicate=wanted.predicate)
    if wanted.verdict:
        check, _, outcome = wanted.verdict.partition(":")
        rows = rows.filter(Exists(Verdict.objects.filter(proposal=OuterRef("pk"), check_name=check, outcome=outcome)))
    if wanted.person is not None:
        rows = rows.filter(Exists(Claim.objects.filter(proposal=OuterRef("pk"), person_id=wanted.person)))
    if wanted.age in AGES:
        rows = rows.filter(created_at__gte=timezone.now() - AGES[wanted.age])
    for word in wanted.q.split():
        rows = rows.filter(Q(object__icontains=word) | Q(predicate__icontains=word))
    return rows
