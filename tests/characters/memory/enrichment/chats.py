"""A person, a character and what was said, with vectors that a test chooses; and answers of a scripted model."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from characters.conversations.models import Acquaintance, Conversation, Message, Person
from characters.memory.enrichment import services
from characters.memory.models import EnrichmentRun
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.stores import wiring
from tests.scripted_model import Request

BEGIN = datetime(2026, 1, 5, 12, tzinfo=UTC)
SIZE = 256
YOGA = (
    "I want to start yoga in the park.",
    "Which yoga mat should I buy?",
    "I changed my mind, I don't want to do yoga any more.",
)
"""Three messages that are near each other."""


def person(name: str = "Mark", outside_id: str = "mark") -> Person:
    return Person.objects.get_or_create(namespace="tester:all", outside_id=outside_id, defaults={"name": name})[0]


def messages(
    texts: Sequence[str], *, to: Character, by: Person, owner: User, near: bool = True, embedder: str = ""
) -> list[Message]:
    """What the person said to the character, a day apart each, with vectors that are all `near`, or all apart."""
    conversation = Conversation.objects.create(character=to, person=by, owner=owner)
    acquaintance, _ = Acquaintance.objects.get_or_create(person=by, character=to)
    made = []
    for number, text in enumerate(texts):
        acquaintance.places += 1
        made.append(
            Message.objects.create(
                conversation=conversation,
                role="user",
                text=text,
                at=BEGIN + timedelta(days=number),
                place=acquaintance.places,
                memory="quotable",
                vector=_vector(number, near=near),
                embedder=embedder or wiring.embedder().id,
            )
        )
    acquaintance.save()
    return made


def _vector(number: int, *, near: bool) -> bytes:
    vector = np.zeros(SIZE, dtype=np.float32)
    vector[0] = 1.0 if near else 0.0
    vector[number + 1] = 0.4
    unit: np.ndarray = vector / np.linalg.norm(vector)
    return unit.astype(np.float32).tobytes()


def run_over(character: Character, by: Person | None, **settings: Any) -> EnrichmentRun:
    """A run, not started."""
    return EnrichmentRun(character=character, person=by, **settings)


def finish(run: EnrichmentRun, user: User) -> EnrichmentRun:
    """Start the run and work on it here, as a worker would."""
    runner.run(services.start(run, by=user).pk)
    run.refresh_from_db()
    return run


def job_of(run: EnrichmentRun) -> Job:
    assert run.job is not None
    return run.job


def verdict(source: Message, target: Message, relation: str = "Contrast", **more: Any) -> dict[str, Any]:
    """One item of a model's answer."""
    result = {"source_id": source.pk, "target_id": target.pk, "relation": relation}
    return result | {"confidence": 0.9, "evidence": "It says so."} | more


def answer(*items: dict[str, Any]) -> str:
    return json.dumps({"results": items})


def pairs_asked(request: Request) -> set[tuple[int, int]]:
    """The pairs of a request, (source, target), as its data have them."""
    text = request.body["messages"][-1]["content"]
    data = json.loads(text[text.index("<messages>") + 10 : text.index("</messages>")])
    return {
        (entry["source_message"]["id"], target["id"])
        for entry in data["batch"]
        for target in entry["frontier_messages"]
    }
