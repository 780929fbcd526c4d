"""The queue as its page shows it: fifty rows, the tabs with their counts, and the filters to choose from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Self

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Prefetch, Q
from django.utils import timezone

from characters.conversations.models import Person
from characters.domain import sheet as values
from characters.domain.sheet import Fact
from characters.profiles.access import characters_for
from characters.profiles.models import Predicate
from characters.review import queue
from characters.review.models import Claim, Proposal, Verdict
from characters.review.queue import ProposalFilter
from characters.review.verdicts.comparison import fact_sentence
from characters.review.words import WORDS, outcome_text, waits
from kgadmin.accounts.models import User

ROWS_A_PAGE = 50
MOST_CHOICES = 300
AGE_NAMES = {"day": "Last day", "week": "Last week", "month": "Last month"}
COLUMNS = (
    *("predicate", "object", "state", "version", "confidence", "priority"),
    *("created_at", "decided_at", "deferred_until"),
    *("reserved_by", "reserved_until", "reserved_by__username", "character", "character__name"),
)
"""Columns that a row shows."""
Registry = Mapping[str, values.Predicate]


@dataclass(frozen=True, slots=True)
class Pip:
    """A verdict at a glance."""

    outcome: str
    text: str

    @classmethod
    def of(cls, check: str, outcome: str) -> Self:
        return cls(outcome, outcome_text(check, outcome or "not run"))


@dataclass(frozen=True, slots=True)
class Row:
    """A proposal in the queue. `is_taken`: another operator has it reserved."""

    proposal: Proposal
    sentence: str
    is_taken: bool

    @classmethod
    def of(cls, proposal: Proposal, user: User, registry: Registry) -> Self:
        return cls(proposal, statement(proposal, registry), proposal.reader not in {None, user})

    @property
    def outcomes(self) -> dict[str, str]:
        """Return the outcome of each check that has run."""
        return {verdict.check_name: verdict.outcome for verdict in self.proposal.verdicts.all()}

    @property
    def pips(self) -> list[Pip]:
        """Return every check's outcome."""
        return [Pip.of(check, self.outcomes.get(check, "")) for check in Verdict.Check.values]

    @property
    def at(self) -> datetime:
        """Return when it was proposed, or decided."""
        proposal = self.proposal
        return proposal.created_at if proposal.is_undecided else proposal.decided_at or proposal.created_at

    @property
    def waits(self) -> str:
        """Return until when it is deferred."""
        return waits(self.proposal)

    @property
    def reserved_until(self) -> datetime | None:
        """Return when the reservation ends, if there is one now."""
        return self.proposal.reserved_until if self.proposal.reader else None


def statement(proposal: Proposal, registry: Registry) -> str:
    """Return what would be learned, as a sentence in the first person."""
    return fact_sentence(Fact("", proposal.predicate, proposal.object), registry)


@dataclass(frozen=True, slots=True)
class Tab:
    """Proposals of one state."""

    name: str
    count: int
    query: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter: `options` are values with their labels."""

    name: str
    label: str
    any: str
    options: list[tuple[Any, str]]
    chosen: Any


class Listing:
    """The queue as this user sees it, filtered by the address."""

    def __init__(self, user: User, wanted: ProposalFilter, page: str | None) -> None:
        self.user = user
        self.wanted = wanted
        self.counts = queue.counts(user, wanted)
        rows = queue.listed(user, wanted).select_related("character", "reserved_by").only(*COLUMNS)
        verdicts = Verdict.objects.only("proposal", "check_name", "outcome", "position")
        paginator = Paginator(rows.prefetch_related(Prefetch("verdicts", verdicts)), ROWS_A_PAGE)
        vars(paginator)["count"] = self.counts[wanted.shown]  # a cached property: saves a query
        self.page: Page[Proposal] = paginator.get_page(page)

    @cached_property
    def registry(self) -> Registry:
        """Return all predicates."""
        return Predicate.objects.registry()

    @cached_property
    def rows(self) -> list[Row]:
        """Return the rows of the page."""
        return [Row.of(proposal, self.user, self.registry) for proposal in self.page]

    @property
    def tabs(self) -> Iterable[Tab]:
        """Return all tabs with their counts."""
        for shown in queue.SHOWN:
            query = self.wanted.query(shown=shown)
            yield Tab(shown.capitalize(), self.counts[shown], query, shown == self.wanted.shown)

    @property
    def is_undecided(self) -> bool:
        """Return whether proposals of the chosen tab can be decided."""
        return self.wanted.shown in {"waiting", "deferred"}

    @property
    def query(self) -> str:
        """Return the query of this page of the queue, for the links beside it."""
        return self.wanted.query(self.page.number)

    @cached_property
    def characters(self) -> list[tuple[str, str]]:
        """Return slugs and names of the characters with proposals."""
        proposed = Exists(Proposal.objects.filter(character=OuterRef("pk")))
        rows = characters_for(self.user).filter(proposed).order_by("name")
        return list(rows.values_list("slug", "name")[:MOST_CHOICES])

    @property
    def people(self) -> list[tuple[int, str]]:
        """Return ids and names of the people to whom something proposed was stated, and the chosen one."""
        spoke = Exists(Claim.objects.filter(person=OuterRef("pk"), proposal__isnull=False))
        rows = Person.objects.filter(spoke).order_by("name", "pk").values_list("pk", "name")
        chosen = rows.filter(pk=self.wanted.person) if self.wanted.person else ()
        return list((dict(rows[:MOST_CHOICES]) | dict(chosen)).items())

    @property
    def choices(self) -> Iterable[Choice]:
        """Return the filters beside the search."""
        wanted = self.wanted
        predicates = sorted(name for name, predicate in self.registry.items() if predicate.learnable)
        verdicts = [(f"{check}:{outcome}", outcome_text(check, outcome)) for check in WORDS for outcome in WORDS[check]]
        yield Choice("character", "Character", "Any", self.characters, wanted.character)
        yield Choice("predicate", "Predicate", "Any", [(name, name) for name in predicates], wanted.predicate)
        yield Choice("verdict", "Verdict", "Any", verdicts, wanted.verdict)
        yield Choice("person", "Talking to", "Anyone", self.people, wanted.person)
        yield Choice("age", "Age", "Any", list(AGE_NAMES.items()), wanted.age)

    @property
    def names_characters(self) -> bool:
        """Return whether a row has to name its character."""
        return len(self.characters) > 1 and not self.wanted.character

    @property
    def is_new(self) -> bool:
        """Return whether nothing was ever proposed."""
        return not (any(self.counts.values()) or self.wanted.narrows or self.characters)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The ids of the proposals before and after one in the queue; `place` proposals come before it."""

    previous: int | None
    next: int | None
    place: int
    wanted: ProposalFilter

    @classmethod
    def of(cls, proposal: Proposal, user: User, wanted: ProposalFilter) -> Self:
        rows = queue.listed(user, wanted).exclude(pk=proposal.pk)
        before, after = _around(proposal, wanted)
        ahead = rows.filter(before)
        previous = ahead.reverse().values_list("pk", flat=True).first()
        following = rows.filter(after).values_list("pk", flat=True).first()
        return cls(previous, following, ahead.order_by().count(), wanted)

    @property
    def begins_page(self) -> bool:
        """Return whether the previous one is on another page of the queue."""
        return self.place % ROWS_A_PAGE == 0

    @property
    def ends_page(self) -> bool:
        """Return whether the next one is on another page of the queue."""
        return (self.place + 1) % ROWS_A_PAGE == 0

    @property
    def previous_query(self) -> str:
        """Return the query of the previous one, with its page of the queue."""
        return self.wanted.query((self.place - 1) // ROWS_A_PAGE + 1)

    @property
    def next_query(self) -> str:
        """Return the query of the next one, with its page of the queue."""
        return self.wanted.query((self.place + 1) // ROWS_A_PAGE + 1)


def _around(proposal: Proposal, wanted: ProposalFilter) -> tuple[Q, Q]:
    """Return the conditions for proposals before it, and after it, in the tab's order."""
    pk = proposal.pk
    if wanted.shown in {"waiting", "deferred"}:
        same, value = Q(priority=proposal.priority), proposal.priority
        return Q(priority__gt=value) | same & Q(pk__lt=pk), Q(priority__lt=value) | same & Q(pk__gt=pk)
    at = proposal.decided_at or timezone.now()
    same = Q(decided_at=at)
    return Q(decided_at__gt=at) | same & Q(pk__gt=pk), Q(decided_at__lt=at) | same & Q(pk__lt=pk)
