"""`manage.py drift`: what it says, and its exit codes."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from kgadmin.projection.comparing import Difference
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from tests.kgadmin.projection.shelf import Shelf
from tests.servers import GraphServer


def drift() -> tuple[str, int]:
    """What it printed, and the exit code."""
    out = StringIO()
    try:
        call_command("drift", stdout=out)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def test_without_drift_it_says_so(shelf: type[Shelf]) -> None:
    shelf.waiting.clear()
    assert drift() == ("No drift.\n", 0)


def test_what_waits_is_said_and_is_no_drift(shelf: type[Shelf]) -> None:
    assert drift() == ("3 still waiting to be projected: a, b, c\nNo drift.\n", 0)


def test_differences_are_listed_and_end_with_code_1(shelf: type[Shelf]) -> None:
    shelf.waiting.clear()
    shelf.differences += [
        Difference("character:1", "facts", "3", "2"),
        Difference("character:2", "character", "bo", "none"),
    ]
    assert drift() == (
        "character:1: facts: the database has 3, found 2\ncharacter:2: character: the database has bo, found none\n",
        1,
    )


def test_an_engine_that_does_not_answer_ends_with_code_2(shelf: type[Shelf]) -> None:
    shelf.differences.append(StoreError("The graph is down."))
    with pytest.raises(CommandError, match="The graph is down") as caught:
        drift()
    assert caught.value.returncode == 2


def test_a_real_graph_is_compared(db: None, wired: None) -> None:
    assert drift() == ("No drift.\n", 0)
    wiring.graph().write("CREATE (:Character {id: 'character:999'})")
    told, code = drift()
    assert code == 1
    lines = told.splitlines()
    assert lines[0].split()[:3] == ["characters", "database", "0"]
    assert lines[0].split()[4:7] == ["!", "graph", "1"]
    assert lines[1] == "character:999: character: the database has none, found one"


@pytest.mark.parametrize("broken", [GraphServer.kill, GraphServer.pause], ids=["killed", "hung"])
def test_a_real_graph_that_does_not_answer_is_said(
    db: None, wire: Callable[..., None], graph_server: GraphServer, broken: Callable[[GraphServer], None]
) -> None:
    wire(graph_server, graph_read_timeout=0.5)
    broken(graph_server)
    with pytest.raises(CommandError, match="The graph") as caught:
        drift()
    assert caught.value.returncode == 2
