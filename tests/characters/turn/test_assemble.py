import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.domain.sheet import Sheet
from characters.talk.recorder import TurnRecorder
from characters.turn.assemble import Assembled, assemble
from characters.turn.probe import REFLEX_REPLIES
from characters.turn.request import Budgets, Readers, TurnRequest
from characters.turn.trace import OPTIONAL_STAGES, STAGES, StageRun, as_json
from kgadmin.stores.errors import StoreError
from tests.characters.turn.world import World, request

QUESTION = "Did your father repair the Lantern Gate of the Ashen Court?"


class StrictRecorder(TurnRecorder):
    strict = True


@dataclass(frozen=True)
class Turn:
    assembled: Assembled
    status: dict[str, str]
    error: dict[str, str]


def turn(asked: TurnRequest, world: World, **broken: Callable[..., Any]) -> Turn:
    return recorded(StrictRecorder(), asked, world.readers(**broken))


def recorded(record: TurnRecorder, asked: TurnRequest, readers: Readers) -> Turn:
    assembled = assemble(asked, readers, record)
    return Turn(
        assembled,
        {stage.name: stage.status for stage in record.stages},
        {stage.name: stage.error for stage in record.stages if stage.error},
    )


def down(sentence: str) -> Callable[..., Any]:
    """A reader of an engine that doesn't answer."""

    def fail(*_: object) -> Any:
        raise StoreError(sentence)

    return fail


def test_one_message_becomes_one_prompt_with_the_evidence_of_every_stage() -> None:
    world = World()
    result = turn(world.request(QUESTION), world)
    made = result.assembled
    assert list(result.status) == [name for name in STAGES if name != "reply"]
    alone = {"user_facts", "ambient", "memory"}  # nobody is known here
    assert {name for name, status in result.status.items() if status == "skipped"} == alone
    assert set(result.status.values()) == {"ok", "skipped"}
    assert made.probe.primary == "lanterns"
    assert made.persona.slug == "storyteller"
    assert made.intent.kind == "mixed"
    assert made.background.used[0].id == "father"
    assert made.documents.used
    system = made.prompt.messages[0].content
    assert "Tell it as a tale, Kirsten." in system
    assert "My father is a clockmaker" in system
    assert "The Ashen Court burned the Lantern Gate" in system


def test_a_greeting_injects_nothing_and_every_stage_says_why() -> None:
    world = World()
    result = turn(world.request("Hi there"), world)
    assert (result.status["probe"], result.status["background"], result.status["documents"]) == ("skipped",) * 3
    assert result.assembled.background.skipped == "it is small talk"
    assert result.assembled.documents.skipped
    assert {section.name for section in result.assembled.prompt.sections} == {"identity", "persona", "message"}


def test_a_reflex_has_a_fixed_answer_without_any_lookup_and_is_not_remembered() -> None:
    world = World()
    memory = turn(world.request(QUESTION), world).assembled.carried.probe
    world.embedded.clear()
    world.queries.clear()
    for command, reply in REFLEX_REPLIES.items():
        result = turn(world.request(f" /{command.upper()} ", memory=memory), world)
        assert result.assembled.fixed_reply == reply
        assert (world.embedded, world.queries) == ([], []), command
        assert list(result.status) == [name for name in STAGES if name != "reply"], command
        assert result.status["prompt"] == "skipped", command
        assert result.assembled.carried.probe == memory, command


def test_the_memory_of_a_turn_serves_its_follow_up() -> None:
    world = World()
    first = turn(world.request("Who burned the Lantern Gate of the wardens?"), world).assembled
    second = turn(world.request("And what did they do then?", memory=first.carried.probe), world).assembled
    assert second.probe.leaned
    assert second.persona.slug == "storyteller"
    assert second.documents.used


# What fails


def test_without_an_embedder_the_probe_is_failed_and_words_still_find_facts() -> None:
    world = World()
    memory = turn(world.request(QUESTION), world).assembled.carried.probe
    asked = world.request("Tell me about your father", memory=memory)
    result = turn(asked, world, embed=down("The embedder can't be loaded."))
    assert result.status["probe"] == "failed"
    assert result.error == {"probe": "The embedder can't be loaded."}
    assert result.assembled.documents.skipped == "the probe asked no base: it failed"
    assert [fact.id for fact in result.assembled.background.used] == ["father"]
    assert "My father is a clockmaker" in result.assembled.prompt.messages[0].content
    assert result.assembled.carried.probe == memory


def test_an_engine_that_is_down_fails_its_stage_with_its_sentence_and_the_rest_of_the_turn_goes_on() -> None:
    world = World()
    for reader, stage in (
        ("nearest", "probe"),
        ("background", "background"),
        ("chunks", "documents"),
        ("examples", "intent"),
    ):
        result = turn(world.request(QUESTION), world, **{reader: down(f"No {reader} today.")})
        assert result.error == {stage: f"No {reader} today."}
        made = result.assembled
        assert bool(made.background.used) is (stage != "background"), reader
        assert bool(made.documents.used) is (stage not in {"probe", "documents"}), reader
        assert made.persona.slug == ("driver" if stage == "probe" else "storyteller"), reader
        assert ("[RELEVANT BACKGROUND]" in made.prompt.messages[0].content) is (stage != "background"), reader


def test_what_the_prompt_had_no_room_for_counts_as_said_in_no_later_turn() -> None:
    world = World()
    asked = world.request("Do you have a father?")
    assert "fact:father" in turn(asked, world).assembled.carried.shown
    tight = turn(replace(asked, budgets=Budgets(background=10)), world).assembled
    assert [fact.id for fact in tight.background.used] == ["father"]
    assert tight.carried.shown == {}


# What is switched off, and what isn't there


def test_every_optional_stage_can_be_switched_off_and_asks_no_engine_then() -> None:
    world = World()
    for stage in OPTIONAL_STAGES:
        result = turn(world.request(QUESTION, off=frozenset({stage})), world)
        assert (result.status[stage], result.status["prompt"]) == ("skipped", "ok"), stage
        assert getattr(result.assembled, stage).skipped == "switched off"
    engines = {name: down("Asked!") for name in ("nearest", "word_counts", "places", "chunks", "background")}
    assert turn(world.request(QUESTION, off=frozenset(OPTIONAL_STAGES)), world, **engines).error == {}


def test_a_character_without_anything_still_answers() -> None:
    asked = request("Who are you then?", sheet=Sheet("Nobody", ""), revision=None)
    result = turn(asked, World({}))
    assert {name for name, status in result.status.items() if status == "ok"} == {"intent", "prompt"}
    assert result.assembled.prompt.messages[-1].content == "Who are you then?"


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=300))
def test_every_text_is_assembled_without_a_failed_stage(message: str) -> None:
    world = World()
    result = turn(world.request(message), world)
    assert result.error == {}
    if not result.assembled.fixed_reply:
        assert result.assembled.prompt.messages[-1].content == message


def test_a_mistake_in_planning_fails_the_probe_is_logged_and_ends_no_turn(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("characters.turn.assemble.plan", break_down)
    world = World()
    with caplog.at_level(logging.ERROR):
        result = recorded(TurnRecorder(), world.request(QUESTION), world.readers())
    assert result.error == {"probe": "ZeroDivisionError: by zero"}
    assert caplog.records[0].exc_info
    assert "My father is a clockmaker" in result.assembled.prompt.messages[0].content


def test_what_is_still_being_read_is_never_called_not_close_enough() -> None:
    world = World()
    first, *others = world.bases
    bases = (replace(first, unread=1), *others)
    asked = world.request("Who is Ophelia Brandt?", unread_messages=2, bases=bases, person_id="person:1")
    reasons = {stage.name: stage.reason for stage in _stages(asked, world)}
    assert reasons["user_facts"] == reasons["memory"] == "2 messages are still being read"
    assert reasons["documents"] == "1 document is still being read"


def test_a_trace_at_ten_bases_has_at_most_30_kb() -> None:
    long = "At the Lantern Gate of the Ashen Court a father of the wardens swore an oath on cold iron. " * 8
    others = {f"base{n}": {f"{m}.md": (f"The Lantern Gate, {n} {m}.",) for m in range(9)} for n in range(9)}
    world = World({"lanterns": {f"{n}.md": (long, f"{long} {n}") for n in range(4)}, **others})
    recorder = StrictRecorder()
    made = recorded(recorder, world.request(QUESTION), world.readers()).assembled
    traces = [as_json(stage) for stage in recorder.stages if stage.name != "prompt"]
    saved = json.dumps([*traces, as_json(made.prompt), as_json(made.carried)])
    assert len(made.probe.hits) > 20
    assert len(saved) <= 30_000


def _stages(asked: TurnRequest, world: World) -> list[StageRun]:
    recorder = StrictRecorder()
    recorded(recorder, asked, world.readers())
    return recorder.stages
