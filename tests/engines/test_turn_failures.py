"""Whole turns while an engine is killed, hung, or not there at all: the turn goes on and says what it lacks."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from characters.conversations.models import Turn
from characters.profiles import snapshot
from characters.profiles.models import Character
from characters.talk import say as talk
from characters.talk.requests import live_readers
from kgadmin.accounts.models import User
from kgadmin.knowledge.tasks import write_indexes
from kgadmin.stores import wiring
from kgadmin.stores.errors import Breaker
from tests.fixtures.engines import HASTY
from tests.patience import wait_for
from tests.servers import GraphServer, Server, VectorServer
from tests.turns import answered, asked, evidence, stages

Wire = Callable[..., None]
Hook = Callable[[], object]

ABOUT_HIM = "How did your father and your mother shape you?"
ABOUT_A_BASE = "What happened at Crane Bastion after the Black Sleeves arrived?"
STORE_MS = 500.0
SLACK_MS = 900.0
"""For a busy machine; far less than any time-out that a driver has of its own."""
BACK_SECONDS = 120.0
"""Until turns use a graph that was started again. A cold one plans for longer than a turn waits, and is tried every
5 s: some tries on an idle machine, many on a busy one."""

BREAK: dict[str, Callable[[Server], None]] = {"killed": Server.kill, "hung": Server.pause}


@pytest.fixture
def ask(ready_tomasz: Character, tester: User) -> Callable[[str], Turn]:
    """`ask(message)`: the whole turn, on real engines."""
    return lambda message: answered(asked(tester, ready_tomasz, message))


@pytest.fixture
def connected(
    ask: Callable[[str], Turn], wire: Wire, graph_server: GraphServer, vector_server: VectorServer
) -> Callable[[str], Turn]:
    """The same after a first turn, with the product's own time-outs: connections are open, plans are warm.

    What was read of her sheet is forgotten again, as in a process that hasn't read it yet.
    """
    assert evidence(ask(ABOUT_HIM), "background")["source"] == "graph"
    wire(graph_server, vector_server, **HASTY)
    ask(ABOUT_HIM)
    breakers: list[Breaker] = [wiring.graph().breaker, wiring.vectors().breaker]
    for breaker in breakers:
        breaker.reset()
    snapshot._SNAPSHOTS.clear()
    return ask


def elapsed_ms(turn: Turn, stage: str) -> float:
    return float(turn.stages.get(name=stage).elapsed_ms)


def facts(turn: Turn) -> set[str]:
    used: Any = evidence(turn, "background")["used"]
    return {fact["predicate"] for fact in used}


def statuses(turn: Turn) -> dict[str, str]:
    return {name: status for name, (status, _) in stages(turn).items()}


def uses_both(turn: Turn) -> bool:
    """Whether background comes from the graph, and the probe from the vectors."""
    by_graph = evidence(turn, "background").get("source") == "graph"
    return by_graph and evidence(turn, "probe").get("primary") == "fencing_club"


@pytest.mark.parametrize("how", BREAK)
def test_without_the_graph_background_reads_the_document_and_says_so(
    connected: Callable[[str], Turn], graph_server: GraphServer, how: str
) -> None:
    BREAK[how](graph_server)
    turn = connected(ABOUT_HIM)
    background = evidence(turn, "background")
    assert background["source"] == "document"
    assert str(background["source_reason"]).startswith("The graph ")
    assert {"HAS_FATHER", "HAS_MOTHER"} <= facts(turn)
    assert elapsed_ms(turn, "background") < STORE_MS + SLACK_MS
    # What comes to mind by itself lies in the graph alone: that stage says so, and the turn goes on.
    assert [name for name, status in statuses(turn).items() if status == "failed"] == ["ambient"]
    assert stages(turn)["ambient"][1].startswith("The graph")
    assert turn.state == "done"
    assert "choirmaster" in turn.text


def drop_index_files() -> None:
    """As on another machine than the worker's."""
    for owner in wiring.index_files().owners():
        wiring.index_files().drop(owner)


@pytest.mark.parametrize("how", BREAK)
def test_without_the_vectors_index_files_answer_and_without_those_the_probe_fails_and_the_turn_goes_on(
    connected: Callable[[str], Turn], vector_server: VectorServer, how: str
) -> None:
    BREAK[how](vector_server)
    write_indexes()
    turn = connected(ABOUT_A_BASE)
    assert evidence(turn, "probe")["primary"] == "fencing_club"
    use = turn.base_uses.get(section="primary")
    assert (use.base.slug, use.base_id in turn.metrics.asked, use.passages > 0) == ("fencing_club", True, True)
    drop_index_files()
    turn = connected(ABOUT_A_BASE)
    assert (turn.metrics.asked, turn.base_uses.count()) == ([], 0)
    status, error = stages(turn)["probe"]
    assert status == "failed"
    assert error.startswith("The vector store ")
    assert elapsed_ms(turn, "probe") < STORE_MS + SLACK_MS
    assert statuses(turn) | {"background": "any"} == {
        "probe": "failed",
        "persona": "ok",
        "intent": "ok",
        "background": "any",
        "user_facts": "skipped",
        "ambient": "skipped",
        "memory": "skipped",
        "documents": "skipped",
        "prompt": "ok",
        "reply": "ok",
    }
    assert evidence(turn, "persona")["slug"] == "bench"
    assert turn.state == "done"
    assert turn.text


def test_with_both_stores_hung_the_turn_pays_each_once(
    connected: Callable[[str], Turn], graph_server: GraphServer, vector_server: VectorServer
) -> None:
    graph_server.pause()
    vector_server.pause()
    turn = connected(ABOUT_HIM)
    assert turn.assembled_ms is not None
    assert turn.assembled_ms < 2 * STORE_MS + SLACK_MS
    assert {"HAS_FATHER", "HAS_MOTHER"} <= facts(turn)
    assert turn.state == "done"


# In the middle of a turn


@pytest.fixture
def before_reading(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`before_reading(background=act)`: do something in the middle of a turn, just before it reads."""

    def hook(**acts: Hook) -> None:
        def first(act: Hook, read: Callable[..., Any]) -> Callable[..., Any]:
            def reading(*args: Any) -> Any:
                act()
                return read(*args)

            return reading

        readers = live_readers()
        changed = {name: first(act, getattr(readers, name)) for name, act in acts.items()}
        monkeypatch.setattr(talk, "live_readers", lambda: replace(readers, **changed))

    return hook


@pytest.mark.timeout(240)
def test_stores_that_are_killed_in_the_middle_of_a_turn_and_started_again(
    connected: Callable[[str], Turn],
    graph_server: GraphServer,
    vector_server: VectorServer,
    before_reading: Callable[..., None],
) -> None:
    drop_index_files()
    before_reading(nearest=vector_server.kill, background=graph_server.kill)
    turn = connected(ABOUT_HIM)
    assert statuses(turn)["probe"] == "failed"
    assert evidence(turn, "background")["source"] == "document"
    assert {"HAS_FATHER", "HAS_MOTHER"} <= facts(turn)
    assert turn.state == "done"
    before_reading()
    graph_server.start()
    vector_server.start()
    assert wait_for(lambda: uses_both(connected(ABOUT_A_BASE)), BACK_SECONDS)
