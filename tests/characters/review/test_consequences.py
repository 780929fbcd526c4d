"""Which prompts a proposal would change: those of the turns that ask for it, and no other."""

from typing import NoReturn

import pytest

from characters.conversations.models import TurnMetrics
from characters.profiles.models import Character, LearnedFact
from characters.review import consequences
from characters.review.models import Proposal
from kgadmin.accounts.models import User
from kgadmin.stores.errors import StoreError
from tests.scripted_model import ScriptedModel
from tests.turns import answered, asked

pytestmark = pytest.mark.django_db(transaction=True)


def down() -> NoReturn:
    raise StoreError("The embedder does not answer.")


def test_only_turns_that_ask_for_it_would_change_and_looking_writes_nothing(
    tomasz: Character, tester: User, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    meaning = "FAVORITE_DRINK|nettle beer"
    proposal = Proposal.objects.create(
        character=tomasz, predicate="FAVORITE_DRINK", object="cold nettle beer", meaning=meaning
    )
    asking = answered(asked(tester, tomasz, "What is your favourite drink?"))
    answered(asked(tester, tomasz, "How is the weather in Lisbon today?"))
    before = list(TurnMetrics.objects.values())
    result = consequences.of(proposal)
    assert (result.looked_at, result.changing, result.problem, result.revision) == (2, 1, "", 1)
    (change,) = result.changes
    assert change.turn == asking
    assert any("cold nettle beer" in line for line in change.added)
    assert change.tokens > 0
    assert list(TurnMetrics.objects.values()) == before
    assert not LearnedFact.objects.exists()
    monkeypatch.setattr("kgadmin.stores.wiring.embedder", down)
    assert consequences.of(proposal).problem == "The embedder does not answer."
