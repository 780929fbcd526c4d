"""The page of one proposal: excerpts, verdicts, conflicts, rivals, decisions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from characters.domain.sheet import Fact
from characters.profiles.learned import services as learning
from characters.profiles.models import LearnedFact, Predicate
from characters.review import objections
from characters.review.decisions import REASONS, RETIRED
from characters.review.excerpts import Elicitation, Excerpt, elicitations_of, excerpts_of
from characters.review.models import SAMPLED, UNDECIDED, Decision, Proposal, Verdict
from characters.review.queue import ProposalFilter, proposals_for
from characters.review.queue_page import Neighbours, Registry, Row, statement
from characters.review.verdicts.comparison import fact_sentence
from characters.review.words import ELICITED, KINDS, name_of, waited_until, waits, word
from kgadmin.accounts.models import User

DECISIONS_SHOWN = 20
NEAR = 0.8
"""Similarity below which a fact is no duplicate."""

Conflict = dict[str, Any]
"""A fact or a proposal in a verdict's evidence, and why it conflicts (`why`)."""


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A verdict with its evidence in words."""

    verdict: Verdict

    @property
    def name(self) -> str:
        return name_of(self.verdict.check_name)

    @property
    def word(self) -> str:
        """Return the outcome, or its number."""
        if self.verdict.check_name == Verdict.Check.CONFIDENCE and "value" in self.verdict.evidence:
            return f"{self.verdict.evidence['value']:.2f}"
        return word(self.verdict.check_name, self.verdict.outcome)

    @property
    def details(self) -> Iterable[tuple[str, str]]:
        """Yield names and values of the evidence."""
        evidence = self.verdict.evidence
        for reason in evidence.get("reasons", ()):
            yield ELICITED.get(reason["kind"], reason["kind"]), reason["sentence"]
        for near in evidence.get("nearest", ()):
            yield f"{KINDS[near['kind']].capitalize()}, similarity {near['near']:.2f}", near["sentence"]
        for conflict in evidence.get("conflicts", ()):
            yield KINDS[conflict["kind"]].capitalize(), f"{conflict['sentence']} ({conflict['why']})"
        for name, value in evidence.get("parts", {}).items():
            yield name.capitalize(), ("yes" if value else "no") if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Rival:
    """Another open proposal, to be decided together with it."""

    row: Row
    why: str


@dataclass(frozen=True, slots=True)
class Press:
    """A decision, or a batch of them. `standing` is how many of them can be undone."""

    decision: Decision
    sentence: str
    """The sentence that was decided on, whatever happened to it since."""
    was: str
    """The sentence before an operator edited it; empty if nobody did."""
    standing: int
    of_batch: int = 0
    report: int | None = None
    retired: tuple[str, ...] = ()
    """Sentences of the learned facts that it archived."""

    @classmethod
    def of(cls, row: Decision, registry: Registry, *, standing: int, **more: Any) -> Self:
        before, after = (
            fact_sentence(Fact("", values["predicate"], values["object"]), registry)
            for values in (row.before, row.after or row.before)
        )
        return cls(row, after, before if before != after else "", standing, **more)

    @property
    def reason(self) -> str:
        return REASONS.get(self.decision.reason, self.decision.reason)

    @property
    def waited(self) -> str:
        """Return until when it was deferred."""
        return waited_until(self.decision.after)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything on the page of one proposal."""

    proposal: Proposal
    sentence: str
    excerpts: tuple[Excerpt, ...]
    elicitations: tuple[Elicitation, ...]
    """Elicitations in messages that the excerpts don't show."""
    verdicts: tuple[ShownVerdict, ...]
    known: tuple[Conflict, ...]
    """Facts that say the same, or contradict it."""
    rivals: tuple[Rival, ...]
    past: tuple[Press, ...]
    around: Neighbours
    predicates: tuple[tuple[str, str], ...]
    refused: str
    """Why approving it unchanged would be refused; empty if it wouldn't be, or it is decided."""
    corrects: tuple[str, ...]
    """Sentences of the learned facts that approving it would archive."""
    unreasoned: str
    """The bad verdicts, for which approving it needs a reason."""
    sampled = SAMPLED

    @property
    def waits(self) -> str:
        """Return until when it is deferred."""
        return waits(self.proposal)

    @property
    def is_sampled(self) -> bool:
        """Return whether it is judged by some of its claims."""
        return self.proposal.times > 2 * SAMPLED


def gather(proposal: Proposal, user: User, wanted: ProposalFilter) -> Evidence:
    """Return the evidence for this user; the filter decides which proposals are its neighbours."""
    registry = Predicate.objects.registry()
    verdicts = list(proposal.verdicts.all())
    elicitations = elicitations_of(verdicts)
    excerpts = excerpts_of(proposal, elicitations)
    shown = {message.quote.message for excerpt in excerpts for message in excerpt.messages}
    conflicts = list(_conflicts(verdicts))
    return Evidence(
        proposal=proposal,
        sentence=statement(proposal, registry),
        excerpts=excerpts,
        elicitations=tuple(each for each in elicitations if each.message not in shown),
        verdicts=tuple(map(ShownVerdict, verdicts)),
        known=tuple(
            fact | {"kind": KINDS[fact["kind"]]}
            for fact in _as_known(conflicts, registry)
            if fact["kind"] != "proposal"
        ),
        rivals=_rivals(conflicts, user, registry),
        past=_past(proposal, registry),
        around=Neighbours.of(proposal, user, wanted),
        predicates=tuple((name, row.family) for name, row in sorted(registry.items()) if row.learnable),
        refused=objections.why_not(proposal),
        corrects=_corrects(proposal, registry) if proposal.is_undecided else (),
        unreasoned=objections.unreasoned(proposal.verdicts.all()).get(proposal.pk, ""),
    )


def _conflicts(verdicts: Iterable[Verdict]) -> Iterable[Conflict]:
    """Return what contradicts the statement, then what nearly repeats it, each once."""
    evidence = [verdict.evidence for verdict in sorted(verdicts, key=lambda verdict: verdict.check_name)]
    against = [fact for document in evidence for fact in document.get("conflicts", ())]
    near = [fact for document in evidence for fact in document.get("nearest", ()) if fact["near"] >= NEAR]
    alike = [fact | {"why": f"{fact['near']:.2f} alike"} for fact in near]
    once: dict[tuple[str, str], Conflict] = {}
    for fact in (*against, *alike):
        once.setdefault((fact["kind"], fact["sentence"]), fact)
    return once.values()


def _as_known(conflicts: Iterable[Conflict], registry: Registry) -> Iterable[Conflict]:
    """Return the conflicts, where proposals approved since are learned facts, in the words that were approved."""
    keys = [_pk(fact) for fact in conflicts if fact["kind"] == "proposal"]
    approved = Proposal.objects.filter(pk__in=keys, state=Proposal.State.APPROVED).only("predicate", "object")
    learned = {row.subject: row for row in approved} if keys else {}
    for fact in conflicts:
        if row := learned.get(fact["id"]):
            sentence = statement(row, registry)
            why = fact["why"] if sentence == fact["sentence"] else "learned in different words"
            yield fact | {"kind": "learned", "predicate": row.predicate, "sentence": sentence, "why": why}
        else:
            yield fact


def _rivals(conflicts: Iterable[Conflict], user: User, registry: Registry) -> tuple[Rival, ...]:
    """Return the open proposals among the conflicts."""
    why = {_pk(fact): fact["why"] for fact in conflicts if fact["kind"] == "proposal"}
    rows = proposals_for(user).filter(pk__in=why, state__in=UNDECIDED) if why else Proposal.objects.none()
    rows = rows.select_related("character", "reserved_by").prefetch_related("verdicts").defer("vector")
    return tuple(Rival(Row.of(row, user, registry), why[row.pk]) for row in rows)


def _pk(fact: dict[str, Any]) -> int:
    return int(fact["id"].partition(":")[2])


def _past(proposal: Proposal, registry: Registry) -> tuple[Press, ...]:
    """Return the decisions, the newest first; only that one can be undone."""
    rows = list(proposal.decisions.select_related("by")[:DECISIONS_SHOWN])
    return tuple(
        Press.of(row, registry, standing=row == rows[0] and row.undone_at is None, retired=_retired(row, registry))
        for row in rows
    )


def _retired(decision: Decision, registry: Registry) -> tuple[str, ...]:
    pks = [name.partition(":")[2] for name in decision.after.get(RETIRED, [])]
    facts = LearnedFact.objects.filter(pk__in=pks).select_related("predicate").defer("vectors") if pks else ()
    return tuple(fact_sentence(fact.fact, registry) for fact in facts)


def _corrects(proposal: Proposal, registry: Registry) -> tuple[str, ...]:
    facts = learning.corrected(proposal.character, predicate=proposal.predicate, object=proposal.object)
    return tuple(fact_sentence(fact.fact, registry) for fact in facts)
