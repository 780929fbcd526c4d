"""Proposals as rows, and where they were said."""

from typing import Any

from characters.conversations import services as conversations
from characters.conversations.models import Turn
from characters.profiles.models import Character
from characters.review.models import Claim, Proposal, Verdict
from kgadmin.accounts.models import User


def proposal(
    character: Character, predicate: str = "FAVORITE_CORAL", object: str = "staghorn", **more: Any
) -> Proposal:
    """One that waits, with two verdicts and said nowhere."""
    fields = {"meaning": f"{predicate}|{object}", "confidence": 0.95} | more
    row = Proposal.objects.create(character=character, predicate=predicate, object=object, **fields)
    for position, (check, outcome) in enumerate({"taint": "good", "duplicate": "warn"}.items()):
        Verdict.objects.create(
            proposal=row, check_name=check, position=position, outcome=outcome, summary="So.", version="1"
        )
    return row


def said(row: Proposal, sentence: str, *, by: User, before: str = "Well. ", to: str = "") -> Claim:
    """That it was said once more, in a conversation of its own; `to` a new test person of this name."""
    person = conversations.new_test_person(name=to, by=by) if to else None
    conversation = conversations.start_conversation(character=row.character, by=by, person=person)
    turn, _ = conversations.start_turn(conversation=conversation, text="What do you like?")
    turn.finish(Turn.State.DONE, f"{before}{sentence} And you?")
    assert turn.reply
    return Claim.objects.create(
        message=turn.reply,
        turn=turn,
        conversation=conversation,
        person=conversation.person,
        character=row.character,
        proposal=row,
        predicate=row.predicate,
        object=row.object,
        start=len(before),
        end=len(before) + len(sentence),
        certainty=0.9,
        stated_at=turn.reply.at,
    )
