"""A filled world on real engines, made once for all tests of a module."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest
from django.conf import settings
from django.db import connections
from pydantic import SecretStr
from pytest_django import DjangoDbBlocker

from characters.conversations.models import Conversation, Person, Turn
from characters.memory import readers
from characters.profiles.models import Character
from characters.talk import requests, say
from characters.talk.recorder import TurnRecorder
from kgadmin.accounts.models import User
from kgadmin.projection import services as projection
from kgadmin.stores.embedder import LocalEmbedder
from tests import stack
from tests.fixtures.engines import PATIENT
from tests.servers import GraphServer, VectorServer
from tests.turns import answered, asked, evidence

Ask = Callable[..., Turn]


def ask_in(scope: Literal["module", "package"], fill: Callable[[], object]) -> Any:
    """The fixture `ask` of a world that is filled once: `ask(slug, message, name)` answers a full turn as somebody."""

    @pytest.fixture(scope=scope, name="ask")
    def ask(
        tmp_path_factory: pytest.TempPathFactory,
        django_db_blocker: DjangoDbBlocker,
        running_graph: GraphServer,
        running_vectors: VectorServer,
        embedder: LocalEmbedder,
    ) -> Iterator[Ask]:
        database = database_of_its_own(django_db_blocker, tmp_path_factory.mktemp("world"))
        with database, world(running_graph, running_vectors, fill) as asking:
            yield asking

    return ask


@contextmanager
def world(graph: GraphServer, vectors: VectorServer, fill: Callable[[], object]) -> Iterator[Ask]:
    """Empty engines, filled and projected."""
    graph.wipe()
    vectors.wipe()
    before = settings.CONFIG
    settings.CONFIG = before.model_copy(update=_fields(graph, vectors))
    stack.forget_engines()
    TurnRecorder.strict = True
    try:
        fill()
        while projection.sweep():
            continue
        assert projection.waiting() == []
        yield partial(_ask, User.objects.create_user("asker"))
    finally:
        TurnRecorder.strict = False
        settings.CONFIG = before
        stack.forget_engines()


@contextmanager
def database_of_its_own(blocker: DjangoDbBlocker, folder: Path) -> Iterator[None]:
    """A fresh database in place of the tests' one, which is emptied after each test."""
    before = connections.databases["default"]["NAME"]
    with blocker.unblock():
        try:
            stack.use_fresh_database(folder)
            forget_what_was_read()
            yield
        finally:
            forget_what_was_read()
            stack.use_database(before)


def forget_what_was_read() -> None:
    """Revisions and people are numbered anew in each database, to which threads that assemble stay connected."""
    requests._sheet.cache_clear()
    readers.forget_all()
    say._ASSEMBLERS.shutdown()
    say._ASSEMBLERS = ThreadPoolExecutor(8, thread_name_prefix="assemble")


def _fields(graph: GraphServer, vectors: VectorServer) -> dict[str, Any]:
    fields = PATIENT | graph.settings | vectors.settings
    return fields | {"graph_password": SecretStr(str(fields["graph_password"]))}


def _ask(by: User, slug: str, message: str, name: str = "", *, live: bool = False) -> Turn:
    """A whole turn; what isn't `live` is a sandbox, so that no test remembers what another one asked."""
    person = Person.objects.get(name=name) if name else None
    turn = asked(by, Character.objects.get(slug=slug), message, person=person)
    Conversation.objects.filter(pk=turn.conversation.pk).update(sandbox=not live)
    turn = answered(turn)
    assert turn.state == "done"
    assert turn.text
    assert not turn.stages.filter(status="failed").exists()
    return turn


def facts(turn: Turn) -> list[str]:
    """The predicates of the facts that went into the prompt, best first."""
    used: Any = evidence(turn, "background").get("used", [])
    return [fact["predicate"] for fact in used]


def background_section(turn: Turn) -> str:
    """The prompt's section on her background; empty if it has none."""
    return next((each["text"] for each in turn.prompt["sections"] if each["name"] == "background"), "")
