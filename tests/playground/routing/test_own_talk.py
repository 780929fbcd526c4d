import numpy as np
import pytest

from characters.conversations.models import Message, Person, Turn
from characters.profiles.models import Character
from characters.talk import idle
from characters.talk.idle import own_talk
from kgadmin.accounts.models import User
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.tasks import LEAST_TALK, measure_by_own_talk
from kgadmin.stores import wiring
from playground.routing import labels
from tests.kgadmin.knowledge.ingestion import HashEmbedder, finish, paper
from tests.kgadmin.stores.exact_index import ExactIndex
from tests.turns import asked

TALK = {"is_topical": False}


def embedded(turn: Turn, embedder: HashEmbedder, **probe: object) -> None:
    """The turn as it is once it was answered, and its message embedded."""
    text = turn.message.text
    Turn.objects.filter(pk=turn.pk).update(carried={"probe": {"message": text, **probe}})
    vector = embedder.embed([text])[0].tobytes()
    Message.objects.filter(pk=turn.message_id).update(vector=vector, embedder=wiring.embedder().id)


def test_own_talk_is_what_the_probe_took_for_talk_and_no_tester_labelled_otherwise(
    embedder: HashEmbedder, resting: Character, tester: User, mark: Person
) -> None:
    texts = {
        "My tea went cold while I was on the phone.": TALK,
        "Why do corals bleach in warm water?": {"is_topical": True},
        "Good morning": TALK,
        "Luna slept on the radiator all day.": TALK,
    }
    turns = {text: asked(tester, resting, text, person=mark) for text in texts}
    for text, probe in texts.items():
        embedded(turns[text], embedder, **probe)
    base = knowledge.register(name="Cats", by=None)
    labels.save(
        "Luna slept on the radiator all day.", base, by=tester, turn=turns["Luna slept on the radiator all day."]
    )
    assert np.array_equal(own_talk(), embedder.embed(["My tea went cold while I was on the phone."]))
    Message.objects.all().delete()
    assert len(own_talk()) == 0


def test_bases_are_measured_again_once_people_have_talked_twice_as_much(
    hashed: ExactIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = knowledge.register(name="Reef", by=None)
    knowledge.add_document(base=base, name="a.md", content=paper("corals", sections=1), by=None)
    finish(base)
    base.refresh_from_db()
    before, near = base.threshold, base.chunks.get().values
    for count, threshold in ((LEAST_TALK - 1, before), (400, 1.0), (500, 1.0)):
        monkeypatch.setattr(idle, "own_talk", lambda count=count: np.tile(near, (count, 1)))
        measure_by_own_talk()
        base.refresh_from_db()
        assert base.threshold == threshold, count
    assert base.word_counts.own_count == 400, "once, until they have said twice as much"
