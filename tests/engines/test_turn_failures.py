"""Whole turns while an engine is killed, hung, or not there at all: the turn goes on and says what it lacks."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from characters.conversations.models import Turn
from characters.profiles import snapshot
from characters.profiles.models import Character
from characters.talk import say as talk
from characters.talk.readers import live_readers
from kgadmin.accounts.models import User
from kgadmin.embedded.servers import wait_for
from kgadmin.stores import wiring
from kgadmin.stores.breaker import Breaker
from tests.fixtures.engines import HASTY
from tests.servers import GraphServer, Server, VectorServer
from tests.talking import answered, asked, evidence, stages

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
GRAPH_SAYS = {"killed": "The graph does not answer at ", "hung": "The graph at "}
VECTORS_SAY = {"killed": "The vector store does not answer at ", "hung": "The vector store at "}


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
    assert str(background["source_reason"]).startswith(GRAPH_SAYS[how])
    assert {"HAS_FATHER", "HAS_MOTHER"} <= facts(turn)
    assert elapsed_ms(turn, "background") < STORE_MS + SLACK_MS
    # What comes to mind by itself lies in the graph alone: that stage says so, and the turn goes on.
    assert [name for name, status in statuses(turn).items() if status == "failed"] == ["ambient"]
    assert stages(turn)["ambient"][1].startswith("The graph")
    assert turn.state == "done"
    assert "choirmaster" in turn.text


@pytest.mark.parametrize("how", BREAK)
def test_without_the_vectors_the_probe_is_marked_failed_and_the_turn_goes_on(
    connected: Callable[[str], Turn], vector_server: VectorServer, how: str
) -> None:
    BREAK[how](vector_server)
    turn = connected(ABOUT_A_BASE)
    status, error = stages(turn)["probe"]
    assert status == "failed"
    assert error.startswith(VECTORS_SAY[how])
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


def test_a_persona_is_chosen_by_a_keyword_where_the_probe_failed(
    connected: Callable[[str], Turn], vector_server: VectorServer
) -> None:
    vector_server.pause()
    assert evidence(connected("Which sabre would you take?"), "persona")["slug"] == "piste"


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


def test_the_next_turn_does_not_wait_for_a_store_that_just_failed(
    connected: Callable[[str], Turn], graph_server: GraphServer, vector_server: VectorServer
) -> None:
    graph_server.pause()
    vector_server.pause()
    connected(ABOUT_HIM)
    turn = connected(ABOUT_HIM)
    assert "did not answer a moment ago" in stages(turn)["probe"][1]
    assert "did not answer a moment ago" in str(evidence(turn, "background")["source_reason"])
    assert turn.assembled_ms is not None
    assert turn.assembled_ms < STORE_MS


def test_hung_stores_that_go_on_are_used_again(
    connected: Callable[[str], Turn], graph_server: GraphServer, vector_server: VectorServer
) -> None:
    graph_server.pause()
    vector_server.pause()
    assert statuses(connected(ABOUT_A_BASE))["probe"] == "failed"
    graph_server.resume()
    vector_server.resume()
    assert wait_for(lambda: uses_both(connected(ABOUT_A_BASE)), 30)


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


def test_a_graph_that_is_killed_while_it_is_asked(
    ask: Callable[[str], Turn], graph_server: GraphServer, before_reading: Callable[..., None]
) -> None:
    def strike() -> None:
        graph_server.pause()
        Thread(target=graph_server.kill).start()

    before_reading(background=strike)
    turn = ask(ABOUT_HIM)
    assert evidence(turn, "background")["source"] == "document"
    assert turn.state == "done"


def test_vectors_that_hang_in_the_middle_of_a_turn(
    connected: Callable[[str], Turn], vector_server: VectorServer, before_reading: Callable[..., None]
) -> None:
    before_reading(nearest=vector_server.pause)
    turn = connected(ABOUT_A_BASE)
    assert stages(turn)["probe"][0] == "failed"
    assert elapsed_ms(turn, "probe") < STORE_MS + SLACK_MS
    assert turn.state == "done"


def test_vectors_that_are_killed_while_they_are_asked(
    ask: Callable[[str], Turn], vector_server: VectorServer, before_reading: Callable[..., None]
) -> None:
    def strike() -> None:
        vector_server.pause()
        Thread(target=vector_server.kill).start()

    before_reading(nearest=strike)
    turn = ask(ABOUT_A_BASE)
    assert stages(turn)["probe"][0] == "failed"
    assert turn.state == "done"


def test_passages_that_were_found_are_read_though_the_vectors_are_killed_then(
    ask: Callable[[str], Turn], vector_server: VectorServer, before_reading: Callable[..., None]
) -> None:
    before_reading(background=vector_server.kill)
    turn = ask(ABOUT_A_BASE)
    assert statuses(turn)["documents"] == "ok"
    assert "left their banner" in turn.prompt["text"]


# The embedder


@pytest.fixture
def broken_model(tmp_path: Path) -> str:
    """A folder that holds no model."""
    (tmp_path / "config.json").write_text("{")
    (tmp_path / "model.safetensors").write_bytes(b"not weights")
    return str(tmp_path)


@pytest.mark.parametrize(("folder", "sentence"), [("broken", "can't be loaded"), ("missing", "EMBEDDER_MODEL must be")])
def test_without_an_embedder_words_alone_find_facts(
    ask: Callable[[str], Turn],
    wire: Wire,
    graph_server: GraphServer,
    vector_server: VectorServer,
    broken_model: str,
    folder: str,
    sentence: str,
) -> None:
    wire(graph_server, vector_server, embedder_model=broken_model if folder == "broken" else "/no/such/folder")
    turn = ask("What did your grandfather do on the railway?")
    assert stages(turn)["probe"][0] == "failed"
    assert sentence in stages(turn)["probe"][1]
    assert statuses(turn)["background"] == "ok"
    assert "HAS_GRANDFATHER" in facts(turn)
    assert (statuses(turn)["prompt"], turn.state) == ("ok", "done")
    assert "bottles" in turn.text
