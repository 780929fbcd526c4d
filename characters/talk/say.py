"""say(): assemble, reply, save. Its task runs to its end, whoever listens."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections, transaction

from characters.conversations import services as conversations
from characters.conversations.models import Memory, Message, Stage, Turn
from characters.talk import requests
from characters.talk.ahead import Ahead, begin_models
from characters.talk.progress import Progress, read_reply
from characters.talk.recorder import TurnRecorder, save_metrics
from characters.talk.requests import live_readers
from characters.turn.assemble import Assembled, assemble
from characters.turn.prompt import later_words
from characters.turn.request import TurnRequest
from characters.turn.trace import StageRun, as_json
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.language_model import ChatMessage, ChatRequest, Grounding, LanguageModel, Usage

logger = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")

SAVE_SECONDS = 0.25
HEARTBEAT_SECONDS = 2.0
GROUNDING_CHARACTERS = 1_200
STOPPED = "The program was stopped."

_TASKS: dict[int, "asyncio.Task[None]"] = {}
"""Strong references to running tasks; the event loop keeps only weak ones."""

_ASSEMBLERS = ThreadPoolExecutor(8, thread_name_prefix="assemble")
"""Threads that assemble, apart from those that save: turns that wait for an engine don't stop other turns'
heartbeats.
"""


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run `function` in a thread that closes its database connections afterwards."""
    return await asyncio.to_thread(_closing, partial(function, *args, **kwargs))


def _closing(function: Callable[[], R]) -> R:
    try:
        return function()
    finally:
        connections.close_all()


def _connected(function: Callable[[], R]) -> R:
    """Run `function` on this thread's own database connection, which stays open: a turn would wait for a new one, and
    closing the last one of SQLite writes its whole log back.
    """
    connection = connections["default"]
    if connection.connection is not None and not connection.is_usable():
        connection.close()
    try:
        return function()
    except (DatabaseError, InterfaceError):
        connection.close()
        raise


def start(turn_id: int, progress: Progress | None = None) -> "asyncio.Task[None]":
    """Work on a saved turn in a task of its own, once per process; a caller that passes `progress` can follow the
    reply.
    """
    task = _TASKS.get(turn_id)
    if task is None:
        task = _TASKS[turn_id] = asyncio.create_task(say(turn_id, progress), name=f"turn {turn_id}")
        task.add_done_callback(partial(_done, turn_id))
    return task


def _done(turn_id: int, task: "asyncio.Task[None]") -> None:
    _TASKS.pop(turn_id, None)
    error = None if task.cancelled() else task.exception()
    if error:  # nobody awaits the task: the turn's heart stops, and its page offers to try again
        logger.error("Turn %s broke off", turn_id, exc_info=error)


async def cancel_all() -> None:
    """Stop every reply at shutdown, and save what has arrived as interrupted."""
    tasks = dict(_TASKS)
    for task in tasks.values():
        task.cancel()
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    for turn_id in tasks:  # one that had hardly begun couldn't save its end itself
        await in_thread(_interrupt, turn_id)


def _interrupt(turn_id: int, progress: Progress | None = None) -> None:
    for turn in Turn.objects.running().with_trace().filter(pk=turn_id):
        if progress:
            progress.prefill = turn.prefill
        _break_off(turn, progress or Progress(turn.text))


async def say(turn_id: int, progress: Progress | None = None) -> None:
    """Answer a saved turn."""
    progress = progress or Progress()
    try:
        prepared = await _prepared(turn_id)
        progress.prefill, progress.began = prepared.turn.prefill, prepared.assembled_at
        if prepared.goes_to_model and not progress.left:
            await _answer(prepared, wiring.language_model(), progress)
        elif await in_thread(save_trace, prepared):
            await in_thread(_finish_unasked, prepared, progress)
    except asyncio.CancelledError:
        await asyncio.shield(in_thread(_interrupt, turn_id, progress))
        raise


@dataclass(frozen=True, slots=True)
class Prepared:
    """A turn, assembled; its trace is saved while the model is asked already."""

    turn: Turn
    request: TurnRequest
    assembled: Assembled
    stages: Sequence[StageRun]
    assembled_ms: float
    assembled_at: float
    """When that was, by `time.perf_counter`: the reply's time begins there."""
    is_stopped: bool
    """Whether it was stopped, or has ended, while it was assembled."""

    @property
    def goes_to_model(self) -> bool:
        """Return whether a model is to be asked."""
        return not self.is_stopped and not self.assembled.fixed_reply


async def _prepared(turn_id: int) -> Prepared:
    """Run `prepare` with a heartbeat: the first turn may have to wait for the embedder."""
    loop = asyncio.get_running_loop()
    recorder = TurnRecorder()
    working = loop.run_in_executor(_ASSEMBLERS, _connected, partial(prepare, turn_id, recorder))
    while not working.done():
        await asyncio.wait({working}, timeout=HEARTBEAT_SECONDS)
        if not working.done():
            await in_thread(Turn.keep_alive, turn_id)
    return working.result()


def prepare(turn_id: int, recorder: TurnRecorder) -> Prepared:
    """Assemble a saved turn."""
    turn = Turn.objects.to_assemble().get(pk=turn_id)
    recorder.count_from(turn.created_at)
    ahead = Ahead(turn.message.text, live_readers())
    branch = requests.branch_of(turn.message)
    requests.follow_branch(turn, branch)
    request = requests.request_for(turn, branch)
    ahead.begin_walk(request)
    begin_models(request)
    assembled = assemble(request, ahead.readers, recorder)
    assembled_ms, assembled_at = recorder.elapsed_ms, time.perf_counter()
    goes_on = Turn.objects.running().filter(pk=turn_id, stop_requested=False).exists()
    return Prepared(turn, request, assembled, recorder.stages, assembled_ms, assembled_at, is_stopped=not goes_on)


@transaction.atomic
def save_trace(prepared: Prepared) -> bool:
    """Save what was assembled; return False if the turn has ended meanwhile, at the program's shutdown."""
    turn, assembled = prepared.turn, prepared.assembled
    if not _is_running(turn):
        return False
    turn.revision = turn.conversation.character.live_revision
    turn.request = {**turn.request, **requests.frozen(prepared.request)}
    turn.carried = as_json(assembled.carried)
    turn.prompt = as_json(assembled.prompt)
    turn.assembled_ms = prepared.assembled_ms
    turn.state = Turn.State.REPLYING
    turn.save(update_fields=["revision", "request", "carried", "prompt", "assembled_ms", "state"])
    Stage.objects.bulk_create(_row(turn, place, run) for place, run in enumerate(prepared.stages))
    save_metrics(turn, assembled, prepared.request.bases)
    if assembled.fixed_reply:
        Message.objects.filter(pk=turn.message_id).become(Memory.REFLEX, place=None)
        turn.message.memory = Memory.REFLEX
    return True


def _row(turn: Turn, position: int, run: StageRun) -> Stage:
    values = as_json(run)
    evidence = {} if run.name == "prompt" else values["evidence"] or {}  # the turn itself has the prompt
    return Stage(turn=turn, position=position, **values | {"evidence": evidence})


def chat_request(assembled: Assembled, turn: Turn) -> ChatRequest:
    """Return the language model's request, and what the offline responder may say instead. What a client program sends
    goes before what the persona sets.
    """
    persona = assembled.persona
    options = {**persona.options, **turn.request.get("client", {}).get("options", {})}
    theirs = assembled.user_facts
    known = [
        *(fact.sentence for fact in theirs.used),
        *(shared.sentence for shared in theirs.common),
        *(connection.sentence for connection in assembled.ambient.used),
    ]
    passages = [(passage.document, passage.quote[:GROUNDING_CHARACTERS]) for passage in assembled.documents.used]
    return ChatRequest(
        messages=tuple(ChatMessage(message.role, message.content) for message in assembled.prompt.messages)
        or (ChatMessage("user", turn.message.text),),
        grounding=Grounding(
            speaker=turn.conversation.character.name,
            facts=tuple(fact.sentence for fact in assembled.background.used),
            known=tuple(dict.fromkeys(known)),
            recalled=tuple((each.when, each.text, later_words(each)) for each in assembled.memory.used),
            passages=tuple(passages),
            prefill=turn.prefill,
        ),
        model=persona.model,
        **model_options(options),
    )


def model_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options, by OpenAI's names, as fields of a `ChatRequest`; a reply has at most what the window keeps."""
    most = settings.CONFIG.llm_reply_tokens
    rest = {name: value for name, value in options.items() if name not in {"max_tokens", "stop"}}
    limit = min(options.get("max_tokens") or most, most)
    return {"max_tokens": limit, "stop": tuple(options.get("stop", ())), "options": rest}


async def _answer(prepared: Prepared, model: LanguageModel, progress: Progress) -> None:
    """Ask the model, save the trace meanwhile, and stream the reply into the turn's row: at the first token, every
    250 ms, and at the end.
    """
    turn = prepared.turn
    reading = asyncio.create_task(read_reply(model, chat_request(prepared.assembled, turn), progress))
    arriving = asyncio.create_task(progress.arrived.wait())
    waited: set[asyncio.Task[Any]] = {reading, arriving}
    try:
        if not await in_thread(save_trace, prepared):
            return
        while not reading.done():
            done, _ = await asyncio.wait(waited, timeout=SAVE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            waited -= done & {arriving}
            if progress.left or await in_thread(turn.beat, progress.text):
                await _cancelled(reading)
                await in_thread(_finish, turn, Turn.State.STOPPED, progress)
                return
        await reading
    except StoreError as error:
        await in_thread(_finish, turn, Turn.State.FAILED, progress, error.message)
    else:
        await in_thread(_finish, turn, Turn.State.DONE, progress)
    finally:
        arriving.cancel()
        await _cancelled(reading)


async def _cancelled(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _finish(turn: Turn, state: Turn.State, progress: Progress, error: str = "") -> None:
    reply_ms = progress.elapsed_ms
    with transaction.atomic():
        turn.model = progress.usage.model or turn.model
        turn.finish(
            state,
            progress.text,
            error=error,
            first_token_ms=progress.first_token_ms,
            reply_ms=reply_ms,
            prompt_tokens=progress.usage.prompt_tokens,
            completion_tokens=progress.usage.completion_tokens,
        )
        Turn.objects.filter(pk=turn.pk).update(model=turn.model)
        _save_reply_stage(turn, reply_ms, progress.usage)
        messages = [turn.message] if turn.reply is None else [turn.message, turn.reply]
        for message in messages:  # remembered of a turn that was given up, or withdrawn since it was to go on
            message.refresh_from_db(fields=["memory", "place", "facts_read_at"])
        conversations.enqueue_for_memory(conversation=turn.conversation, messages=messages)
    requests.follow_newest(turn)


def _break_off(turn: Turn, progress: Progress) -> None:
    """Save the turn as interrupted, unless its end was being saved at that moment."""
    with transaction.atomic():
        if _is_running(turn):
            _finish(turn, Turn.State.INTERRUPTED, progress, STOPPED)


def end_dead_turns() -> None:
    """End the turns whose process is gone as interrupted, and remember the person's messages."""
    for turn in Turn.objects.dead().with_trace():
        lived = (turn.heartbeat_at - turn.created_at).total_seconds()
        _break_off(turn, Progress(turn.text, began=time.perf_counter() - lived))


def _is_running(turn: Turn) -> bool:
    """Return whether the row says that it runs; the lock keeps it so until the transaction ends."""
    return Turn.objects.running().select_for_update().filter(pk=turn.pk).first() is not None


def _finish_unasked(prepared: Prepared, progress: Progress) -> None:
    turn, fixed = prepared.turn, prepared.assembled.fixed_reply
    if fixed:
        turn.finish(Turn.State.DONE, fixed, first_token_ms=0.0, reply_ms=0.0)
        _save_reply_stage(turn, 0.0, Usage())
    else:
        _finish(turn, Turn.State.STOPPED, progress)


def _save_reply_stage(turn: Turn, elapsed_ms: float, usage: Usage) -> None:
    is_failed = turn.state in {Turn.State.FAILED, Turn.State.INTERRUPTED}
    Stage.objects.update_or_create(
        turn=turn,
        name="reply",
        defaults={
            "position": 99,
            "status": Stage.Status.FAILED if is_failed else Stage.Status.OK,
            "started_ms": turn.assembled_ms or 0.0,
            "elapsed_ms": elapsed_ms,
            "error": turn.error,
            "reason": "stopped" if turn.state == Turn.State.STOPPED else "",
            "evidence": {
                "model": turn.model,
                "missing": usage.missing,
                "parameters": dict(usage.parameters),
                "first_token_ms": turn.first_token_ms,
                "prompt_tokens": turn.prompt_tokens,
                "completion_tokens": turn.completion_tokens,
                "passed_over": turn.request.get("client", {}).get("passed_over", []),
                "left_out": list(usage.left_out),
            },
        },
    )
