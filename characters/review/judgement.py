"""Judge a proposal: compare it with what is known and proposed, check by check; the verdicts order the queue."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from django.db import transaction

from characters.domain import sheet as values
from characters.domain.sheet import Fact, Sheet, is_learned, learned_pk
from characters.language.gate.taint import Taint
from characters.language.sentences import texts
from characters.profiles import vectors
from characters.profiles.learned.services import cleaned
from characters.profiles.models import Character, LearnedFact, Predicate
from characters.review.models import UNDECIDED, Claim, Proposal, Verdict
from characters.review.transcripts import VERSION as TAINT_VERSION
from characters.review.transcripts import ConversationContext
from characters.review.verdicts import confidence
from characters.review.verdicts.comparison import (
    Finding,
    Known,
    Outcome,
    Proposed,
    Vector,
    fact_sentence,
    judge_contradiction,
    judge_duplicate,
    validate,
)
from characters.review.verdicts.confidence import Time
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

TRIES = 5
"""Tries at judging a proposal that is repeated meanwhile; the process that saves the repeat judges it, too."""
REASONS_SHOWN = 5
MOST_OTHERS = 200
"""Other proposals that one is compared with, the highest priority first."""
Check = Verdict.Check
_WORTH = {"good": 1.0, "not judged": 0.6, "warn": 0.4, "bad": 0.0}
_WEIGHT = {"taint": 4.0, "duplicate": 2.0, "contradiction": 3.0, "validation": 1.0, "confidence": 1.0}
"""Weights of the verdicts in the priority."""


@dataclass(frozen=True, slots=True)
class _Material:
    """Everything that a proposal is judged by."""

    proposed: Proposed
    known: Sequence[Known]
    taints: Sequence[tuple[Claim, Taint]]


def judge(proposal: Proposal, context: ConversationContext | None = None) -> None:
    """Run every check and store the verdicts, also on open proposals that turn out to contradict it.

    Changed outcomes make a new version. `context` may have read its conversations already.
    """
    context = context or ConversationContext(_sheet(proposal.character))
    for other in _unaware(proposal, _judge(proposal, context)):
        _judge(other, context)


def _judge(proposal: Proposal, context: ConversationContext) -> Mapping[str, Finding]:
    """Store and return the findings; none for a proposal that is decided, or repeated during each of `TRIES`."""
    if not proposal.is_undecided:
        return {}
    for _ in range(TRIES):
        material = _material(proposal, context)
        findings = _findings(material)
        sure, findings[Check.CONFIDENCE] = confidence.judge([_time(*pair) for pair in material.taints])
        claims = {claim.pk for claim, _ in material.taints}
        if store(proposal, findings, confidence=sure, priority=_priority(findings, sure), claims=claims):
            return findings
        with suppress(Proposal.DoesNotExist):  # then nothing is stored
            proposal.refresh_from_db()  # it may have other words
        context = ConversationContext(_sheet(proposal.character))  # there is more to read
    return {}


def _unaware(proposal: Proposal, findings: Mapping[str, Finding]) -> Iterable[Proposal]:
    """Return the proposals that it contradicts and that were judged before it existed, so that they name it, too."""
    if Check.CONTRADICTION not in findings:
        return
    conflicts = findings[Check.CONTRADICTION].evidence["conflicts"]
    pks = [fact["id"].partition(":")[2] for fact in conflicts if fact["kind"] == "proposal"]
    rows = Verdict.objects.filter(check_name=Check.CONTRADICTION, proposal__in=pks, proposal__state__in=UNDECIDED)
    for verdict in rows.select_related("proposal__character__live_revision"):
        if proposal.subject not in {fact["id"] for fact in verdict.evidence.get("conflicts", ())}:
            yield verdict.proposal


def _findings(material: _Material) -> dict[str, Finding]:
    core = [fact for fact in material.known if fact.kind == "core"]
    return {
        Check.TAINT: _taint(material.taints),
        Check.DUPLICATE: judge_duplicate(material.proposed, material.known),
        Check.CONTRADICTION: judge_contradiction(material.proposed, material.known),
        Check.VALIDATION: validate(material.proposed, core, wiring.language_model()),
    }


def _priority(findings: Mapping[str, Finding], sure: float) -> float:
    """Return the priority from 0 to 1: valuable statements with little risk come first."""
    points = sum(_WEIGHT[check] * _WORTH[finding.outcome] for check, finding in findings.items())
    return round((points + sure) / (sum(_WEIGHT.values()) + 1), 4)


def _taint(taints: Sequence[tuple[Claim, Taint]]) -> Finding:
    """Return the taint verdict: bad if it was elicited every time, warn if sometimes."""
    reasons = [
        {
            "kind": reason.kind,
            "message": reason.message_id,
            "reply": claim.message.graph_id,
            "sentence": reason.sentence,
        }
        for claim, taint in taints
        if taint.is_tainted
        for reason in taint.reasons[:REASONS_SHOWN]
    ]
    if not taints:
        return Finding("not judged", "No message that says it is known.", TAINT_VERSION)
    if not reasons:
        return Finding("good", "Nobody elicited it: no dictation, no words of others.", TAINT_VERSION)
    outcome: Outcome = "bad" if all(taint.is_tainted for _, taint in taints) else "warn"
    return Finding(outcome, reasons[0]["sentence"], TAINT_VERSION, {"reasons": reasons})


def _time(claim: Claim, taint: Taint) -> Time:
    before = claim.message.parent
    was_asked = before is not None and "?" in before.text
    return Time(claim.certainty, claim.hedged, claim.person_id, claim.conversation_id, taint.is_tainted, was_asked)


def _sheet(character: Character) -> Sheet:
    return character.sheet or Sheet(character.name, "")


def _material(proposal: Proposal, context: ConversationContext) -> _Material:
    character = proposal.character
    sheet, registry = _sheet(character), Predicate.objects.registry()
    object = cleaned(proposal.object)  # as it would be learned
    sentence = fact_sentence(Fact("", proposal.predicate, object), registry)
    known = list(_known(proposal, sheet, registry))
    made = _embedded([sentence, *(fact.sentence for fact in known)], character)
    predicate = registry.get(proposal.predicate)
    only_one = predicate is not None and not predicate.many
    claims = proposal.sampled().select_related(
        "message__conversation__person", "message__replied_by", "message__parent"
    )
    return _Material(
        Proposed(proposal.predicate, object, sentence, proposal.meaning, made.get(sentence), sheet.name, only_one),
        [replace(fact, vector=made.get(fact.sentence)) for fact in known],
        [(claim, context.before(claim.message).judge(claim.start, claim.end, claim.object)) for claim in claims],
    )


def _known(proposal: Proposal, sheet: Sheet, registry: dict[str, values.Predicate]) -> Iterable[Known]:
    """Return the core facts, the learned facts, the sentences of the identity text, and the other open proposals."""
    for fact in sheet.facts:
        yield Known("core", fact.id, fact.predicate, fact.object, fact_sentence(fact, registry))
    for learned in proposal.character.learned.in_use(sheet):
        fact = learned.fact
        yield Known("learned", fact.id, fact.predicate, fact.object, fact_sentence(fact, registry))
    for text in texts(sheet.identity):
        yield Known("identity", "identity", "", text, text)
    others = Proposal.objects.undecided().filter(character=proposal.character).exclude(pk=proposal.pk)
    for row in others.order_by("-priority")[:MOST_OTHERS]:
        sentence = fact_sentence(Fact("", row.predicate, row.object), registry)
        yield Known("proposal", row.subject, row.predicate, row.object, sentence)


def _embedded(texts: Sequence[str], character: Character) -> dict[str, Vector]:
    """Return the vectors of these sentences, stored ones where the live sheet has them; none without an embedder."""
    live = character.live_revision
    stored = vectors.read(live) if live else {}
    missing = sorted({text for text in texts if text not in stored})
    try:
        made = wiring.embedder().embed(missing) if missing else np.zeros((0, 1), dtype=np.float32)
    except StoreError:  # words alone decide, as everywhere
        return {}
    return stored | dict(zip(missing, made, strict=True))


@transaction.atomic
def store(
    proposal: Proposal, findings: Mapping[str, Finding], *, confidence: float, priority: float, claims: Set[int]
) -> bool:
    """Store the verdicts; changed outcomes make a new version. A proposal that is decided or gone is left alone.

    Return False if it has to be judged again: it was repeated since `claims` were read, or its words, or those that
    the evidence quotes, were changed or deleted.
    """
    quoted = _quoted(findings) | {proposal.subject: (proposal.predicate, proposal.object)}
    named = {int(name.partition(":")[2]) for name in quoted if not is_learned(name)}
    locked = Proposal.objects.select_for_update(no_key=True).filter(pk__in=named).defer("vector")
    rows = {row.subject: row for row in locked.order_by("pk")}  # in one order, so that nobody waits in a circle
    row = rows.get(proposal.subject)
    if row is None or not row.is_undecided:
        return True
    current = {name: (other.predicate, other.object) for name, other in rows.items()} | _learned(quoted)
    if any(current.get(name) != words for name, words in quoted.items()):
        return False  # somebody was forgotten in the meantime, and so are these words
    if set(row.sampled().values_list("pk", flat=True)) != claims:
        return False
    before = dict(row.verdicts.values_list("check_name", "outcome"))
    _write(row, findings)
    row.confidence, row.priority = confidence, priority
    row.version += bool(before) and before != {check: finding.outcome for check, finding in findings.items()}
    row.save(update_fields=["confidence", "priority", "version"])
    return True


_Words = tuple[str, str]
"""Predicate and object."""


def _quoted(findings: Mapping[str, Finding]) -> dict[str, _Words]:
    """Return the words of the proposals and learned facts that the evidence quotes, by name."""
    lists = [finding.evidence.get(name, ()) for finding in findings.values() for name in ("conflicts", "nearest")]
    facts = chain.from_iterable(lists)
    return {
        fact["id"]: (fact["predicate"], fact["object"]) for fact in facts if fact["kind"] in {"proposal", "learned"}
    }


def _learned(quoted: Collection[str]) -> dict[str, _Words]:
    """Return the words of the quoted learned facts that still exist, locked until the transaction ends."""
    pks = [learned_pk(name) for name in quoted if is_learned(name)]
    locked = LearnedFact.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=pks).order_by("pk")
    rows = locked.select_related("predicate").defer("vectors") if pks else ()
    return {row.fact.id: (row.predicate.name, row.object) for row in rows}


def _write(proposal: Proposal, findings: Mapping[str, Finding]) -> None:
    rows = [
        Verdict(
            proposal=proposal,
            check_name=check,
            position=position,
            outcome=finding.outcome,
            summary=finding.summary[:300],
            evidence=dict(finding.evidence),
            version=finding.version,
        )
        for position, (check, finding) in enumerate(findings.items())
    ]
    Verdict.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["proposal", "check_name"],
        update_fields=["position", "outcome", "summary", "evidence", "version", "judged_at"],
    )
