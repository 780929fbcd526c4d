"""What a character said of themself in a reply, what became of it, and whether the message elicited it."""

from dataclasses import dataclass

from characters.conversations.models import Memory, Message, Turn
from characters.language.gate import taint
from characters.review import transcripts
from characters.review.models import Claim, Proposal
from characters.review.reply_reader import PROPOSE
from kgadmin.stores import offline

STATES = {
    Proposal.State.OPEN: "waiting for an operator",
    Proposal.State.DEFERRED: "was deferred by an operator",
    Proposal.State.APPROVED: "was approved, and is learned",
    Proposal.State.REJECTED: "was rejected by an operator",
}
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the character said of themself: the words, as what they were read, and what became of it."""

    words: str
    predicate: str
    object: str
    outcome: str
    proposal: int | None


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a reply. `elicited` says by what the person elicited them; `withheld`, what isn't quoted."""

    rows: tuple[Statement, ...]
    elicited: tuple[str, ...]
    withheld: str
    unexamined: bool
    why_not: str
    """Why no proposal can come of it; empty where one can."""


def statements_of(turn: Turn) -> Statements | None:
    """None where there is no reply, or it isn't one that is remembered."""
    reply = turn.reply
    if reply is None or not reply.is_in_history:
        return None
    rows = Claim.objects.filter(message=reply).select_related("proposal").prefetch_related("proposal__verdicts")
    claims = list(rows.order_by("start"))
    return Statements(
        rows=tuple(_statement(claim, reply) for claim in claims),
        elicited=_elicited(turn, claims),
        withheld=_withheld(turn.message, reply),
        unexamined=reply.memory == Memory.WAITING,
        why_not=_why_not(turn),
    )


def _statement(claim: Claim, reply: Message) -> Statement:
    outcome = claim.refused or STATES[Proposal.State(claim.proposal.state)] if claim.proposal else claim.refused
    words = reply.text[claim.start : claim.end]
    return Statement(words, claim.predicate, claim.object, outcome, claim.proposal_id)


def _elicited(turn: Turn, claims: list[Claim]) -> tuple[str, ...]:
    """By what: what the message itself attempts, and what the gate found about the statements."""
    reasons = [reason.sentence for reason in taint.attempts(transcripts.as_recorded(turn.message))]
    reply = turn.reply.graph_id if turn.reply else ""
    for claim in claims:
        for verdict in claim.proposal.verdicts.all() if claim.proposal else ():
            evidence = verdict.evidence.get("reasons", [])  # only that of taint has any
            reasons += [reason["sentence"] for reason in evidence if reason.get("reply", reply) == reply]
    return tuple(dict.fromkeys(reasons))[:SHOWN]


def _withheld(message: Message, reply: Message) -> str:
    if message.memory == Memory.WITHHELD:
        return "Neither the message nor the reply is remembered."
    if reply.memory == Memory.WITHHELD:
        return "This reply is never recalled: its statement about the character isn't on the sheet."
    return ""


def _why_not(turn: Turn) -> str:
    conversation = turn.conversation
    sheet = conversation.character.sheet
    if conversation.sandbox:
        return "A sandbox creates no proposals."
    if turn.model == offline.NAME:
        return "The offline responder only repeats the assembled context, so there is nothing to learn."
    if sheet is None or sheet.settings.learning != PROPOSE:
        return f"{conversation.character.name} doesn't learn: learning is off in the settings."
    return ""
