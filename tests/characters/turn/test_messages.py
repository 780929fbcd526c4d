"""An index of messages, whatever of it was stored."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.domain import topics
from characters.turn.messages import MessageIndex, PastMessage

WORDS = "amber birch cedar delta ember fjord grove heath".split()
BEGIN = datetime(2031, 3, 1, 8, tzinfo=UTC)
EVERYDAY = np.random.default_rng(7).standard_normal((len(topics.TALK), 4), np.float32) / np.float32(8)
TALK = st.lists(
    st.tuples(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), st.integers(1, 3), st.booleans()),
    min_size=1,
    max_size=12,
)


@settings(max_examples=80)
@given(TALK, st.lists(st.integers(0, 12), max_size=3))
def test_what_was_stored_and_what_came_later_are_searched_as_one(
    talk: list[tuple[list[str], int, bool]], stops: list[int]
) -> None:
    messages = [
        PastMessage(10 + place, conversation, BEGIN + timedelta(days=place), " ".join(text))
        for place, (text, conversation, _) in enumerate(talk)
    ]
    chance = np.random.default_rng(len(talk))
    vectors = [chance.standard_normal(4).astype(np.float32) if embedded else None for *_, embedded in talk]
    at_once, parts = MessageIndex.of(messages, vectors), MessageIndex()
    by_id = {message.id: message for message in messages}
    for place, message in enumerate(messages):
        if place in stops:
            parts = MessageIndex(parts.arrays(EVERYDAY))
        before = parts.stored_before(message.conversation)
        parts.add(message, vectors[place], by_id[before].text if before is not None else "")
    assert (parts.ids.tolist(), parts.days.tolist()) == (at_once.ids.tolist(), at_once.days.tolist())
    assert parts.bm25(WORDS[:5]) == pytest.approx(at_once.bm25(WORDS[:5]), abs=1e-4)
    question = np.ones(4, dtype=np.float32)
    assert parts.cosines(question) == pytest.approx(at_once.cosines(question), abs=1e-5)
    points = [index.points(index.cosines(question), index.bm25(WORDS[:5])) for index in (parts, at_once)]
    assert points[0] == pytest.approx(points[1], abs=1e-4)


def test_a_vector_that_comes_later_counts_and_one_of_another_model_does_not() -> None:
    first, second = (PastMessage(key, 1, BEGIN, "amber") for key in (7, 8))
    index = MessageIndex.of([first, second], [None, np.ones(2, dtype=np.float32)])
    assert index.without_vector == [7]
    index.set_vector(7, np.array([0.5, 0.5, 0.5], dtype=np.float32))
    assert index.cosines(np.ones(3, dtype=np.float32)).tolist() == [1.5, 0.0]
    assert index.without_vector == []


def test_noise_is_the_most_that_everyday_talk_scores_here_wherever_a_message_is_stored() -> None:
    texts = ("I paint on Sundays", "Hello there!", "The landlord is back", "Do you like my boat?")
    messages = [PastMessage(key, key, BEGIN, text) for key, text in enumerate(texts)]
    vectors = np.random.default_rng(3).standard_normal((len(texts), 4)).astype(np.float32) / 2
    at_once, later = MessageIndex.of(messages, list(vectors)), MessageIndex.of(messages[:2], [vectors[0], None])
    later.noise(EVERYDAY)
    later.set_vector(1, vectors[1])
    later = MessageIndex(later.arrays(EVERYDAY))
    for message, vector in zip(messages[2:], vectors[2:], strict=True):
        later.add(message, vector)
    noise = at_once.noise(EVERYDAY)
    expected = [at_once.points(at_once.cosines(vector), np.zeros(len(texts), np.float32)).max() for vector in EVERYDAY]
    assert (noise[1] >= np.array(expected) - 1e-5).all()
    wordless = [place for place, points in enumerate(noise[0]) if points == 0.0]
    assert noise[1][wordless] == pytest.approx(np.array(expected)[wordless], abs=1e-5)
    assert later.noise(EVERYDAY) == pytest.approx(noise, abs=0.3), "a word's rarity changes a little as more is said"
    assert noise[0].max() > 0 > MessageIndex.of(messages[1:2], [None]).noise(EVERYDAY).max()
