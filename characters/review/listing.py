"""The queue as its page shows it: fifty rows with what a row says, how many there are, and what to choose from."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Prefetch
from django.utils import timezone

from characters.conversations.models import Person
from characters.domain import sheet as values
from characters.domain.sheet import Fact
from characters.profiles.access import characters_for
from characters.profiles.models import Predicate
from characters.review import queue
from characters.review.batches import MOST
from characters.review.filters import query
from characters.review.models import Claim, Proposal, Verdict
from characters.review.queue import ProposalFilter, Shown
from characters.review.verdicts.found import said
from characters.review.words import WORDS, ago, left, waits
from kgadmin.accounts.models import User

ROWS_A_PAGE = 50
MOST_CHOICES = 300
TABS: Mapping[Shown, str] = {
    "waiting": "Waiting",
    "deferred": "Deferred",
    "approved": "Approved",
    "rejected": "Rejected",
}
AGE_NAMES = {"day": "Last day", "week": "Last week", "month": "Last month"}
SHOWN_OF_A_ROW = (
    *("predicate", "object", "state", "version", "confidence", "priority"),
    *("created_at", "decided_at", "deferred_until"),
    *("reserved_by", "reserved_until", "reserved_by__username", "character", "character__name"),
)
Registry = Mapping[str, values.Predicate]


@dataclass(frozen=True, slots=True)
class Reservation:
    """Who reads a proposal now."""

    by: str
    is_mine: bool
    until: datetime

    @property
    def left(self) -> str:
        return left(self.until)

    @classmethod
    def of(cls, proposal: Proposal, user: User) -> "Reservation | None":
        until = proposal.reserved_until
        if proposal.reserved_by is None or until is None or until < timezone.now():
            return None
        return cls(str(proposal.reserved_by), proposal.reserved_by == user, until)


@dataclass(frozen=True, slots=True)
class Pip:
    """A verdict at a glance."""

    check: str
    outcome: str

    @property
    def state(self) -> str:
        """How it is coloured; not at all where nobody judged."""
        return self.outcome if self.outcome in {"good", "warn", "bad"} else ""

    @property
    def told(self) -> str:
        return f"{self.check}: {WORDS[self.check].get(self.outcome, self.outcome or 'not run').lower()}"


@dataclass(frozen=True, slots=True)
class Row:
    """A proposal in the queue."""

    proposal: Proposal
    sentence: str
    pips: tuple[Pip, ...]
    at: datetime
    """When it was proposed, or decided."""
    waits: str
    """Until when it was deferred."""
    reserved: Reservation | None

    @property
    def outcomes(self) -> dict[str, str]:
        """What each check found."""
        return {pip.check: pip.outcome for pip in self.pips if pip.outcome}

    @property
    def age(self) -> str:
        """Since then."""
        return ago(self.at)

    @property
    def is_taken(self) -> bool:
        """Whether somebody else reads it."""
        return self.reserved is not None and not self.reserved.is_mine

    @property
    def told(self) -> str:
        """The verdicts for who can't see the pips."""
        return ", ".join(pip.told for pip in self.pips)


@dataclass(frozen=True, slots=True)
class Tab:
    """Proposals of one state."""

    name: str
    count: int
    query: str
    is_current: bool


class Listing:
    """What the queue shows to this user, filtered as the address says."""

    def __init__(self, user: User, wanted: ProposalFilter, page: str | None) -> None:
        self.user = user
        self.wanted = wanted
        self.counts = queue.counts(user, wanted)
        rows = queue.listed(user, wanted).select_related("character", "reserved_by").only(*SHOWN_OF_A_ROW)
        verdicts = Verdict.objects.only("proposal", "check_name", "outcome", "position")
        rows = rows.prefetch_related(Prefetch("verdicts", verdicts))
        paginator = Paginator(rows, ROWS_A_PAGE)
        vars(paginator)["count"] = self.counts[wanted.shown]  # a cached property, which would ask once more
        self.page: Page[Proposal] = paginator.get_page(page)

    @cached_property
    def registry(self) -> Registry:
        """All predicates."""
        return Predicate.objects.registry()

    @cached_property
    def rows(self) -> list[Row]:
        """Those of the page."""
        return [row_of(proposal, self.user, self.registry) for proposal in self.page]

    @property
    def tabs(self) -> Iterable[Tab]:
        """All states with their counts."""
        for shown, name in TABS.items():
            yield Tab(name, self.counts[shown], query(self.wanted, shown=shown), shown == self.wanted.shown)

    @property
    def count(self) -> int:
        """How many the filter lets through in this tab."""
        return self.counts[self.wanted.shown]

    @property
    def is_undecided(self) -> bool:
        """Whether these can be decided."""
        return self.wanted.shown in {"waiting", "deferred"}

    @property
    def query(self) -> str:
        """The end of the address of everything beside this page of the queue."""
        return query(self.wanted, self.page.number)

    @property
    def pages(self) -> dict[str, str | None]:
        """The ends of the addresses of the pages around this one."""
        page, wanted = self.page, self.wanted
        return {
            "previous": query(wanted, page.number - 1) or "?" if page.has_previous() else None,
            "next": query(wanted, page.number + 1) if page.has_next() else None,
        }

    @cached_property
    def characters(self) -> list[tuple[str, str]]:
        """Slugs and names to choose from."""
        proposed = Exists(Proposal.objects.filter(character=OuterRef("pk")))
        rows = characters_for(self.user).filter(proposed).order_by("name").values_list("slug", "name")
        found, chosen = list(rows[:MOST_CHOICES]), self.wanted.character
        if chosen and all(slug != chosen for slug, _ in found):
            found += rows.filter(slug=chosen)
        return found

    @property
    def names_characters(self) -> bool:
        """Whether a row has to say whom it is about."""
        return len(self.characters) > 1 and not self.wanted.character

    @property
    def most(self) -> int:
        """So many of the list can be decided at once."""
        return MOST

    @cached_property
    def predicates(self) -> list[str]:
        """Those that can be learned."""
        return sorted(name for name, predicate in self.registry.items() if predicate.learnable)

    @cached_property
    def people(self) -> list[tuple[int, str]]:
        """Whom something proposed was said to, by name; the chosen one is there however many there are."""
        spoke = Exists(Claim.objects.filter(person=OuterRef("pk"), proposal__isnull=False))
        rows = Person.objects.filter(spoke).order_by("name", "pk").values_list("pk", "name")
        found = list(rows[:MOST_CHOICES])
        chosen = self.wanted.person
        if chosen and all(pk != chosen for pk, _ in found):
            found += Person.objects.filter(pk=chosen).values_list("pk", "name")
        return found

    @property
    def verdicts(self) -> Iterable[tuple[str, list[tuple[str, str]]]]:
        """Every check with the outcomes to choose from."""
        for check in Verdict.Check.values:
            outcomes = [(f"{check}:{each}", f"{check.capitalize()}: {name}") for each, name in WORDS[check].items()]
            yield check.capitalize(), outcomes

    @property
    def unknown(self) -> str:
        """What the filter asks for and isn't there; empty where all of it is."""
        wanted = self.wanted
        verdicts = {value for _, outcomes in self.verdicts for value, _ in outcomes}
        known: tuple[tuple[str, object, Collection[object]], ...] = (
            ("character", wanted.character, [slug for slug, _ in self.characters]),
            ("predicate", wanted.predicate, self.predicates),
            ("verdict", wanted.verdict, verdicts),
            ("person", wanted.person, [pk for pk, _ in self.people]),
        )
        return next((f"no {what} “{asked}”" for what, asked, there in known if asked and asked not in there), "")

    @property
    def ages(self) -> Iterable[tuple[str, str]]:
        """How old proposals are at most."""
        return AGE_NAMES.items()


def row_of(proposal: Proposal, user: User, registry: Registry) -> Row:
    """What the queue says of a proposal."""
    found = {verdict.check_name: verdict.outcome for verdict in proposal.verdicts.all()}
    return Row(
        proposal,
        statement(proposal, registry),
        tuple(Pip(check, found.get(check, "")) for check in Verdict.Check.values),
        proposal.created_at if proposal.is_undecided else proposal.decided_at or proposal.created_at,
        waits(proposal),
        Reservation.of(proposal, user),
    )


def statement(proposal: Proposal, registry: Registry) -> str:
    """What she would have learned, as a sentence."""
    return said(Fact("", proposal.predicate, proposal.object), dict(registry))
