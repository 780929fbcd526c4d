"""What is found out about a proposal: put beside what is known and waits, judged check by check, kept, and ordered."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.utils import timezone
from sentencex import get_sentence_boundaries

from characters.domain import sheet as values
from characters.domain.sheet import Fact, Sheet, is_learned, learned_pk
from characters.language.gate.taint import Taint
from characters.profiles import vectors
from characters.profiles.learned.models import LearnedFact
from characters.profiles.learned.reading import in_use
from characters.profiles.learned.services import cleaned
from characters.profiles.models import Character, Predicate
from characters.review.models import UNDECIDED, Claim, Proposal, Verdict
from characters.review.transcripts import VERSION as TAINT_VERSION
from characters.review.transcripts import ConversationContext
from characters.review.verdicts import confidence, contradictions, duplicates, validation
from characters.review.verdicts.confidence import Time
from characters.review.verdicts.found import Found, Known, Proposed, Vector, said
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

TRIES = 5
"""Whoever says it again while it is judged judges it, too."""
SHOWN = 5
MOST_OTHERS = 200
"""Other proposals that one is put beside, the most pressing first."""
_WORTH = {"good": 1.0, "not judged": 0.6, "warn": 0.4, "bad": 0.0}
_WEIGHT = {"taint": 4.0, "duplicate": 2.0, "contradiction": 3.0, "validation": 1.0, "confidence": 1.0}
"""How much a verdict counts for the order of the queue."""


@dataclass(frozen=True, slots=True)
class _Beside:
    """What a proposal is judged by."""

    proposed: Proposed
    known: Sequence[Known]
    taints: Sequence[tuple[Claim, Taint]]


def judge(proposal: Proposal, context: ConversationContext | None = None) -> None:
    """Run every check and keep what it found, also on those that wait and turn out to say otherwise.

    What an operator sees then is another version of it. `context` may have read its conversations already.
    """
    context = context or ConversationContext(_sheet(proposal.character))
    for other in _unaware(proposal, _judge(proposal, context)):
        _judge(other, context)


def _judge(proposal: Proposal, context: ConversationContext) -> Mapping[str, Found]:
    """What was found; nothing for one that is decided, or that is said again all the time."""
    if not proposal.is_undecided:
        return {}
    for _ in range(TRIES):
        beside = _beside(proposal, context)
        found = _verdicts(beside)
        sure, found[Verdict.Check.CONFIDENCE] = confidence.judge([_time(*each) for each in beside.taints])
        claims = {claim.pk for claim, _ in beside.taints}
        if keep(proposal, found, confidence=sure, priority=_priority(found, sure), claims=claims):
            return found
        with suppress(Proposal.DoesNotExist):  # then it is kept nowhere
            proposal.refresh_from_db()  # it may be put in other words
        context = ConversationContext(_sheet(proposal.character))  # there is more to read
    return {}


def _unaware(proposal: Proposal, found: Mapping[str, Found]) -> Iterable[Proposal]:
    """Those that it contradicts and that were judged before it was there: an operator sees it beside them, too."""
    if Verdict.Check.CONTRADICTION not in found:
        return
    told = {each["id"] for each in found[Verdict.Check.CONTRADICTION].evidence["conflicts"]}
    rows = Verdict.objects.filter(check_name=Verdict.Check.CONTRADICTION, proposal__state__in=UNDECIDED)
    pks = [int(name.partition(":")[2]) for name in told if name.startswith("proposal:")]
    for verdict in rows.filter(proposal__in=pks).select_related("proposal__character__live_revision"):
        if proposal.subject not in {each["id"] for each in verdict.evidence.get("conflicts", ())}:
            yield verdict.proposal


def _verdicts(beside: _Beside) -> dict[str, Found]:
    core = [each for each in beside.known if each.kind == "core"]
    return {
        Verdict.Check.TAINT: _of_taint(beside.taints),
        Verdict.Check.DUPLICATE: duplicates.judge(beside.proposed, beside.known),
        Verdict.Check.CONTRADICTION: contradictions.judge(beside.proposed, beside.known),
        Verdict.Check.VALIDATION: validation.judge(beside.proposed, core, wiring.language_model()),
    }


def _priority(found: dict[str, Found], sure: float) -> float:
    """From 0 to 1: worth much and risking little comes first."""
    points = sum(_WEIGHT[check] * _WORTH[each.outcome] for check, each in found.items())
    return round((points + sure) / (sum(_WEIGHT.values()) + 1), 4)


def _of_taint(taints: Sequence[tuple[Claim, Taint]]) -> Found:
    """Bad where it was led each time that it was said, warn where it was some times."""
    if not taints:
        return Found("not judged", "Nobody knows where she said it.", TAINT_VERSION)
    led = [(claim, taint) for claim, taint in taints if taint.is_tainted]
    reasons = [
        {
            "kind": reason.kind,
            "message": reason.message_id,
            "reply": claim.message.graph_id,
            "said": reason.sentence,
        }
        for claim, taint in led
        for reason in taint.reasons[:SHOWN]
    ]
    if not led:
        return Found("good", "Nobody led her: no dictation, no words put in her mouth.", TAINT_VERSION)
    outcome = "bad" if len(led) == len(taints) else "warn"
    return Found("bad" if outcome == "bad" else "warn", str(reasons[0]["said"]), TAINT_VERSION, {"reasons": reasons})


def _time(claim: Claim, taint: Taint) -> Time:
    before = claim.message.parent
    was_asked = before is not None and "?" in before.text
    return Time(claim.certainty, claim.hedged, claim.person_id, claim.conversation_id, taint.is_tainted, was_asked)


def _sheet(character: Character) -> Sheet:
    return character.sheet or Sheet(character.name, "")


def _beside(proposal: Proposal, context: ConversationContext) -> _Beside:
    character = proposal.character
    sheet, registry = _sheet(character), Predicate.objects.registry()
    object = cleaned(proposal.object)  # as it would be learned
    told = said(Fact("", proposal.predicate, object), registry)
    known = list(_known(proposal, sheet, registry))
    made = _embedded([told, *(each.said for each in known)], character)
    proposed = Proposed(proposal.predicate, object, told, proposal.meaning, made.get(told), sheet, registry)
    with_vectors = [
        Known(each.kind, each.id, each.predicate, each.object, each.said, made.get(each.said)) for each in known
    ]
    taints = [
        (claim, context.before(claim.message).judge(claim.start, claim.end, claim.object))
        for claim in _claims(proposal)
    ]
    return _Beside(proposed, with_vectors, taints)


def _claims(proposal: Proposal) -> Iterable[Claim]:
    return proposal.sampled().select_related("message__conversation__person", "message__replied_by", "message__parent")


def _known(proposal: Proposal, sheet: Sheet, registry: dict[str, values.Predicate]) -> Iterable[Known]:
    """Her core facts, what she learned, what her identity text says, and what else waits."""
    for fact in sheet.facts:
        yield Known("core", fact.id, fact.predicate, fact.object, said(fact, registry))
    for learned in in_use(proposal.character, sheet):
        fact = learned.fact
        yield Known("learned", fact.id, fact.predicate, fact.object, said(fact, registry))
    for each in get_sentence_boundaries("en", sheet.identity):
        if text := each["text"].strip():
            yield Known("identity", "identity", "", text, text)
    others = Proposal.objects.undecided().filter(character=proposal.character).exclude(pk=proposal.pk)
    for row in others.order_by("-priority")[:MOST_OTHERS]:
        words = said(Fact("", row.predicate, row.object), registry)
        yield Known("proposal", row.subject, row.predicate, row.object, words)


def _embedded(texts: Sequence[str], character: Character) -> dict[str, Vector]:
    """The vectors of these sentences, those of the live sheet as they are kept; none where there is no embedder."""
    live = character.live_revision
    kept = vectors.read(live) if live else {}
    missing = sorted({text for text in texts if text not in kept})
    try:
        made = wiring.embedder().embed(missing) if missing else np.zeros((0, 1), dtype=np.float32)
    except StoreError:  # words alone decide, as everywhere
        return {}
    return kept | dict(zip(missing, made, strict=True))


_Words = tuple[str, str]
"""Predicate and object."""


@transaction.atomic
def keep(
    proposal: Proposal, found: Mapping[str, Found], *, confidence: float, priority: float, claims: Set[int]
) -> bool:
    """Keep the verdicts; False where it has to be judged anew: it was said again since `claims` were read, or it, or
    what its evidence quotes, is gone or put in other words.

    Nothing changes of what was decided meanwhile. Other outcomes than before make it another version.
    """
    quoted = _quoted(found) | {proposal.subject: (proposal.predicate, proposal.object)}
    named = {int(name.partition(":")[2]) for name in quoted if not is_learned(name)}
    held = Proposal.objects.select_for_update(no_key=True).filter(pk__in=named).defer("vector")
    rows = {each.subject: each for each in held.order_by("pk")}  # in one order, so that nobody waits in a circle
    row = rows.get(proposal.subject)
    if row is None or not row.is_undecided:
        return True
    there = {name: (each.predicate, each.object) for name, each in rows.items()} | _learned(quoted)
    if any(there.get(name) != words for name, words in quoted.items()):
        return False  # somebody was forgotten meanwhile, and so are these words
    if set(row.sampled().values_list("pk", flat=True)) != claims:
        return False
    before = dict(row.verdicts.values_list("check_name", "outcome"))
    _write(row, found)
    row.confidence, row.priority = confidence, priority
    row.version += bool(before) and before != {check: each.outcome for check, each in found.items()}
    row.save(update_fields=["confidence", "priority", "version"])
    return True


def _quoted(found: Mapping[str, Found]) -> dict[str, _Words]:
    """The proposals and learned facts that the evidence quotes, by their names, with their words."""
    told = (each for one in found.values() for name in ("conflicts", "nearest") for each in one.evidence.get(name, ()))
    return {each["id"]: (each["predicate"], each["object"]) for each in told if each["kind"] in {"proposal", "learned"}}


def _learned(quoted: Collection[str]) -> dict[str, _Words]:
    """Of those that are learned facts, the ones that are still there; they stay until the transaction ends."""
    pks = [learned_pk(name) for name in quoted if is_learned(name)]
    held = LearnedFact.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=pks).order_by("pk")
    rows = held.select_related("predicate").defer("vectors") if pks else ()
    return {row.fact.id: (row.predicate.name, row.object) for row in rows}


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
