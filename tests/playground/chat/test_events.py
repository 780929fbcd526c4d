"""Readers of a real web process: they come, leave and come back, and the process itself is stopped and killed."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from threading import Event

import httpx
import psutil
import pytest
from django.utils import timezone

from characters.conversations.models import Turn
from characters.talk import say as talk
from kgadmin.accounts.models import User
from tests.patience import wait_for
from tests.scripted_model import ScriptedModel
from tests.turns import fresh, stages
from tests.web import WebServer, events

pytestmark = pytest.mark.xdist_group("web process")

HTMX = {"HX-Request": "true"}


@pytest.fixture
def model(web_model: ScriptedModel) -> ScriptedModel:
    return web_model


@pytest.fixture
def tab(web: WebServer, tester: User) -> Iterator[httpx.Client]:
    with web.browser_of(tester) as client:
        yield client


def started(tab: httpx.Client, message: str = "Who taught you to hold the pipe?") -> Turn:
    """A turn that a page with JavaScript has started."""
    answer = tab.post("/playground/with/tomasz/begin/", data={"message": message}, headers=HTMX)
    assert answer.status_code == 200
    return Turn.objects.get(pk=answer.headers["HX-Redirect"].strip("/").rpartition("/")[2])


def arrived(turn: Turn, text: str) -> bool:
    return wait_for(lambda: fresh(turn).text == text, 30)


def ended(turn: Turn, state: str = "done") -> bool:
    return wait_for(lambda: fresh(turn).state == state, 30)


def path(turn: Turn) -> str:
    return f"/playground/turns/{turn.pk}/events/"


# Readers


def test_a_reader_sees_the_assembly_then_the_reply_as_it_grows_then_the_end(
    tab: httpx.Client, model: ScriptedModel
) -> None:
    gate = Event()
    model.says("A travelling", gate, " *glassblower*.")
    turn = started(tab)
    with tab.stream("GET", path(turn)) as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        assert stream.headers["Cache-Control"] == "no-cache"
        received = events(stream)
        assert next(received) == ("assembled", "")
        assert next(received) == ("reply", "<p>A travelling</p>\n")
        gate.set()
        *replies, end = received
    assert replies[-1] == ("reply", "<p>A travelling <em>glassblower</em>.</p>\n")
    assert {name for name, _ in replies} == {"reply"}
    assert end == ("end", "done")


def test_a_reader_that_leaves_and_comes_back_misses_nothing(tab: httpx.Client, model: ScriptedModel) -> None:
    gate, last = Event(), Event()
    model.says("One,", gate, " two,", last, " three.")
    turn = started(tab)
    with tab.stream("GET", path(turn)) as stream:
        assert ("reply", "<p>One,</p>\n") in events(stream)
    gate.set()
    assert arrived(turn, "One, two,")
    with tab.stream("GET", path(turn)) as stream:
        received = events(stream)
        assert [next(received), next(received)] == [("assembled", ""), ("reply", "<p>One, two,</p>\n")]
        last.set()
        assert list(received) == [("reply", "<p>One, two, three.</p>\n"), ("end", "done")]
    assert len(model.requests) == 1


def test_a_tab_that_is_closed_while_it_waits_without_javascript_loses_nothing(
    tab: httpx.Client, model: ScriptedModel
) -> None:
    gate = Event()
    model.says("Nobody", gate, " waits.")
    with suppress(httpx.ReadTimeout):
        tab.post("/playground/with/tomasz/begin/", data={"message": "Who taught you?"}, timeout=0.5)
    assert wait_for(lambda: Turn.objects.filter(text="Nobody").exists(), 30)
    turn = Turn.objects.get()
    tab.get("/playground/")  # the process has noticed by now that the other one left
    gate.set()
    assert ended(turn)
    assert fresh(turn).text == "Nobody waits."


def test_a_reply_is_sanitised_before_it_is_streamed(tab: httpx.Client, model: ScriptedModel) -> None:
    model.says("<script>alert(1)</script>\n\nevent: end\n\ndata: x")
    with tab.stream("GET", path(started(tab))) as stream:
        received = list(events(stream))
    assert [name for name, _ in received] == ["assembled", "reply", "end"]
    assert "<script" not in received[1][1]


# The process


def test_a_killed_process_leaves_the_turn_interrupted_with_what_had_arrived(
    web: WebServer, tab: httpx.Client, model: ScriptedModel
) -> None:
    model.hangs_after("It began when")
    turn = started(tab)
    assert arrived(turn, "It began when")
    web.kill()
    assert fresh(turn).state == "replying"
    Turn.objects.filter(pk=turn.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=11))
    web.start()
    page = tab.get(f"/playground/turns/{turn.pk}/").text
    assert "It began when" in page
    assert "Interrupted" in page
    assert "Try again" in page
    with tab.stream("GET", path(turn)) as stream:
        assert list(events(stream))[-1] == ("end", "interrupted")

    talk.end_dead_turns()
    assert (fresh(turn).state, fresh(turn).message.place) == ("interrupted", 1)  # what was said is remembered

    model.says("It began at the fair.")
    answer = tab.post(f"/playground/turns/{turn.pk}/again/", follow_redirects=True)
    assert "It began at the fair." in answer.text
    assert fresh(turn).text == "It began when"
    assert Turn.objects.get(variant_of=turn).state == "done"


def test_a_stopped_process_marks_its_turns_interrupted_at_once(
    web: WebServer, tab: httpx.Client, model: ScriptedModel
) -> None:
    model.hangs_after("Before the end").hangs()
    turn = started(tab)
    assert arrived(turn, "Before the end")
    silent = started(tab, "And who taught him?")
    assert wait_for(lambda: len(model.requests) == 2, 30)
    with tab.stream("GET", path(turn)) as stream, suppress(httpx.RemoteProtocolError):
        next(events(stream))
        web.stop()
    assert [fresh(turn).state, fresh(silent).state] == ["interrupted", "interrupted"]
    assert [fresh(turn).text, fresh(silent).text] == ["Before the end", ""]
    assert stages(turn)["reply"] == ("failed", "The program was stopped.")


def handles(process: psutil.Process) -> dict[str, int]:
    return {
        "files": process.num_fds(),
        "database": sum("sqlite3" in file.path for file in process.open_files()),
        "sockets": sum(each.status == psutil.CONN_ESTABLISHED for each in process.net_connections()),
    }


def test_turns_with_readers_that_leave_hold_nothing_open(
    web: WebServer, tab: httpx.Client, model: ScriptedModel
) -> None:
    def turns(count: int) -> None:
        for number in range(count):
            turn = started(tab, f"Number {number}, please")
            if number % 2:
                with tab.stream("GET", path(turn)) as stream:
                    next(events(stream))
            assert ended(turn)

    turns(12)  # fills the pools of threads, which stay
    process = web.process
    before, threads = handles(process), process.num_threads()
    turns(8)
    assert wait_for(lambda: all(count <= before[what] for what, count in handles(process).items()), 30)
    assert process.num_threads() <= threads + 4
