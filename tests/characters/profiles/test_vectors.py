"""The vectors of a revision's facts: made once, unchanged texts taken over."""

from collections.abc import Sequence

import numpy as np
import pytest

from characters.authoring.drafts import services as drafts
from characters.domain.facts import all_texts
from characters.profiles import services, vectors
from characters.profiles.models import Character, Predicate, Revision
from characters.profiles.tasks import embed_draft
from kgadmin.projection.models import LeaseLostError
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from tests.characters.profiles.sheets import sheet
from tests.kgadmin.knowledge.ingestion import HashEmbedder


class CountingEmbedder(HashEmbedder):
    """Remembers what it was asked."""

    def __init__(self, name: str = "hash") -> None:
        super().__init__(name)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().embed(texts)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> CountingEmbedder:
    return use(monkeypatch, CountingEmbedder())


def use(monkeypatch: pytest.MonkeyPatch, embedder: CountingEmbedder) -> CountingEmbedder:
    monkeypatch.setattr(wiring, "embedder", lambda: embedder)
    return embedder


def live(character: Character) -> Revision:
    character.refresh_from_db()
    assert character.live_revision is not None
    return character.live_revision


def test_every_text_of_a_fact_gets_its_vector_once_and_a_new_revision_embeds_only_what_is_new(
    ann: Character, counting: CountingEmbedder
) -> None:
    for _ in range(2):
        vectors.ensure(live(ann))
    embed_draft(drafts.draft_of(ann).pk)
    made = vectors.read(live(ann))
    assert list(made) == all_texts(sheet().facts, Predicate.objects.registry())
    assert sorted(made) == sorted(counting.asked)
    for text, vector in made.items():
        np.testing.assert_array_equal(vector, counting.embed([text])[0])
    before = {*counting.asked}
    counting.asked.clear()
    services.publish(ann, sheet=sheet(("IS_A", "lighthouse keeper"), ("IS_A", "diver")), by=None)
    vectors.ensure(live(ann))
    assert "I am a diver." in counting.asked and not before & {*counting.asked}
    assert "I like rain on a tin roof." not in vectors.read(live(ann))


def test_vectors_of_another_embedder_are_made_anew(
    ann: Character, counting: CountingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors.ensure(live(ann))
    other = use(monkeypatch, CountingEmbedder("other"))
    assert vectors.read(live(ann)) == {}
    vectors.ensure(live(ann))
    assert other.asked == counting.asked
    assert live(ann).embedder == "other"


def test_vectors_that_were_half_made_when_their_maker_died_are_completed(
    ann: Character, counting: CountingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "PART", 5)
    renewed: list[int] = []

    def die() -> None:
        renewed.append(len(counting.asked))
        if len(renewed) == 2:
            raise LeaseLostError

    with pytest.raises(LeaseLostError):
        vectors.ensure(live(ann), die)
    assert len(vectors.read(live(ann))) == 10
    counting.asked.clear()
    vectors.ensure(live(ann))
    assert len(counting.asked) == len(vectors.read(live(ann))) - 10
