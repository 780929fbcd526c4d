"""Fitting the background's weights on made-up rows: whether what is learned is what the rows say."""

from collections.abc import Sequence

import numpy as np
import pytest

from characters.domain.facts import all_texts
from characters.domain.sheet import Fact
from characters.turn import signals
from characters.turn.fact_index import build_index
from tests.characters.turn.world import REGISTRY, embed
from tests.quality import fitting_background as fitting
from tests.quality.fitting_background import FALSE_ATTRIBUTION, Sample

FACTS = (
    Fact("father", "HAS_FATHER", "a clockmaker"),
    Fact("pet", "HAS_PET", "a heron"),
    Fact("fear", "HAS_FEAR", "escalators"),
    Fact("note", "NOTE", "I walked to Torvik with a lantern"),
)
ASKED = (
    ("Who is your father?", "father"),
    ("Do you have a pet?", "pet"),
    ("Tell me about your father", "father"),
    ("Do you have a heron?", "pet"),
    ("What are you afraid of?", "fear"),
    ("Are escalators what you fear?", "fear"),
    ("When did you walk to Torvik with a lantern?", "note"),
)
OTHERS = ("What is my name?", "Set a timer", "My mother called", "How warm is it outside?", "I bought a kettle")


def sample(message: str, right: Sequence[str] = (), kind: str = "self") -> Sample:
    texts = all_texts(FACTS, REGISTRY)
    index = build_index(FACTS, REGISTRY, (), dict(zip(texts, embed(texts), strict=True)))
    vector = embed([message])[0]
    with_vectors, blind = (signals.of_facts(index, message, each) for each in (vector, None))
    marks = np.array([fact.id in right for fact in FACTS])
    return Sample("made up", kind, message, "Ann", index, with_vectors, blind, vector, marks)


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    asks = [sample(message, [right]) for message, right in ASKED]
    return [*asks, *(sample(message, kind="idle") for message in OTHERS)]


def test_right_facts_come_first_and_other_messages_stay_silent(samples: list[Sample]) -> None:
    about, others = embed([message for message, _ in ASKED]), embed(OTHERS)
    model = fitting.fit(samples, about, others, "words@1")
    figures = fitting.figures(samples, model)
    assert figures["hit@3"] >= 0.8
    assert figures["other false triggers"] == 0
    assert model.embedder == "words@1"


def test_where_few_may_pass_the_threshold_lies_above_the_rest(samples: list[Sample]) -> None:
    odds = np.arange(len(samples), dtype=float)
    everywhere = np.ones(len(samples), dtype=bool)
    assert fitting._needed(samples, odds, everywhere) > odds[-1]
    assert fitting._needed(samples, odds, ~everywhere) == 0


def test_what_fits_somebody_elses_facts_is_counted_apart(samples: list[Sample]) -> None:
    apart = sample("Who is your father?", kind=FALSE_ATTRIBUTION)
    assert apart.is_idle(apart=True)
    assert not apart.is_idle(apart=False)
    assert not samples[0].is_idle(apart=True)


def test_halves_are_told_by_the_text_whatever_its_case() -> None:
    assert sample("Who is your father?").half == sample("WHO IS YOUR FATHER?").half
