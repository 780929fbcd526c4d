"""Each part of the running program killed and slowed while somebody talks: what was answered is remembered.

With `-rP` it tells what became of the messages.
"""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from tests.kgadmin.embedded.commands import drift, is_projected
from tests.patience import wait_for
from tests.program import Run, run
from tests.scripted_model import Answer, Request, ScriptedModel

pytestmark = [pytest.mark.runner, pytest.mark.faults, pytest.mark.timeout(300), pytest.mark.xdist_group("breaking")]

PARTS = ("web", "worker", "graph", "vectors")
CATS = ("Luna", "Sol", "Rex", "Bo")
MOMENTS_S = (0.05, 0.2, 0.5, 1.2)
"""After a message was sent: its prompt is assembled, it is answered, it is learned, it is projected."""
ANSWERS_AFTER_S = 0.4
FAILED = {409, 500, 502, 503, 504}
CHARACTER = """
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets
sheets.character()
User.objects.create_superuser("operator")
"""
REMEMBERED = """
import json
from characters.conversations.models import Message
from characters.memory.models import UserFact
messages = Message.objects.filter(role="user", conversation__person__outside_id="{person}")
pets = UserFact.objects.current().filter(predicate="HAS_PET", person__outside_id="{person}")
texts, names = messages.values_list("text", flat=True), pets.values_list("object__name", flat=True)
print(json.dumps([sorted(texts), sorted(names)]))
"""


class ThinkingModel(ScriptedModel):
    """It takes its time, so that a reply can be broken off."""

    def answer_to(self, request: Request) -> Answer:
        time.sleep(ANSWERS_AFTER_S)
        return super().answer_to(request)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Run, dict[str, str]]]:
    """A running program, and the header of somebody's key."""
    data_dir: Path = tmp_path_factory.mktemp("breaking") / "data"
    with (
        ThinkingModel() as model,
        run(data_dir, 8750, DEMO="0", LLM_BASE_URL=model.base_url, LLM_MODEL="scripted") as started,
    ):
        assert started.is_there(), started.output
        started.shell(CHARACTER)
        assert wait_for(lambda: is_projected(started), 60, every=0.5), drift(started)
        key = started.manage("create_api_key", "operator").split()[-1]
        yield started, {"Authorization": f"Bearer {key}"}


def send(program: Run, part: str, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # between two lives
        if pid := program.written.parts[part].pid:
            os.kill(pid, number)


@contextmanager
def slowed(program: Run, part: str) -> Iterator[None]:
    """The part gets a sixth of its time."""
    over = threading.Event()

    def slow() -> None:
        while not over.wait(0.05):
            send(program, part, signal.SIGSTOP)
            over.wait(0.25)
            send(program, part, signal.SIGCONT)

    thread = threading.Thread(target=slow)
    thread.start()
    yield
    over.set()
    thread.join()


@pytest.mark.parametrize("how", ["killed", "slowed"])
@pytest.mark.parametrize("part", PARTS)
def test_what_was_answered_is_remembered_and_what_was_not_is_told(
    broken: tuple[Run, dict[str, str]], part: str, how: str
) -> None:
    program, headers = broken
    person = f"{part}-{how}"

    def say(text: str) -> int:
        """The answer's status; 0 where the connection broke."""
        body = {"model": "ann", "user": person, "messages": [{"role": "user", "content": text}]}
        try:
            return httpx.post(
                f"{program.address}v1/chat/completions", json=body, headers=headers, timeout=60
            ).status_code
        except httpx.HTTPError:
            return 0

    def tells(cat: str) -> str:
        return f"I have a cat called {cat}."

    answers: list[Future[int]] = []
    with ThreadPoolExecutor() as people:
        for cat, moment in zip(CATS, MOMENTS_S, strict=True):
            before = program.written.parts[part].restarts
            answers.append(people.submit(say, tells(cat)))
            if how == "slowed":
                with slowed(program, part):
                    answers[-1].result()
                continue
            time.sleep(moment)
            send(program, part, signal.SIGKILL)
            assert program.has_restarted(part, before), program.output
    statuses = [each.result() for each in answers]

    def remembered() -> list[list[str]]:
        rows: list[list[str]] = json.loads(program.shell(REMEMBERED.format(person=person)))
        return rows

    def is_complete() -> bool:
        messages, pets = remembered()
        return messages == sorted(tells(pet) for pet in pets) and is_projected(program)

    began = time.monotonic()
    assert wait_for(is_complete, 90, every=0.5), (remembered(), statuses, drift(program))
    complete_s = time.monotonic() - began
    pets = remembered()[1]
    answered = {cat for cat, status in zip(CATS, statuses, strict=True) if status == 200}
    assert answered <= set(pets)
    assert set(statuses) <= {0, 200} | FAILED
    assert 0 not in statuses or part == "web"
    assert say("How is the weather?") == 200
    print(f"{part} {how}: {len(answered)} answered, {len(pets)} remembered, {statuses}, after {complete_s:.1f} s")
