"""What nobody would see is shown before anybody decides, and isn't learned."""

from collections.abc import Callable

import pytest
from django.test import Client

from characters.profiles.models import LearnedFact, Predicate
from characters.review import judgement
from characters.review.models import Claim, Proposal
from tests.characters.review.conftest import Proposed, judged

pytestmark = pytest.mark.django_db
ZERO, TAG = "U+200B</span>", "U+E0041</span>"
HIDING = "stag\u200bhorn\U000e0041"


@pytest.fixture
def hiding(proposed: Proposed, claim_of: Callable[..., Claim]) -> Proposal:
    """One whose statement, conversation and verdicts hide something."""
    proposal = proposed(HIDING)
    claim_of(proposal)
    fact = {"kind": "core", "id": "f1", "predicate": "LOVES", "sentence": "I love k\u2060elp.", "why": "so"}
    judged(proposal, "contradiction", "warn", {"conflicts": [fact]})
    return proposal


def shown(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return "".join(response.content.decode().partition("<main")[2].split())


def test_statement_sentence_and_what_stands_beside_show_it(operator_client: Client, hiding: Proposal) -> None:
    text = shown(operator_client, f"/review/{hiding.pk}/")
    boxes = (
        'stag<spanclass="hidden-character"title="U+200Bzerowidthspace">U+200B</span>horn<spanclass="hidden-character"'
    )
    assert f'id="statement"tabindex="-1">Ilove{boxes}' in text
    assert f"<mark>Ilove{boxes}" in text
    assert f"“{boxes}" in text
    assert "U+2060</span>elp" in text
    assert "Markedcharactersareinvisibleandwon’tbelearned." in text
    assert f'/review/{hiding.pk}/">Ilove{boxes}' in text  # in the queue


def test_a_batch_and_what_was_learned_before_show_it(
    operator_client: Client, author_client: Client, hiding: Proposal
) -> None:
    sent = {"verb": "approve", "chosen": f"{hiding.pk}:1"}
    where = operator_client.post("/review/bulk/", sent).headers["Location"]
    assert ZERO in shown(operator_client, where)
    predicate = Predicate.objects.get(name="LOVES")
    hiding.character.learned.create(predicate=predicate, object=HIDING, confidence=0.9)
    assert TAG in shown(author_client, "/characters/ann/learned/")


def test_it_is_judged_as_it_would_be_learned(proposed: Proposed) -> None:
    proposal = proposed("ja\u200bzz")
    judgement.judge(proposal)
    assert proposal.verdicts.get(check_name="contradiction").outcome == "bad"


@pytest.mark.parametrize("edited", [{}, {"object": HIDING}])
def test_it_is_not_learned_and_nothing_else_is_refused(
    operator_client: Client, hiding: Proposal, edited: dict[str, str]
) -> None:
    path = f"/review/{hiding.pk}/approve/"
    assert operator_client.post(path, {"version": "1", "object": "\u200b\u2060"}).status_code == 422
    operator_client.post(path, {"version": "1", **edited})
    hiding.refresh_from_db()
    assert (LearnedFact.objects.get().object, hiding.object) == ("staghorn", "staghorn")


def test_joiners_that_shape_what_is_seen_are_learned(operator_client: Client, proposed: Proposed) -> None:
    for object in ("می\u200cخواهم", "\U0001f469\u200d\U0001f680"):
        proposal = proposed(object)
        assert "hidden-character" not in shown(operator_client, f"/review/{proposal.pk}/")
        operator_client.post(f"/review/{proposal.pk}/approve/", {"version": "1"})
        assert LearnedFact.objects.filter(object=object).exists()
