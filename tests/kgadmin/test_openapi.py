"""The API as a file, and hundreds of requests made out of it: none may end in an error of ours."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, settings
from ninja.openapi.schema import OpenAPISchema, get_schema
from pytest_django.fixtures import Settings
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from characters.conversations import imports, services
from characters.conversations.models import Message, Person
from characters.memory.models import EnrichmentRun
from characters.profiles.models import Character
from characters.review import decisions
from characters.review.decisions import ProposalVersion
from kgadmin.accounts.keys import client_named, create_key
from kgadmin.accounts.models import User
from kgadmin.api import api
from kgadmin.config import ROOT
from kgadmin.embedded.servers import free_port
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import Chunk
from kgadmin.stores import wiring
from tests import stack
from tests.characters.conversations.export_files import jsonl, talk
from tests.characters.memory import people
from tests.characters.people.known_person import Knowing
from tests.characters.profiles import sheets
from tests.characters.review.proposals import proposal, stated
from tests.kgadmin.knowledge.ingestion import HashEmbedder

FILE = ROOT / "docs/openapi.json"
EXAMPLES = 5
WHO = ("role operator.", "tester.", "author.", "administrator.", "sign-in.", "account.")
"""How the description of an operation ends."""
TALKING = r"^/api/(conversations|conversations/{pk}/turns|turns/{pk}/again)$"
"""What answers in threads of its own, which see no row of a test that was never committed: tests/playground/chat."""


def document() -> dict[str, object]:
    schema: dict[str, object] = json.loads(json.dumps(api.get_openapi_schema()))
    return schema


def test_the_file_is_the_api_as_it_is() -> None:
    assert json.loads(FILE.read_text()) == document(), "`make openapi` writes it anew"


def test_every_operation_has_a_summary_a_tag_that_is_described_and_says_who_may() -> None:
    described = {tag["name"] for tag in document()["tags"]}  # type: ignore[attr-defined]
    for path, operations in document()["paths"].items():  # type: ignore[attr-defined]
        for operation in operations.values():
            assert operation["summary"], path
            assert set(operation["tags"]) <= described, path
            assert operation["description"].endswith(WHO), path


def test_no_schema_stands_in_the_place_of_another_of_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    schemas: dict[str, Any] = {}

    def add(_: OpenAPISchema, definitions: dict[str, Any]) -> None:
        for name, definition in definitions.items():
            assert schemas.setdefault(name, definition) == definition, name

    monkeypatch.setattr(OpenAPISchema, "add_schema_definitions", add)
    get_schema(api)
    assert "EnrichmentRunOut" in schemas and "EnrichmentRunIn" in schemas


@pytest.fixture
def one_connection() -> Iterator[None]:
    """The server's signals would close the connection at each request, and with it the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def engines_are_away(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    nowhere = {"graph_url": f"bolt://127.0.0.1:{free_port()}", "vectors_url": f"http://127.0.0.1:{free_port()}"}
    settings.CONFIG = settings.CONFIG.model_copy(update=nowhere)
    stack.forget_engines()
    monkeypatch.setattr(wiring, "embedder", HashEmbedder)
    yield
    stack.forget_engines()


@pytest.fixture
def one_of_each(admin: User, engines_are_away: None, one_connection: None) -> str:
    """A row of every kind, and an administrator's key."""
    elena = sheets.character("elena")
    mark = Person.objects.create(namespace="tester:all", outside_id="mark", name="Mark")
    known = Knowing(mark, elena, admin)
    luna = known.entity("Luna", "pet", "my cat")
    message = known.says("I have a cat called Luna", luna)
    known.fact("HAS_PET", luna, message, "I have a cat called Luna")
    _documents(admin)
    _work(elena, mark, admin, message)
    services.start_turn(conversation=known.conversation, text="Who is Luna?")
    _learning(elena, admin)
    imports.upload(name="ana.jsonl", content=jsonl(*talk(3), b"{"), by=admin)
    return create_key(client_named("Fuzz", by=admin), scopes=["read", "write"], a_minute=10**6, by=None)[1]


def _learning(character: Character, by: User) -> None:
    first, second = (proposal(character, "LOVES", object) for object in ("staghorn", "fog"))
    stated(first, "I love staghorn.", by=by)
    decisions.approve(ProposalVersion(second.pk, 1), by=by, batch="5f")


def _documents(by: User) -> None:
    base = knowledge.register(name="Marine biology", by=by)
    made = knowledge.add_document(base=base, name="reef.md", content=b"# Reef", by=by)
    Chunk.objects.create(base=base, document=made, index=0, text="Corals bleach.", tokens=3)


def _work(character: Character, person: Person, by: User, message: Message) -> None:
    run = EnrichmentRun.objects.create(character=character, person=person, created_by=by)
    Job.objects.create(kind="enrich", subject=f"run:{run.pk}")
    people.relation(message, people.message(message.conversation, "Luna is old"), "Follow-up")


def test_whatever_is_sent_is_answered_as_documented(one_of_each: str) -> None:
    """Each operation on the same rows: what it changes is undone for the next one."""
    schema = schemathesis.openapi.from_dict(document())
    schema.app = get_wsgi_application()
    wrong = []
    for result in schema.exclude(path_regex=TALKING, method="POST").get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        before = transaction.savepoint()
        try:
            _send(operation, one_of_each)
        except AssertionError as error:
            wrong.append(f"{operation.label}: {error}")
        transaction.savepoint_rollback(before)
    assert wrong == []


def _send(operation: Any, key: str) -> None:
    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def send(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(
            headers={"Authorization": f"Bearer {key}"},
            # No operation declares a 500, so the first of these refuses one; 503 is declared, and engines are away.
            checks=[status_code_conformance, content_type_conformance, response_schema_conformance],
        )

    send()
