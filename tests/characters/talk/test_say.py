"""A reply on its way into the turn's row, from a real client that reads a real endpoint with a script."""

import asyncio
import gc
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psutil
import pytest
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from characters.conversations.models import Turn
from characters.profiles.models import Character
from characters.talk import say as talk
from characters.talk.progress import MOST_CHARACTERS
from characters.talk.requests import live_readers
from characters.turn.probe import REFLEX_REPLIES
from characters.turn.request import Readers, Vectors
from kgadmin.accounts.models import User
from tests.scripted_model import ScriptedModel
from tests.turns import answered, asked, asked_in, evidence, fresh, stages, until

Wire = Callable[..., None]
HTML = "The language model's address answers with a web page: does LLM_BASE_URL end in /v1, as most do?"


class Gate:
    """Holds whoever passes until it is released."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self._inside: set[int] = set()

    @property
    def waiting(self) -> int:
        return len(self._inside)

    def pass_through(self) -> None:
        self._inside.add(threading.get_ident())
        assert self._open.wait(30)
        self._inside.discard(threading.get_ident())

    def release(self) -> None:
        self._open.set()

    def close(self) -> None:
        self._open.clear()


@pytest.fixture
def slow_embedder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """The embedder's answer waits at a gate."""
    gate = Gate()

    def readers() -> Readers:
        real = live_readers()

        def embed(texts: Sequence[str]) -> Vectors:
            gate.pass_through()
            return real.embed(texts)

        return replace(real, embed=embed)

    monkeypatch.setattr(talk, "live_readers", readers)
    yield gate
    gate.release()


def while_saying(turn: Turn, meanwhile: Callable[[], Coroutine[Any, Any, None]]) -> Turn:
    """The turn after it was worked on; `meanwhile` runs beside that."""

    async def both() -> None:
        task = talk.start(turn.pk)
        await meanwhile()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(both())
    return fresh(turn)


def history_sent(model: ScriptedModel) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]) for message in model.requests[-1].body["messages"][1:]]


# The reply


def test_the_prompt_is_sent_and_the_reply_saved_as_a_message_with_what_the_endpoint_counted(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    model.says("Sit ", "down. ", "Mind the pipe.", usage=(412, 9))
    turn = answered(asked(tester, tomasz, "Tell me about your twin brother, please."))
    assert (turn.state, turn.text, turn.error, turn.model) == ("done", "Sit down. Mind the pipe.", "", "scripted")
    assert turn.reply is not None
    assert (turn.reply.role, turn.reply.text, turn.reply.parent) == ("assistant", turn.text, turn.message)
    assert (turn.prompt_tokens, turn.completion_tokens) == (412, 9)
    assert turn.first_token_ms is not None
    assert turn.reply_ms is not None
    assert 0 < turn.first_token_ms <= turn.reply_ms
    assert stages(turn)["reply"] == ("ok", "")
    assert evidence(turn, "reply")["prompt_tokens"] == 412
    system = [section["text"] for section in turn.prompt["sections"] if section["name"] not in {"history", "message"}]
    assert model.requests[0].body["messages"] == [
        {"role": "system", "content": "\n\n".join(system)},
        {"role": "user", "content": "Tell me about your twin brother, please."},
    ]
    assert "Ludwik" in system[-1]


def test_the_first_token_is_in_the_row_before_the_second_is_said_and_the_heart_beats_in_between(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    gate = threading.Event()
    model.says("First", gate, " and last.")
    turn = asked(tester, tomasz)

    async def look() -> None:
        await until(lambda: fresh(turn).text == "First")
        assert (fresh(turn).status, fresh(turn).reply) == ("replying", None)
        Turn.objects.filter(pk=turn.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=1))
        assert fresh(turn).status == "interrupted"
        await until(lambda: fresh(turn).status == "replying")
        gate.set()

    ended = while_saying(turn, look)
    assert (ended.state, ended.text) == ("done", "First and last.")


def test_the_same_turn_is_worked_on_once(model: ScriptedModel, tester: User, tomasz: Character) -> None:
    turn = asked(tester, tomasz)

    async def twice() -> None:
        assert talk.start(turn.pk) is talk.start(turn.pk)

    while_saying(turn, twice)
    assert len(model.requests) == 1


# Every way of failing


REFUSED = "The language model refused the key: check LLM_API_KEY."
FAILURES: tuple[tuple[Callable[[ScriptedModel], ScriptedModel], str, int], ...] = (
    (lambda model: model.sends("<!doctype html><title>Welcome</title>"), HTML, 2),
    (lambda model: model.refuses(401), REFUSED, 1),
    (lambda model: model.refuses(500), "The language model's server failed (500).", 2),
)
"""What the model does, what is said of it, and how often it is asked: what may pass is tried once more, not twice."""


def test_a_reply_that_failed_says_why_after_a_second_try(model: ScriptedModel, tester: User, tomasz: Character) -> None:
    for script, sentence, tries in FAILURES:
        model.forget()
        for _ in range(3):
            script(model)
        turn = answered(asked(tester, tomasz))
        assert (turn.state, turn.text, turn.error) == ("failed", "", sentence)
        assert turn.reply is None, sentence
        assert (stages(turn)["reply"], stages(turn)["prompt"]) == (("failed", sentence), ("ok", ""))
        assert len(model.requests) == tries, sentence
    model.forget()
    model.refuses(503).says("Here I am.")
    assert answered(asked(tester, tomasz)).text == "Here I am."


def test_a_model_that_hangs_has_failed_within_its_time_out(
    to_model: Wire, scripted_model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    to_model(scripted_model, llm_timeout=0.4)
    scripted_model.hangs().hangs()
    turn = answered(asked(tester, tomasz))
    assert (turn.state, turn.error) == ("failed", "The language model said nothing for 0.4 s.")
    assert turn.reply_ms is not None
    assert 400 <= turn.reply_ms < 780, "one time-out, with no second try after it"
    assert len(scripted_model.requests) == 1


def test_a_reply_that_breaks_off_keeps_what_had_arrived_and_the_next_turn_knows_nothing_of_it(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    model.cuts_off_after("My father ", "went down ")
    turn = answered(asked(tester, tomasz, "How did it begin?"))
    assert (turn.state, turn.text, turn.reply) == ("failed", "My father went down ", None)
    assert turn.error
    assert len(model.requests) == 1, "what the person has read is not begun again"
    answered(asked_in(turn.conversation, "Go on, I listen."))
    assert history_sent(model) == [("user", "How did it begin?"), ("user", "Go on, I listen.")]


# Stop


def test_stop_keeps_what_had_arrived_as_the_reply_that_the_next_turn_knows(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    for text in ("", "One thing first: "):
        model.forget()
        model.hangs_after(text) if text else model.hangs()
        turn = asked(tester, tomasz)

        async def stop(turn: Turn = turn, text: str = text) -> None:
            await until(lambda: bool(model.requests) and fresh(turn).text == text)
            turn.ask_to_stop()

        stopped = while_saying(turn, stop)
        assert (stopped.state, stopped.text, stopped.reply and stopped.reply.text) == ("stopped", text, text or None)
        assert stages(stopped)["reply"][0] == "ok"
        assert model.hung_up.wait(5), "the connection stays open"
    answered(asked_in(turn.conversation, "Go on, I listen."))
    assert ("assistant", "One thing first: ") in history_sent(model)


def test_a_model_that_never_ends_is_hung_up_on(model: ScriptedModel, tester: User, tomasz: Character) -> None:
    model.keeps_sending("more " * 1_000)
    turn = answered(asked(tester, tomasz))
    assert (turn.state, len(turn.text)) == ("done", MOST_CHARACTERS)
    assert model.hung_up.wait(5)


def test_while_it_is_assembled_the_heart_beats_and_stop_asks_no_model(
    model: ScriptedModel, tester: User, tomasz: Character, slow_embedder: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk, "HEARTBEAT_SECONDS", 0.05)
    turn = asked(tester, tomasz)

    async def stop() -> None:
        await until(lambda: slow_embedder.waiting == 1)
        for _ in range(2):
            Turn.objects.filter(pk=turn.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=1))
            await until(lambda: fresh(turn).status == "assembling")
        turn.ask_to_stop()
        slow_embedder.release()

    stopped = while_saying(turn, stop)
    assert (stopped.state, stopped.text) == ("stopped", "")
    assert model.requests == []
    assert stages(stopped)["prompt"] == ("ok", "")


# While it is assembled


def test_turns_that_wait_for_an_engine_do_not_stop_another_turns_reply(
    model: ScriptedModel, tester: User, tomasz: Character, slow_embedder: Gate
) -> None:
    gate = threading.Event()
    model.says("Before", gate, " and after.")
    quick = asked(tester, tomasz, "help me with the kiln, would you")
    waiting = [asked(tester, tomasz) for _ in range(7)]

    async def main() -> None:
        slow_embedder.release()
        first = talk.start(quick.pk)
        await until(lambda: fresh(quick).text == "Before")
        slow_embedder.close()
        others = [talk.start(turn.pk) for turn in waiting]
        await until(lambda: slow_embedder.waiting == len(waiting))
        gate.set()
        await first
        assert fresh(quick).text == "Before and after."
        assert slow_embedder.waiting == len(waiting)
        slow_embedder.release()
        await asyncio.gather(*others)

    asyncio.run(main())
    assert {fresh(turn).state for turn in waiting} == {"done"}


# The end of the process


def test_at_shutdown_a_reply_is_interrupted_with_what_had_arrived_and_the_next_turn_knows_nothing_of_it(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    model.hangs_after("We were about to ")
    turn = asked(tester, tomasz)

    async def shut_down() -> None:
        await until(lambda: bool(fresh(turn).text))
        await talk.cancel_all()

    ended = while_saying(turn, shut_down)
    assert (ended.state, ended.text, ended.error) == ("interrupted", "We were about to ", "The program was stopped.")
    assert ended.reply is None
    assert stages(ended)["reply"][0] == "failed"
    answered(asked_in(turn.conversation, "Go on, I listen."))
    assert ("assistant", ended.text) not in history_sent(model)


@pytest.mark.engine
def test_at_shutdown_a_reply_that_has_just_ended_stays_ended(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    for _ in range(2):
        turn = asked(tester, tomasz)

        async def shut_down(turn: Turn = turn) -> None:
            await until(lambda: fresh(turn).state == "done")
            await talk.cancel_all()

        assert while_saying(turn, shut_down).state == "done"


def test_at_shutdown_a_turn_that_has_hardly_begun_or_is_being_assembled_is_interrupted(
    model: ScriptedModel, tester: User, tomasz: Character, slow_embedder: Gate
) -> None:
    turn = asked(tester, tomasz)

    async def shut_down() -> None:
        await until(lambda: slow_embedder.waiting == 1)
        await talk.cancel_all()
        assert fresh(turn).state == "interrupted"
        slow_embedder.release()
        await until(lambda: not slow_embedder.waiting)

    for ended in (while_saying(turn, shut_down), while_saying(asked(tester, tomasz), talk.cancel_all)):
        assert (ended.state, ended.error) == ("interrupted", "The program was stopped.")
    assert model.requests == []


def test_a_reflex_command_is_answered_without_a_model_and_forgotten(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    turn = answered(asked(tester, tomasz, " /STATUS "))
    assert turn.text == REFLEX_REPLIES["status"]
    assert {status for status, _ in stages(turn).values()} == {"ok", "skipped"}
    assert model.requests == []
    answered(asked_in(turn.conversation, "Now a real question, please."))
    assert history_sent(model) == [("user", "Now a real question, please.")]


# Nothing is left behind


POOLS = ("asyncio_", "assemble_", "graph_", "bases_")
"""Threads of these names are kept for the next turn; each pool has a largest size."""


def handles() -> dict[str, object]:
    """What this process holds open, apart from its pools."""
    connections.close_all()  # the test's own, and those of the loops of earlier tests
    gc.collect()
    process = psutil.Process()
    return {
        "threads": sorted(thread.name for thread in threading.enumerate() if not thread.name.startswith(POOLS)),
        "tasks": len(asyncio.all_tasks()),
        "database": [file.path for file in process.open_files() if "sqlite3" in file.path],
        "sockets": len(process.net_connections()),
        "files": process.num_fds(),
    }


async def seven_ends(model: ScriptedModel, tester: User, tomasz: Character) -> None:
    """Seven turns, each with another end."""
    model.says("All of it.").refuses(401).cuts_off_after("Half of ").sends("<html>").refuses(503).says("At last.")
    for number in range(5):
        await talk.start(asked(tester, tomasz, f"Number {number}, and no end in sight").pk)
    model.hangs_after("Wait")
    stopped = asked(tester, tomasz)
    task = talk.start(stopped.pk)
    await until(lambda: bool(fresh(stopped).text))
    stopped.ask_to_stop()
    await asyncio.gather(task, talk.start(asked(tester, tomasz, "help").pk))


@pytest.mark.engine
def test_turns_of_every_end_leave_no_thread_no_task_and_no_handle(
    model: ScriptedModel, tester: User, tomasz: Character
) -> None:
    async def main() -> None:
        await seven_ends(model, tester, tomasz)  # loads what stays loaded
        before = handles()
        for _ in range(2):
            await seven_ends(model, tester, tomasz)
        await until(lambda: handles() == before)
        assert before["tasks"] == 1

    connections.close_all()  # a connection of the loop's is another one
    asyncio.run(main())
    assert Turn.objects.count() == 3 * 7
    assert not Turn.objects.running().exists()


@pytest.mark.engine
def test_a_thread_of_a_turn_leaves_no_database_connection_open(db: None) -> None:
    def ask() -> BaseDatabaseWrapper:
        connections["default"].ensure_connection()
        return connections["default"]

    assert asyncio.run(talk.in_thread(ask)).connection is None
