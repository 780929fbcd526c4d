from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.domain.topics import IDLE
from characters.language.phrases import Kind
from characters.turn.calibration import LEAST_NEEDED, Calibration, WordCounts, calibrate, subject_of
from characters.turn.choice import BaseScore, Hit, Likeness, choose
from characters.turn.probe import MOST_HITS, Probe, plan, probe
from characters.turn.request import ProbeMemory
from tests.characters.turn.world import TEXTS, World

GATE = "Who burned the Lantern Gate of the wardens?"
FERRY = "Why did the ferry Halcyon dock with a broken rudder?"


def both(world: World, message: str, memory: ProbeMemory | None, **changes: Any) -> tuple[Probe, ProbeMemory]:
    asked = world.request(message, memory=memory or ProbeMemory(), **changes)
    planned, readers = plan(asked), world.readers()
    return probe(asked, planned, readers.embed(planned.texts), readers)


def probed(world: World, message: str, memory: ProbeMemory | None = None, **changes: Any) -> Probe:
    return both(world, message, memory, **changes)[0]


def remembered(world: World, message: str, memory: ProbeMemory | None = None) -> ProbeMemory:
    """What the probe carries on after this message."""
    return both(world, message, memory)[1]


def test_the_base_that_the_message_is_about_is_primary_and_its_hits_tell_where_they_are_from() -> None:
    world = World()
    result = probed(world, GATE)
    assert (result.primary, result.supplemental) == ("lanterns", ())
    assert result.margin >= result.margin_needed
    assert "lanterns" in result.verdict
    best = result.hits[0]
    assert (best.base, best.document, best.index, best.heading) == ("lanterns", "history.md", 0, "history")
    assert best.similarity >= best.threshold == 0.40
    assert best.phrase in {phrase.text for phrase in result.phrases}
    assert all(hit.similarity < hit.threshold for hit in result.near_misses)
    assert world.queries == [("orchard", "harbour", "lanterns")], "every base is asked once"


def test_a_base_has_its_own_threshold() -> None:
    world = World()
    strict = tuple(replace(base, threshold=0.99) for base in world.bases)
    result = probed(world, GATE, bases=strict)
    assert (result.hits, result.primary) == ((), "")
    assert result.near_misses


def test_two_equal_bases_are_too_close_to_call() -> None:
    twins = World({"first": TEXTS["harbour"], "second": TEXTS["harbour"]})
    result = probed(twins, FERRY)
    assert (result.primary, result.supplemental) == ("", ())
    assert result.margin < result.margin_needed
    assert result.verdict == "Too close to call between first and second."


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
    result = probed(World(), "Did the Harbourmaster Quill know who burned the Lantern Gate at the Moonwell?")
    assert result.primary == "lanterns"
    assert result.supplemental == ("harbour",)


def test_a_source_that_the_message_names_is_asked_first_if_it_has_a_hit() -> None:
    world = World()
    named = tuple(replace(base, name="Lab log" if base.slug == "orchard" else "") for base in world.bases)
    for message, primary in (
        (f"Check the lab log: {GATE}", "orchard"),
        (f"What does the lab log say? {GATE}", "orchard"),
        (f"He wrote a lab log. {GATE}", "lanterns"),
        (f"A noise came from the lab log. {GATE}", "lanterns"),
    ):
        bases = tuple(replace(base, threshold=0.1 if base.slug == "orchard" else 0.4) for base in named)
        assert probed(world, message, bases=bases).primary == primary, message
        strict = tuple(replace(base, threshold=0.99 if base.slug == "orchard" else 0.4) for base in named)
        assert probed(world, message, bases=strict).primary == "lanterns", (
            "a threshold binds where a base is named, too"
        )
    unheard = tuple(replace(base, threshold=0.99) for base in named)
    assert not probed(world, "Check the lab log, please", bases=unheard).primary, "what has no hit isn't chosen"


def test_the_name_of_who_is_spoken_to_points_to_no_base() -> None:
    world = World({**TEXTS, "orchard": {"a.md": ("Wanda prunes the pears of the orchard in March, said Wanda.",)}})
    wanda = replace(world.request("").sheet, name="Wanda Berg")
    result = probed(world, "Good morning Wanda, did you sleep at all?", sheet=wanda)
    assert not {"Wanda"} & {phrase.text for phrase in result.phrases}
    assert all(score.evidence == 0 for score in result.scores if score.base == "orchard")


def test_why_a_base_was_chosen_is_two_sentences_in_words() -> None:
    answers, apart = probed(World(), GATE).why
    assert answers.endswith("near the message or one of its phrases.")
    assert apart == "“Lantern Gate” and “wardens” are only there."
    alone = probed(World({"lanterns": TEXTS["lanterns"]}), GATE)
    assert alone.why[1] == "It is the only base that this character may use."
    assert probed(World(), "Can anybody here recommend a decent plumber?").why == ()


def test_a_chunk_that_is_switched_off_or_just_deleted_is_shown_as_no_hit() -> None:
    world = World()
    chunk = probed(world, GATE).hits[0].chunk
    off = probed(world, GATE, off=frozenset({f"chunk:{chunk}"}))
    world.gone.add(chunk)
    for result in (off, probed(world, GATE)):
        assert chunk not in {hit.chunk for hit in (*result.hits, *result.near_misses)}


def test_a_trace_keeps_each_hit_chunk_of_the_chosen_bases_and_the_best_hits_of_the_others() -> None:
    parts = {f"{n}.md": ("A gate, a lantern.",) for n in range(9)}
    world = World({**TEXTS, **{f"shed{n}": parts for n in range(12)}})
    result = probed(world, GATE)
    assert result.primary == "lanterns"
    chosen = [hit.chunk for hit in result.hits if hit.base in {"lanterns", *result.supplemental}]
    assert len(result.hits) - len(chosen) == MOST_HITS
    assert len(chosen) == len(set(chosen)) > 0
    assert [hit.similarity for hit in result.hits] == sorted((hit.similarity for hit in result.hits), reverse=True)


def test_a_repeat_of_the_previous_turn_is_decided_as_it_was() -> None:
    world = World()
    memory = remembered(world, FERRY, remembered(world, GATE))
    first, again = probed(world, FERRY, remembered(world, GATE)), probed(world, FERRY, memory)
    assert (first.repeated, again.repeated) == (False, True)
    assert replace(again, repeated=False) == first
    assert remembered(world, FERRY, memory) == memory


# Follow-ups


def test_a_follow_up_leans_on_the_last_base_unless_it_has_a_subject_of_its_own_or_that_base_is_gone() -> None:
    world = World()
    memory = remembered(world, GATE)
    result = probed(world, "And what did they do then?", memory)
    assert "follows up" in result.verdict
    assert "follow-up" in [phrase.kind for phrase in result.phrases]
    for message, bases, primary, leaned in (
        ("And what did they do then?", world.bases, "lanterns", True),
        ("And what did they do then?", world.bases[:2], "", False),
        ("But who paid the other guards?", world.bases, "lanterns", True),
        ("And did that ferry Halcyon dock at pier four?", world.bases, "harbour", False),
        ("Can anybody here recommend a decent plumber?", world.bases, "", False),
    ):
        result = probed(world, message, memory, bases=bases)
        assert (result.primary, result.leaned) == (primary, leaned), message


@settings(max_examples=60)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=120), min_size=1, max_size=4))
def test_no_conversation_breaks_it(messages: list[str]) -> None:
    world, memory = World(), ProbeMemory()
    for message in messages:
        result, memory = both(world, message, memory)
        assert sum(score.share for score in result.scores) == pytest.approx(1 if result.scores else 0)
        assert set(result.supplemental) <= set(TEXTS) - {result.primary}
        assert result.skipped or result.verdict


# Which base, and how strongly

OF_BEFORE = BaseScore("lanterns", 0.9, best=0.8, evidence=0.5, hits=1, before=1.0)


def hit(base: str, similarity: float, kind: Kind = "message") -> Hit:
    return Hit("a phrase", base, f"{base}/doc.md/0", similarity, 0.4, kind)


def test_a_hit_elsewhere_speaks_against_the_conversations_base_only_where_it_beats_that_bases_own() -> None:
    asked = World().request("Did the wardens prune anything at the Moonwell?")
    for elsewhere, primary in ((hit("orchard", 0.7), "lanterns"), (hit("orchard", 0.85), "")):
        hits = [hit("lanterns", 0.8), elsewhere]
        chosen = choose(asked, [OF_BEFORE], hits, Calibration(), Likeness())
        assert chosen.primary == primary, (elsewhere, chosen.verdict)
    only = choose(
        asked, [OF_BEFORE], [hit("lanterns", 0.8), hit("orchard", 0.85, "follow-up")], Calibration(), Likeness()
    )
    assert only.primary == "lanterns", "what the conversation said before is no hit of this message"


def test_a_question_that_is_talk_does_not_go_on_with_a_base_whatever_its_first_word() -> None:
    asked = World().request("And how was your weekend?", memory=ProbeMemory(message=GATE, leaning={"lanterns": 1.0}))
    nothing = [BaseScore("lanterns", 0.9, best=0.2, evidence=0.0, hits=0)]
    for talk, primary in ((0.63, ""), (0.25, "lanterns")):
        likeness = Likeness(talk=talk, before=0.09, joined={"lanterns": (9.0, 0.8, 1.5)})
        assert choose(asked, nothing, [], Calibration(), likeness).primary == primary, talk


COUNTS = {"port": WordCounts({"ferri": 3, "rudder": 2}, 10)}


def tops(similarity: float) -> list[list[float]]:
    """The same near chunk for every idle message."""
    return [[similarity, similarity / 2] for _ in IDLE]


def test_bases_that_are_near_to_everything_need_more_and_most_idle_messages_stay_below_it() -> None:
    unlike_talk = np.zeros(len(IDLE), dtype=np.float32)
    near, far = (calibrate({"port": tops(similarity)}, COUNTS, unlike_talk) for similarity in (0.6, 0.3))
    assert near.needed > far.needed
    assert near.usual["port"] == pytest.approx((0.6, 0.0))
    result = calibrate({"port": tops(0.2)}, COUNTS, unlike_talk)
    passing = [text for text in IDLE if result.strength("port", 0.2, 0.0, subject_of(text)) > result.needed]
    assert len(passing) <= 0.08 * len(IDLE)
    silent = np.ones(len(IDLE), dtype=np.float32)
    assert calibrate({"port": tops(0.6)}, COUNTS, silent).needed == LEAST_NEEDED, "likeness to talk holds all back"
