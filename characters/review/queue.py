"""Proposals that wait for a decision, and decided ones: filtered, searched, counted; for pages and the API."""

from datetime import timedelta
from typing import Annotated, Any, Literal, Self, get_args
from urllib.parse import urlencode

from django.db.models import Count, Exists, OuterRef, Q
from django.http import Http404, QueryDict
from django.urls import reverse
from django.utils import timezone
from ninja import Field, Schema
from pydantic import ValidationError

from characters.profiles.access import characters_for
from characters.review.models import Claim, Decision, DecisionQuerySet, Proposal, ProposalQuerySet, Verdict
from kgadmin.accounts.roles import AnyUser, has_role
from kgadmin.rest.schemas import Id, Slug, Text

Shown = Literal["waiting", "deferred", "approved", "rejected"]
SHOWN: tuple[Shown, ...] = get_args(Shown)
AGES = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}
"""Longest times since a statement was first made."""
CHECK = "(taint|duplicate|contradiction|validation|confidence):(good|warn|bad|not judged)"


class ProposalFilter(Schema):
    """Filters of proposals; all are optional."""

    shown: Shown = Field(default="waiting", examples=["waiting"], description="Deferred proposals return when due.")
    character: Slug | None = Field(default=None, examples=["elena"])
    predicate: Text = Field(default="", max_length=60, examples=["LOVES"])
    verdict: Annotated[str, Field(pattern=f"^({CHECK})?$")] = Field(default="", examples=["taint:bad"])
    person: Id | None = Field(default=None, examples=[12], description="Someone it was said to.")
    age: Literal["", "day", "week", "month"] = Field(
        default="", examples=["week"], description="Said first on or after this day."
    )
    q: Text = Field(default="", max_length=200, examples=["jazz"], description="Words in the predicate or object.")

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        """Return the filter of a page's address; invalid values are ignored."""
        sent = {name: value for name in cls.model_fields if (value := query.get(name, "").replace("\0", "").strip())}
        try:
            return cls.model_validate(sent)
        except ValidationError as error:
            wrong = {str(detail["loc"][0]) for detail in error.errors()}
            return cls.model_validate({name: value for name, value in sent.items() if name not in wrong})

    @property
    def narrows(self) -> bool:
        """Return whether anything but the tab is chosen."""
        return bool(self.model_dump(exclude={"shown"}, exclude_defaults=True))

    def query(self, page: int = 1, **changed: Any) -> str:
        """Return the query of this page of the queue, with some values changed."""
        values = self.model_copy(update=changed).model_dump(exclude_defaults=True)
        if page > 1:
            values["page"] = page
        return f"?{urlencode(values)}" if values else ""


def address(pk: int | None, query: str) -> str:
    """Return the address of a proposal beside the queue with this filter, or of the queue alone."""
    return (reverse("review:proposal", args=[pk]) if pk else reverse("review:queue")) + query


def proposals_for(user: AnyUser) -> ProposalQuerySet:
    """Return the proposals of characters that this operator may see; none for anybody else."""
    if not has_role(user, "operator"):
        return Proposal.objects.none()
    return Proposal.objects.filter(character__in=characters_for(user))


def proposal_for(user: AnyUser, pk: int) -> Proposal:
    """Return a proposal with everything its page and the API show; 404 if this user may see none."""
    rows = proposals_for(user).select_related("character", "reserved_by", "learned").prefetch_related("verdicts")
    proposal = rows.with_support().defer("vector", "learned__vectors").filter(pk=pk).first()
    if proposal is None:
        raise Http404("There is no such proposal. The person to whom it was said may have been forgotten.")
    return proposal


def decisions_for(user: AnyUser) -> DecisionQuerySet:
    """Return the decisions on proposals that this operator may see."""
    return Decision.objects.filter(proposal__in=proposals_for(user))


def decision_for(user: AnyUser, pk: int) -> Decision:
    """Return a decision; 404 if there is none that this user may see."""
    decision = decisions_for(user).filter(pk=pk).first()
    if decision is None:
        raise Http404("There is no such decision. The person to whom it was said may have been forgotten.")
    return decision


def listed(user: AnyUser, wanted: ProposalFilter) -> ProposalQuerySet:
    """Return the proposals that match the filter, by priority, or the last decided first."""
    order = ("-priority", "pk") if wanted.shown in {"waiting", "deferred"} else ("-decided_at", "-pk")
    return _narrowed(proposals_for(user).filter(_is_shown(wanted.shown)), wanted).order_by(*order)


def counts(user: AnyUser, wanted: ProposalFilter) -> dict[Shown, int]:
    """Return how many match the filter in each tab."""
    rows = _narrowed(proposals_for(user), wanted).order_by()
    tabs = {name: Count("pk", filter=_is_shown(name)) for name in SHOWN}
    return rows.aggregate(**tabs)  # type: ignore[return-value]


def waiting(user: AnyUser) -> int:
    """Return how many wait for this user's decision now."""
    return proposals_for(user).filter(_is_shown("waiting")).order_by().count()


def _is_shown(shown: Shown) -> Q:
    """Return the condition of a tab; a deferred proposal is waiting again from its date on."""
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
    if wanted.age:
        rows = rows.filter(created_at__gte=timezone.now() - AGES[wanted.age])
    for word in wanted.q.split():
        rows = rows.filter(Q(object__icontains=word) | Q(predicate__icontains=word))
    return rows
