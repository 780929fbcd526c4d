from collections.abc import Callable, Collection, Iterator
from typing import Any

import httpx
import pytest

from kgadmin.accounts.keys import create_key
from kgadmin.accounts.models import Client, User
from tests.scripted_model import ScriptedModel
from tests.web import WebServer

MakeKey = Callable[..., str]


@pytest.fixture
def bot(tester: User) -> Client:
    return Client.objects.create(name="A bot", owner=tester)


@pytest.fixture
def make_key(bot: Client) -> MakeKey:
    """`make_key(scopes=["read"])`: the text of a new key of the bot."""

    def make(scopes: Collection[str] = ("chat",), **more: Any) -> str:
        return create_key(bot, scopes=scopes, by=None, **{"a_minute": 1000, **more})[1]

    return make


@pytest.fixture
def key(make_key: MakeKey) -> str:
    return make_key()


@pytest.fixture
def api(web: WebServer, web_model: ScriptedModel, key: str) -> Iterator[httpx.Client]:
    """A program with a key, before a real web process."""
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=f"{web.address}/v1", headers=headers, timeout=30, trust_env=False) as client:
        yield client
