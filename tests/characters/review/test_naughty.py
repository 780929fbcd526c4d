"""Naughty strings, said to a character who obeys, with an operator who approves: nothing changes."""

from pathlib import Path

import pytest

from kgadmin.stores.embedder import LocalEmbedder
from tests.quality import attacked
from tests.quality.vectors import StoredVectors

pytestmark = pytest.mark.django_db
IN_ONE_TALK = 24
"""Messages of one conversation: the later prompts take longer than the messages."""


@pytest.mark.faults
@pytest.mark.timeout(600)
def test_no_naughty_string_changes_a_core_fact_or_breaks_anything(
    naughty_strings: list[str], embedder: LocalEmbedder, tmp_path: Path
) -> None:
    vectors = StoredVectors(embedder, tmp_path)
    vectors.prepare(naughty_strings)
    talks = [naughty_strings[start : start + IN_ONE_TALK] for start in range(0, len(naughty_strings), IN_ONE_TALK)]
    with attacked.world(vectors) as world:
        assert world.has_graph
        assert attacked.core_of(world.before[0])
        outcomes = [world.attack(*talk) for talk in talks]
    assert {outcome.changed for outcome in outcomes} == {()}
    assert sum(outcome.approved for outcome in outcomes) > len(talks), "the operator approved what may be approved"
    assert sum(outcome.unlearnable for outcome in outcomes) > 0
