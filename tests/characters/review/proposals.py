"""Proposals as rows, where they were said, and what became of them."""

from collections.abc import Mapping
from typing import Any

from characters.conversations import services as conversations
from characters.conversations.models import Conversation, Message, Turn
from characters.profiles.models import Character, LearnedFact
from characters.review.decisions import ProposalVersion
from characters.review.models import Claim, Proposal, Verdict
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry

OUTCOMES = {"taint": "good", "duplicate": "warn"}


def proposal(
    character: Character,
    predicate: str = "FAVORITE_CORAL",
    object: str = "staghorn",
    outcomes: Mapping[str, str] = OUTCOMES,
    **more: Any,
) -> Proposal:
    """One that waits, with these verdicts and said nowhere."""
    fields = {"meaning": f"{predicate}|{object}", "confidence": 0.95} | more
    row = Proposal.objects.create(character=character, predicate=predicate, object=object, **fields)
    Verdict.objects.bulk_create(
        Verdict(proposal=row, check_name=check, position=position, outcome=outcome, summary="So.", version="1")
        for position, (check, outcome) in enumerate(outcomes.items())
    )
    return row


def replied(
    character: Character, by: User, message: str, reply: str, *, name: str = "", to: Conversation | None = None
) -> Message:
    """The reply of one more turn, in a new conversation unless it is given, with a new test person of this name."""
    person = conversations.new_test_person(name=name, by=by) if name else None
    conversation = to or conversations.start_conversation(character=character, by=by, person=person)
    turn, _ = conversations.start_turn(conversation=conversation, text=message)
    turn.finish(Turn.State.DONE, reply)
    assert turn.reply
    return turn.reply


def stated(
    row: Proposal, sentence: str, *, by: User, before: str = "Well. ", after: str = " And you?", to: str = ""
) -> Claim:
    """That it was said once more, in a conversation of its own; `to` a new test person of this name."""
    asked, text = "What do you do on your days off?", f"{before}{sentence}{after}"
    reply = replied(row.character, by, asked, text, name=to)
    return Claim.objects.create(
        message=reply,
        turn=reply.replied_by,
        conversation=reply.conversation,
        person=reply.conversation.person,
        character=row.character,
        proposal=row,
        predicate=row.predicate,
        object=row.object,
        start=len(before),
        end=len(before) + len(sentence),
        certainty=0.9,
        stated_at=reply.at,
    )


def at_version(row: Proposal) -> ProposalVersion:
    """As it is now."""
    return ProposalVersion(row.pk, Proposal.objects.get(pk=row.pk).version)


def state(row: Proposal) -> str:
    return str(Proposal.objects.get(pk=row.pk).state)


def learned(character: Character) -> list[str]:
    """The learned facts that are in use."""
    return [str(fact) for fact in LearnedFact.objects.active().filter(character=character).order_by("pk")]


def verbs() -> list[str]:
    """What the audit log says was done, the publishing left out."""
    return list(Entry.objects.exclude(verb="published").order_by("pk").values_list("verb", flat=True))
