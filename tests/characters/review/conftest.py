"""Ann, who states things about herself, and proposals for her as the gate leaves them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from characters.conversations import services as conversations
from characters.profiles.models import Character
from characters.review.models import Claim, Proposal, Verdict
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from tests.characters.profiles import sheets
from tests.characters.review.proposals import proposal, stated
from tests.fixtures.people import PASSWORD
from tests.pages import text_of

Proposed = Callable[..., Proposal]
ALL_GOOD = dict.fromkeys(Verdict.Check.values, "good")


@pytest.fixture
def ann(db: None) -> Character:
    return sheets.character("ann", ("HAS_FATHER", "Built boats"), ("DISLIKES", "jazz"))


@pytest.fixture
def other(operator: User) -> User:
    """Another operator."""
    made = User.objects.create_user("other", password=PASSWORD)
    made.groups.set(operator.groups.all())
    return made


@pytest.fixture
def proposed(ann: Character) -> Proposed:
    """`proposed(object, ...)`: one that waits, with its verdicts; `claim_of` gives it a conversation."""

    def make(object: str = "staghorn", predicate: str = "LOVES", **values: object) -> Proposal:
        return proposal(ann, predicate, object, ALL_GOOD, **{"priority": 0.5} | values)

    return make


@pytest.fixture
def claim_of(tester: User) -> Callable[..., Claim]:
    """`claim_of(proposal, person="Mark")`: it was said, in a conversation with a message before and one after it."""

    def make(row: Proposal, person: str = "Mark") -> Claim:
        parts = {"before": "Sundays are mine. ", "after": ", and then I smell of kelp."}
        claim = stated(row, f"I love {row.object}", by=tester, to=person, **parts)
        conversations.start_turn(conversation=claim.conversation, text="Sounds cold.")
        return claim

    return make


def refusal(response: Any) -> str:
    """What a page says that a decision was refused for."""
    return " ".join(str(message) for message in response.context["messages"])


def page(client: Client, proposal: Proposal) -> str:
    return text_of(client, f"/review/{proposal.pk}/")


def work() -> None:
    """Let a worker come by."""
    for job in Job.objects.open():
        runner.run(job.pk)


def do(client: Client, where: str, **form: str) -> Any:
    """Do what was chosen for a batch, as its page does, and let a worker come by."""
    response = client.post(f"{where}do/", form)
    work()
    return response


def judged(proposal: Proposal, check: str, outcome: str, evidence: dict[str, object] | None = None) -> None:
    """Let one of its checks have found this."""
    Verdict.objects.filter(proposal=proposal, check_name=check).update(outcome=outcome, evidence=evidence or {})
