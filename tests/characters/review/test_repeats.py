"""One meaning is one proposal: in the same words, in trivially other ones, and in near ones that add a word."""

import pytest

from characters.profiles.models import Character
from characters.review.models import Proposal
from characters.review.repeats import proposal_of
from kgadmin.stores.embedder import LocalEmbedder
from tests.characters.profiles import sheets

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(db: None, embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch) -> Character:
    monkeypatch.setattr("kgadmin.stores.wiring.embedder", lambda: embedder)
    return sheets.character("ann")


def test_a_repeat_in_near_words_is_the_same_proposal(ann: Character) -> None:
    first, is_new = proposal_of(ann, "LOVES", "the staghorn coral", "I love the staghorn coral.")
    assert is_new
    for object in ("staghorn corals", "the staghorn coral so much", "staghorn coral"):
        assert proposal_of(ann, "LIKES", object, f"I like {object}.") == (first, False)


def test_another_meaning_is_another_proposal(ann: Character) -> None:
    proposal_of(ann, "LOVES", "staghorn coral", "I love staghorn coral.")
    for predicate, object, sentence in (
        ("LOVES", "elkhorn coral", "I love elkhorn coral."),
        ("HATES", "staghorn coral", "I hate staghorn coral."),
        ("LOVES", "coral without staghorn", "I love coral without staghorn."),
        ("FAVORITE_CORAL", "staghorn coral", "My favourite coral is staghorn coral."),
    ):
        assert proposal_of(ann, predicate, object, sentence)[1], sentence


def test_what_was_declined_is_not_proposed_in_other_words_and_what_is_another_thing_is(ann: Character) -> None:
    again = "I love strolling along the beach for hours.", "strolling along the beach for hours"
    declined, _ = proposal_of(ann, "LOVES", "long walks on the beach", "I love long walks on the beach.")
    proposal, is_new = proposal_of(ann, "LOVES", again[1], again[0])
    assert is_new
    proposal.delete()
    Proposal.objects.update(state="rejected")
    assert proposal_of(ann, "LOVES", again[1], again[0]) == (declined, False)
    for object in ("swimming in the sea", "beaches without people", "crowded places"):
        assert proposal_of(ann, "LOVES", object, f"I love {object}.")[1], object
