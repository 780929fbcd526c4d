from collections.abc import Callable

import pytest

from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.stores import wiring
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.scripted_model import ScriptedModel


@pytest.fixture(autouse=True)
def cheap_embedder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors at once, where a test doesn't ask for the real model."""
    if "embedder" not in request.fixturenames:
        embedder = HashEmbedder()
        monkeypatch.setattr(wiring, "embedder", lambda: embedder)


@pytest.fixture
def elena(db: None) -> Character:
    return Character.objects.create(slug="elena", name="Elena")


@pytest.fixture
def dotty(db: None) -> Character:
    return Character.objects.create(slug="dotty", name="Dotty")


@pytest.fixture
def model(wire: Callable[..., None], scripted_model: ScriptedModel) -> ScriptedModel:
    """A language model that is connected and says what the test tells it to."""
    wire(scripted_model, llm_timeout=5)
    return scripted_model


@pytest.fixture
def by(operator: User) -> User:
    return operator
