"""What a turn asks of the engines before its model is asked: as much at three bases as at ten."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.profiles.models import Character
from characters.talk import say
from characters.talk.recorder import TurnRecorder
from kgadmin.accounts.models import User
from kgadmin.knowledge import services
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.stores import wiring
from tests.kgadmin.knowledge.ingestion import finish, paper
from tests.turns import asked

MOST_SQL = 20
MESSAGE = "What happened at Crane Bastion, and does Kasia Bielska know?"


def counted(calls: list[str], name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def counting(*args: Any, **more: Any) -> Any:
        calls.append(name)
        return call(*args, **more)

    return counting


@pytest.mark.engine
def test_more_bases_cost_no_more_statements(
    ready_tomasz: Character, tester: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    monkeypatch.setattr(wiring.graph(), "read", counted(calls, "graph", wiring.graph().read))
    monkeypatch.setattr(wiring.vectors(), "query", counted(calls, "vectors", wiring.vectors().query))

    def statements() -> tuple[int, list[str]]:
        say.prepare(asked(tester, ready_tomasz, MESSAGE).pk, TurnRecorder())  # reads what stays read
        turn = asked(tester, ready_tomasz, MESSAGE)
        calls.clear()
        with CaptureQueriesContext(connection) as captured:
            say.prepare(turn.pk, TurnRecorder())
        return len(captured), sorted(calls)

    made: list[KnowledgeBase] = []
    for wanted in (3, 10):
        while len(made) + 2 < wanted:
            made.append(services.register(name=f"Base {len(made)}", by=None))
            services.add_document(base=made[-1], name="a.md", content=paper(f"tide {len(made)}"), by=None)
            finish(made[-1])
        if wanted == 3:
            of_three = statements()
    assert statements() == of_three
    assert of_three[0] <= MOST_SQL
    assert "vectors" not in of_three[1]
    assert len(of_three[1]) <= 1
