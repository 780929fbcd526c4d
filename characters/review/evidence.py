"""What the page of one proposal shows: who said what, who led whom, the verdicts, what stands beside it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from characters.domain.sheet import Fact
from characters.profiles.learned import services as learning
from characters.profiles.learned.models import LearnedFact
from characters.profiles.models import Predicate
from characters.review import objections
from characters.review.decisions import REASONS, RETIRED
from characters.review.excerpts import Excerpt, Led, claims_of, excerpts_of, led_in
from characters.review.listing import Registry, Reservation, Row, row_of, statement
from characters.review.models import SAMPLED, UNDECIDED, Decision, Proposal, Verdict
from characters.review.neighbours import Neighbours
from characters.review.queue import ProposalFilter, proposals_for
from characters.review.verdicts.found import said
from characters.review.words import DONE, KINDS, LED, ago, count, waited_until, waits, word
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import has_role

DECISIONS_SHOWN = 20
NEAR = 0.8
"""A fact that is less like it is no duplicate."""

Conflict = tuple[dict[str, Any], str]
"""What says otherwise or the same, as a verdict's evidence has it, and why."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with what it goes by."""

    verdict: Verdict
    word: str
    details: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """A fact that says the same, or otherwise."""

    kind: str
    said: str
    predicate: str
    why: str


@dataclass(frozen=True, slots=True)
class Rival:
    """Another open proposal, to be decided together with it."""

    row: Row
    why: str


@dataclass(frozen=True, slots=True)
class Press:
    """A decision, or a batch of them."""

    decision: Decision
    said: str
    """In the words that were decided on, whatever became of them since."""
    was: str
    """What it had been before an operator put it in these words; empty where nobody did."""
    reason: str
    waited: str
    """Until when it was deferred."""
    standing: int
    """How many can be taken back."""
    of_batch: int = 0
    report: int | None = None
    retired: tuple[str, ...] = ()
    """What she learned no more by it, in sentences."""

    @property
    def verb(self) -> str:
        return DONE[self.decision.verb]

    @property
    def age(self) -> str:
        return ago(self.decision.at)


def press_of(row: Decision, registry: Registry, *, standing: int, **more: Any) -> Press:
    """What the pages say of a decision."""
    before, after = (
        said(Fact("", told["predicate"], told["object"]), registry) for told in (row.before, row.after or row.before)
    )
    was = before if before != after else ""
    reason = REASONS.get(row.reason, row.reason)
    return Press(row, after, was, reason, waited_until(row.after), standing, **more)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that the page of one proposal shows."""

    proposal: Proposal
    said: str
    waits: str
    """Until when it was deferred."""
    reserved: Reservation | None
    excerpts: tuple[Excerpt, ...]
    support: str
    led: tuple[Led, ...]
    """Reasons in messages that the excerpts don't show."""
    judged: tuple[Judged, ...]
    beside: tuple[Beside, ...]
    rivals: tuple[Rival, ...]
    past: tuple[Press, ...]
    around: Neighbours
    predicates: tuple[tuple[str, str], ...]
    refused: str
    """Why approving it as it stands would be refused; empty where it wouldn't be, or it is decided."""
    corrects: tuple[str, ...]
    """What she has learned that approving it would retire, in sentences."""
    unreasoned: str
    """Which verdicts are bad, so that approving it needs a reason."""

    @property
    def unshown(self) -> int:
        """How often else it was said."""
        return self.proposal.times - len(self.excerpts)


def gather(proposal: Proposal, user: User, wanted: ProposalFilter) -> Evidence:
    """For this user; the filter says which proposals are its neighbours."""
    registry = Predicate.objects.registry()
    verdicts = list(proposal.verdicts.all())
    reasons = led_in(verdicts)
    excerpts, shown = excerpts_of(claims_of(proposal), reasons, may_trace=has_role(user, "tester"))
    conflicts = list(_conflicts(verdicts))
    return Evidence(
        proposal=proposal,
        said=statement(proposal, registry),
        waits=waits(proposal),
        reserved=Reservation.of(proposal, user),
        excerpts=excerpts,
        support=_support(proposal),
        led=tuple(reason for reason in reasons if reason.message not in shown),
        judged=tuple(Judged(verdict, word(verdict), tuple(_details(verdict))) for verdict in verdicts),
        beside=tuple(
            Beside(KINDS[each["kind"]], each["said"], each["predicate"], why)
            for each, why in _as_known(conflicts, registry)
            if each["kind"] != "proposal"
        ),
        rivals=_rivals(conflicts, user, registry),
        past=_past(proposal, registry),
        around=Neighbours.of(proposal, user, wanted),
        predicates=tuple(_learnable(registry)),
        refused=objections.why_not(proposal),
        corrects=_corrects(proposal, registry) if proposal.is_undecided else (),
        unreasoned=objections.unreasoned(proposal.verdicts.all()).get(proposal.pk, ""),
    )


def _support(found: Proposal) -> str:
    times = {1: "once", 2: "twice"}.get(found.times, f"{found.times} times")
    people, conversations = count(found.people, "person", "people"), count(found.conversations, "conversation")
    judged = f" Judged by the first {SAMPLED} times and the last {SAMPLED}." if found.times > 2 * SAMPLED else ""
    return f"Said {times}, to {people}, in {conversations}.{judged}"


def _details(verdict: Verdict) -> Iterable[tuple[str, str]]:
    evidence = verdict.evidence
    for reason in evidence.get("reasons", ()):
        yield LED.get(reason["kind"], reason["kind"]), reason["said"]
    for near in evidence.get("nearest", ()):
        yield f"{near['near']:.2f} like {KINDS[near['kind']]}", near["said"]
    for conflict in evidence.get("conflicts", ()):
        yield KINDS[conflict["kind"]].capitalize(), f"{conflict['said']} ({conflict['why']})"
    for name, value in evidence.get("parts", {}).items():
        yield name.capitalize(), ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _conflicts(verdicts: Iterable[Verdict]) -> Iterable[Conflict]:
    """What says otherwise, then what says nearly the same, each once."""
    told = set()
    for verdict in sorted(verdicts, key=lambda each: each.check_name):
        found = [(each, each["why"]) for each in verdict.evidence.get("conflicts", ())]
        near = [each for each in verdict.evidence.get("nearest", ()) if each["near"] >= NEAR]
        for each, why in [*found, *((each, f"{each['near']:.2f} alike") for each in near)]:
            if (each["kind"], each["said"]) not in told:
                told.add((each["kind"], each["said"]))
                yield each, why


def _as_known(conflicts: Iterable[Conflict], registry: Registry) -> Iterable[Conflict]:
    """The same, where what waited then and was approved since is learned by now, in the words that were approved."""
    conflicts = list(conflicts)
    keys = [each["id"].partition(":")[2] for each, _ in conflicts if each["kind"] == "proposal"]
    approved = Proposal.objects.filter(pk__in=[key for key in keys if key.isdecimal()], state=Proposal.State.APPROVED)
    learned = {row.subject: row for row in approved.only("predicate", "object")} if keys else {}
    for each, why in conflicts:
        row = learned.get(each["id"])
        if row is None:
            yield each, why
            continue
        now = {"kind": "learned", "predicate": row.predicate, "said": statement(row, registry)}
        yield each | now, why if now["said"] == each["said"] else "learned in other words than it was said"


def _rivals(conflicts: Iterable[Conflict], user: User, registry: Registry) -> tuple[Rival, ...]:
    """Those that are open still."""
    why = {each["id"].partition(":")[2]: why for each, why in conflicts if each["kind"] == "proposal"}
    if not why:
        return ()
    rows = proposals_for(user).filter(pk__in=[pk for pk in why if pk.isdecimal()], state__in=UNDECIDED)
    rows = rows.select_related("character", "reserved_by").prefetch_related("verdicts").defer("vector")
    return tuple(Rival(row_of(row, user, registry), why[str(row.pk)]) for row in rows)


def _past(proposal: Proposal, registry: Registry) -> tuple[Press, ...]:
    """The newest first; only that one can be taken back."""
    rows = list(proposal.decisions.select_related("by")[:DECISIONS_SHOWN])
    return tuple(
        press_of(row, registry, standing=row == rows[0] and row.undone_at is None, retired=_retired(row, registry))
        for row in rows
    )


def _retired(decision: Decision, registry: Registry) -> tuple[str, ...]:
    pks = [name.partition(":")[2] for name in decision.after.get(RETIRED, [])]
    facts = LearnedFact.objects.filter(pk__in=pks).select_related("predicate").defer("vectors") if pks else ()
    return tuple(said(fact.fact, registry) for fact in facts)


def _corrects(proposal: Proposal, registry: Registry) -> tuple[str, ...]:
    facts = learning.corrected(proposal.character, predicate=proposal.predicate, object=proposal.object)
    return tuple(said(fact.fact, registry) for fact in facts)


def _learnable(registry: Registry) -> Iterable[tuple[str, str]]:
    for name in sorted(registry):
        if registry[name].learnable:
            yield name, registry[name].family
