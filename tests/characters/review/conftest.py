"""Ann, who says things of herself, and proposals of hers as the gate leaves them."""

from collections.abc import Callable
from typing import Any

import pytest

from characters.conversations import services as conversations
from characters.conversations.models import Turn
from characters.profiles.models import Character
from characters.review.models import Claim, Proposal, Verdict
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets
from tests.fixtures.people import PASSWORD

Proposed = Callable[..., Proposal]
SAID = "Sundays are mine. I love {}, and then I smell of kelp."
CHECKS = ("taint", "duplicate", "contradiction", "validation", "confidence")


@pytest.fixture
def ann_who_learns(db: None) -> Character:
    return sheets.character("ann", ("HAS_FATHER", "Built boats"), ("DISLIKES", "jazz"))


@pytest.fixture
def other_operator(operator: User) -> User:
    made = User.objects.create_user("operator 2", password=PASSWORD)
    made.groups.set(operator.groups.all())
    return made


@pytest.fixture
def proposed(ann_who_learns: Character) -> Proposed:
    """`proposed(object, ...)`: one that waits, with its verdicts; `claim_of` gives it a conversation."""

    def make(object: str = "staghorn", predicate: str = "LOVES", **values: object) -> Proposal:
        given = {"confidence": 0.95, "priority": 0.5, "meaning": f"{predicate} {object}"} | values
        row = Proposal.objects.create(character=ann_who_learns, predicate=predicate, object=object, **given)
        for place, check in enumerate(CHECKS):
            said = f"Something about {check}."
            row.verdicts.create(check_name=check, position=place, outcome="good", summary=said, version="1")
        return row

    return make


@pytest.fixture
def claim_of(ann_who_learns: Character, tester: User) -> Callable[..., Claim]:
    """`claim_of(proposal, person="Mark")`: it was said, in a conversation with a message before and one after it."""

    def make(proposal: Proposal, person: str = "Mark") -> Claim:
        who = conversations.new_test_person(name=person, by=tester)
        talk = conversations.start_conversation(character=ann_who_learns, by=tester, person=who)
        turn, _ = conversations.start_turn(conversation=talk, text="What do you do on your days off?")
        text = SAID.format(proposal.object)
        turn.finish(Turn.State.DONE, text)
        conversations.start_turn(conversation=talk, text="Sounds cold.")
        assert turn.reply
        start = text.index("I love")
        return Claim.objects.create(
            message=turn.reply, turn=turn, conversation=talk, person=who, character=ann_who_learns, proposal=proposal,
            predicate=proposal.predicate, object=proposal.object, start=start, end=text.index(", and"), certainty=0.9,
            stated_at=turn.reply.at,
        )  # fmt: skip

    return make


def refusal(response: Any) -> str:
    """What a page says that a decision was refused for."""
    return " ".join(str(message) for message in response.context["messages"])


def judged(proposal: Proposal, check: str, outcome: str, evidence: dict[str, object] | None = None) -> None:
    """Let one of its checks have found this."""
    Verdict.objects.filter(proposal=proposal, check_name=check).update(outcome=outcome, evidence=evidence or {})
