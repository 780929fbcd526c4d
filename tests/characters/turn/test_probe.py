from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.turn.probe import CACHE_TURNS, Probe, plan, probe
from characters.turn.request import ProbeMemory
from tests.characters.turn.world import TEXTS, World

GATE = "Who burned the Lantern Gate of the wardens?"
FERRY = "Why did the ferry Halcyon dock with a broken rudder?"


def probed(world: World, message: str, memory: ProbeMemory | None = None, **changes: Any) -> Probe:
    request = world.request(message, memory=memory or ProbeMemory(), **changes)
    planned = plan(request)
    readers = world.readers()
    return probe(request, planned, readers.embed(planned.texts), readers)


def test_the_base_that_the_message_is_about_is_primary_and_its_hits_tell_where_they_are_from() -> None:
    world = World()
    found = probed(world, GATE)
    assert (found.primary, found.supplemental, found.reused) == ("lanterns", (), False)
    assert found.margin >= found.margin_needed
    assert "lanterns" in found.verdict
    best = found.hits[0]
    assert (best.base, best.document, best.index, best.heading) == ("lanterns", "history.md", 0, "history")
    assert best.similarity >= best.threshold == 0.40
    assert best.phrase in {phrase.text for phrase in found.phrases}
    assert all(hit.similarity < hit.threshold for hit in found.near_misses)
    assert world.queries == [("orchard", "harbour", "lanterns")], "every base is asked once"


def test_a_base_has_its_own_threshold() -> None:
    world = World()
    strict = tuple(replace(base, threshold=0.99) for base in world.bases)
    found = probed(world, GATE, bases=strict)
    assert (found.hits, found.primary) == ((), "")
    assert found.near_misses


def test_two_equal_bases_are_too_close_to_call() -> None:
    twins = World({"first": TEXTS["harbour"], "second": TEXTS["harbour"]})
    found = probed(twins, FERRY)
    assert (found.primary, found.supplemental) == ("", ())
    assert found.margin < found.margin_needed
    assert found.verdict == "Too close to call between first and second."


def test_a_base_gains_nothing_by_its_size() -> None:
    filler = {
        f"{n}.md": (f"A page about plot {n} of the northern valley, its soil, hedges and rent.",) for n in range(60)
    }
    large = World({**TEXTS, "harbour": {**filler, **TEXTS["harbour"]}})
    large_orchard = World({**TEXTS, "orchard": {**filler, **TEXTS["orchard"]}})
    assert probed(large, FERRY).primary == probed(World(), FERRY).primary == "harbour"
    assert probed(large_orchard, FERRY).primary == "harbour"
    assert probed(large, GATE).primary == "lanterns"


def test_a_second_subject_makes_its_base_supplemental() -> None:
    found = probed(World(), "Did the Harbourmaster Quill know who burned the Lantern Gate at the Moonwell?")
    assert found.primary == "lanterns"
    assert found.supplemental == ("harbour",)


def test_a_chunk_that_is_switched_off_is_no_hit() -> None:
    chunk = probed(World(), GATE).hits[0].chunk
    found = probed(World(), GATE, off=frozenset({f"chunk:{chunk}"}))
    assert chunk not in {hit.chunk for hit in (*found.hits, *found.near_misses)}


def test_a_chunk_that_was_deleted_is_no_hit_even_from_the_cache() -> None:
    world = World()
    first = probed(world, GATE)
    world.gone.add(first.hits[0].chunk)
    again = probed(world, GATE, first.memory)
    assert first.hits[0].chunk not in {hit.chunk for hit in again.hits}


# The cache


def test_a_repeat_of_the_previous_turn_reuses_its_result() -> None:
    world = World()
    first = probed(world, FERRY)
    world.queries.clear()
    again = probed(world, FERRY, first.memory)
    assert again.reused
    assert world.queries == []
    assert (again.scores, again.hits, again.verdict) == (first.scores, first.hits, first.verdict)
    assert all(phrase.cached for phrase in again.phrases)


def test_a_phrase_is_asked_again_after_ten_turns_and_forgotten_then() -> None:
    world = World()
    memory = probed(world, GATE).memory
    for later, cached in ((CACHE_TURNS, True), (CACHE_TURNS + 1, False)):
        aged = replace(memory, turn=memory.turn + later - 1)
        phrases = probed(world, "Please tell me who built the Lantern Gate", aged).phrases
        assert {phrase.text: phrase.cached for phrase in phrases}["Lantern Gate"] is cached, later
    kept = probed(world, FERRY, replace(memory, turn=memory.turn + CACHE_TURNS)).memory.phrases
    assert ("Lantern Gate" in kept, FERRY in kept) == (False, True)


def test_a_change_of_the_bases_empties_the_cache() -> None:
    world = World({**TEXTS, "harbour2": TEXTS["harbour"]})
    *before, _ = world.bases
    memory = probed(world, GATE, bases=tuple(before)).memory
    changed = tuple(replace(base, version=2) if base.slug == "harbour" else base for base in before)
    for bases in (changed, tuple(before[1:]), world.bases):
        found = probed(world, GATE, memory, bases=bases)
        assert not found.reused, bases
        assert not any(phrase.cached for phrase in found.phrases), bases
    assert probed(world, GATE, memory, bases=tuple(before)).reused


# Follow-ups


def test_a_follow_up_leans_on_the_last_base_and_says_so() -> None:
    world = World()
    first = probed(world, GATE)
    found = probed(world, "And what did they do then?", first.memory)
    assert (found.primary, found.leaned) == ("lanterns", True)
    assert "follows up" in found.verdict
    assert "follow-up" in [phrase.kind for phrase in found.phrases]


def test_fresh_evidence_beats_the_last_base() -> None:
    world = World()
    found = probed(world, "And did that ferry Halcyon dock at pier four?", probed(world, GATE).memory)
    assert (found.primary, found.leaned) == ("harbour", False)


def test_a_message_with_a_subject_of_its_own_is_no_follow_up() -> None:
    world = World()
    found = probed(world, "Can anybody here recommend a decent plumber?", probed(world, GATE).memory)
    assert (found.primary, found.leaned) == ("", False)


def test_a_follow_up_does_not_lean_on_a_base_that_is_no_longer_in_scope() -> None:
    world = World()
    memory = probed(world, GATE).memory
    assert probed(world, "And what did they do then?", memory, bases=world.bases[:2]).primary == ""


@settings(max_examples=60)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=120), min_size=1, max_size=4))
def test_no_conversation_breaks_it(messages: list[str]) -> None:
    world, memory = World(), ProbeMemory()
    for turn, message in enumerate(messages, start=1):
        found = probed(world, message, memory)
        memory = found.memory
        assert memory.turn == turn
        assert sum(score.share for score in found.scores) == pytest.approx(1 if found.scores else 0)
        assert set(found.supplemental) <= set(TEXTS) - {found.primary}
        assert found.skipped or found.verdict
