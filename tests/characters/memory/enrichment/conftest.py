from collections.abc import Callable

import pytest

from characters.memory.models import EnrichmentRun, Relation
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.stores import wiring
from tests.characters.memory.enrichment.chats import YOGA, finish, messages, person, run_over
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.scripted_model import ScriptedModel


@pytest.fixture(autouse=True)
def cheap_embedder(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors at once, where a test doesn't ask for the real model."""
    if "embedder" not in request.fixturenames:
        embedder = HashEmbedder()
        monkeypatch.setattr(wiring, "embedder", lambda: embedder)


@pytest.fixture
def model(wire: Callable[..., None], scripted_model: ScriptedModel) -> ScriptedModel:
    """A language model that is connected and says what the test tells it to."""
    wire(scripted_model, llm_timeout=5)
    return scripted_model


@pytest.fixture
def by(operator: User) -> User:
    return operator


@pytest.fixture
def run(elena: Character, by: User) -> EnrichmentRun:
    """Mark's messages on yoga, classified by cues."""
    messages(YOGA, to=elena, by=person(), owner=by)
    return finish(run_over(elena, person()), by)


@pytest.fixture
def relation(run: EnrichmentRun) -> Relation:
    return Relation.objects.drawn()[0]
