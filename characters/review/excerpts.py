"""Excerpts: the claims of a proposal in their conversations, and the messages that elicited them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from characters.conversations.models import Message
from characters.people.facts import Quote
from characters.review.models import Claim, Proposal, Verdict
from characters.review.transcripts import message_pk
from characters.review.words import ELICITED

CLAIMS_SHOWN = 8
AROUND = 400
"""Characters of a message on each side of a mark; a message without a mark is cut to as many."""


@dataclass(frozen=True, slots=True)
class Elicitation:
    """Why a statement may not be the character's own; `message` is the one that elicited it, if recorded."""

    kind: str
    sentence: str
    message: Message | None

    @property
    def name(self) -> str:
        return ELICITED.get(self.kind, self.kind.capitalize())


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message of an excerpt."""

    quote: Quote
    elicitations: tuple[Elicitation, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A claim with the messages around it."""

    claim: Claim
    messages: tuple[ShownMessage, ...]


def excerpts_of(proposal: Proposal, elicitations: Sequence[Elicitation]) -> tuple[Excerpt, ...]:
    """Return the newest claims, each with two messages before, the reply, and one after."""
    full = proposal.claims.select_related("message__parent__parent", "conversation", "person", "character", "turn")
    vectors = ("message__vector", "message__parent__vector", "message__parent__parent__vector")
    lean = full.defer(*vectors, "turn__request", "turn__carried", "turn__prompt", "turn__text")
    claims = list(lean.order_by("-stated_at", "-pk")[:CLAIMS_SHOWN])
    rows = Message.objects.filter(parent__in=[claim.message_id for claim in claims]).order_by("-pk").defer("vector")
    after = {message.parent_id: message for message in rows}
    return tuple(_excerpt(claim, after.get(claim.message_id), elicitations) for claim in claims)


def _excerpt(claim: Claim, after: Message | None, elicitations: Sequence[Elicitation]) -> Excerpt:
    before = claim.message.parent
    quotes = [Quote.of(message, 0, 0, AROUND) for message in (before and before.parent, before) if message]
    quotes.append(Quote.of(claim.message, claim.start, claim.end, AROUND))
    if after:
        quotes.append(Quote.of(after, 0, 0, AROUND))
    shown = ((quote, tuple(each for each in elicitations if each.message == quote.message)) for quote in quotes)
    return Excerpt(claim, tuple(ShownMessage(*parts) for parts in shown))


def elicitations_of(verdicts: Iterable[Verdict]) -> list[Elicitation]:
    """Return the reasons of the taint verdict, each with its message."""
    reasons = [reason for verdict in verdicts for reason in verdict.evidence.get("reasons", ())]
    pks = [message_pk(reason.get("message", "")) for reason in reasons]
    rows = Message.objects.select_related("conversation").defer("vector").filter(pk__in=filter(None, pks))
    messages = rows.in_bulk() if any(pks) else {}
    return [
        Elicitation(reason["kind"], reason["sentence"], messages.get(pk))
        for reason, pk in zip(reasons, pks, strict=True)
    ]
