"""Remembering and projecting in processes that are killed or stopped in the middle, then swept as beat does."""

import random
import signal
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone

from characters.conversations.models import Message, Person
from characters.memory.models import Entity, Relation, Similarity, UserFact
from characters.profiles.models import Character
from kgadmin.celery import app
from kgadmin.projection import services as projecting
from kgadmin.projection.models import LEASE_SECONDS, Lease, Tombstone
from kgadmin.stores import wiring
from kgadmin.stores.chroma import ChromaIndex
from kgadmin.stores.graph import Graph
from tests import stack
from tests.characters.memory import dying_projector, people
from tests.characters.memory.people import World, changed
from tests.dying import Dying
from tests.servers import GraphServer, VectorServer

pytestmark = pytest.mark.timeout(240)

POINTS = [
    "before the graph",
    "after a statement of a batch",
    "after a batch in the graph",
    "after an edge's delete",
    "after the edges",
    "after embedding",
    "between graph and vectors",
    "after the vectors",
    "before the mark",
    "between the deletions",
    "after the deletions",
]
NAMES = ("Mark", "Marie", "Ines")


def start(work: str, point: str, nth: int, signal_name: str = "SIGKILL") -> Dying:
    return Dying(dying_projector.main, work, point, nth, signal_name)


def sweep_until_nothing_waits() -> None:
    """What beat does every 2 s, from when the leases of the dead have run out."""
    with time_machine.travel(timezone.now() + timedelta(seconds=LEASE_SECONDS + 1), tick=False) as clock:
        for _ in range(20):
            projecting.sweep()
            if not projecting.waiting():
                return
            clock.shift(2)
    raise AssertionError(f"still waiting: {projecting.waiting()}, {list(Lease.objects.values('owner', 'error'))}")


def counts() -> Counter[str]:
    """How many rows there are of each kind that a projection holds."""
    models: tuple[Any, ...] = (Person, Message, Entity, UserFact, Similarity, Relation)
    return Counter({model.__name__: model.objects.count() for model in models})


def held() -> Counter[str]:
    """How many things each store holds of each kind."""
    compared = (each for store in projecting.STORES for each in projecting.compare(store))
    return Counter({each.kind: each.found.count for each in compared})


def expected() -> Counter[str]:
    compared = (each for store in projecting.STORES for each in projecting.compare(store))
    return Counter({each.kind: each.expected.count for each in compared})


def assert_whole(rows: Counter[str]) -> None:
    assert counts() == rows
    assert held() == expected()
    assert projecting.drift() == []
    assert not Tombstone.objects.exists()


@pytest.fixture
def worlds(projected: Graph, ann: Character) -> list[World]:
    """Three people in graph and vectors."""
    made = [people.world(people.person(name), ann, messages=5, seed=place) for place, name in enumerate(NAMES)]
    sweep_until_nothing_waits()
    return made


@pytest.fixture
def in_motion(worlds: list[World]) -> Counter[str]:
    """Each of them with something new, changed and deleted since; the rows' counts."""
    return moved(worlds)


def moved(worlds: list[World]) -> Counter[str]:
    for world in worlds:
        move(world)
    return counts()


def move(world: World) -> None:
    first = Message.objects.count()
    for number in range(first, first + 4):
        said = people.said(world.conversation, f"More of it, {number}.", answer="Go on.")
        people.mentions(said, *world.entities[number % 3 :][:2])
        people.fact(world.character, f"LIKES_{number}", world.entities[0], subject=world.entities[1])
        people.similar(world.messages[0], said)
        people.relation(world.messages[0], said, "Elaboration")
        world.messages.append(said)
    changed(world.messages[0], text=f"I take {first} back.", vector=None)
    changed(world.entities[0], name=f"Lulu {first}")
    changed(world.facts.pop(), state="closed", closed_at=people.BEGIN)
    for alike in world.similarities[:3]:
        changed(alike, score=1 / first)
    changed(world.relations[0], relation="Causal", status="relabelled")
    for gone in (world.messages.pop(1), world.messages.pop(1)):
        for row in (gone, *gone.children.all()):
            Tombstone.objects.create(owner=world.person.graph_id, key=row.graph_id)
        gone.delete()
    world.similarities = list(Similarity.objects.filter(person=world.person))
    world.relations = list(Relation.objects.filter(person=world.person))


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_what_was_said_before_a_kill_is_projected(worlds: list[World], nth: int) -> None:
    assert start("talk", "before the kick", nth).wait() == -signal.SIGKILL
    rows = counts()
    assert len(projecting.waiting()) == nth
    sweep_until_nothing_waits()
    assert_whole(rows)


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_projection_is_finished_three_times(worlds: list[World], point: str) -> None:
    for nth in (1, 2, 3):
        rows = moved(worlds)
        assert start("sweep", point, nth).wait() == -signal.SIGKILL, f"pass {nth} was never reached"
        assert projecting.waiting()
        sweep_until_nothing_waits()
        assert_whole(rows)


def test_a_projection_killed_anywhere_is_finished(in_motion: Counter[str]) -> None:
    nth = random.randint(1, 60)
    assert start("sweep", "anywhere", nth).wait() == -signal.SIGKILL, f"pass {nth} was never reached"
    sweep_until_nothing_waits()
    assert_whole(in_motion)


def test_a_projection_killed_again_and_again_is_finished(in_motion: Counter[str]) -> None:
    for nth in (7, 5, 3):
        assert start("sweep", "anywhere", nth).wait() == -signal.SIGKILL
        Lease.objects.update(held_until=None)
    sweep_until_nothing_waits()
    assert_whole(in_motion)


@pytest.mark.parametrize("point", ["before the graph", "between graph and vectors", "before the mark"])
def test_a_projector_that_wakes_up_after_another_did_its_work_spoils_nothing(
    worlds: list[World], in_motion: Counter[str], point: str
) -> None:
    sleeper = start("sweep", point, 1, "SIGSTOP")
    try:
        assert sleeper.stands_still()
        for world in worlds:
            changed(world.messages[0], text="Or don't.", vector=None)
            people.mentions(people.said(world.conversation, "Both."), *world.entities[:2])
        rows = counts()
        sweep_until_nothing_waits()
        assert_whole(rows)
    finally:
        sleeper.wake()
    sleeper.wait()
    sweep_until_nothing_waits()
    assert_whole(rows)


def test_two_processes_at_once_on_the_same_people_end_well(in_motion: Counter[str]) -> None:
    workers = [start("sweep", "nowhere", 1), start("sweep", "nowhere", 1)]
    assert [worker.wait() for worker in workers] == [0, 0]
    sweep_until_nothing_waits()
    assert_whole(in_motion)


@pytest.mark.parametrize(("engine", "method"), [(Graph, "write_all"), (ChromaIndex, "upsert")])
def test_a_server_killed_in_the_middle_is_written_to_when_it_is_back_three_times(
    worlds: list[World], graph_server: GraphServer, vector_server: VectorServer, engine: type[Any], method: str
) -> None:
    server = graph_server if engine is Graph else vector_server
    for nth in (1, 2, 3):
        rows = moved(worlds[:1] if engine is Graph else worlds)  # a write waits 5 s before it gives up
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine, method, killing(server.kill, getattr(engine, method), nth))
            projecting.sweep()
        assert projecting.waiting()
        assert Lease.objects.exclude(error="").exists()
        server.start()
        wiring.reset()
        sweep_until_nothing_waits()
        assert_whole(rows)


def killing(kill: Callable[[], None], original: Callable[..., Any], nth: int) -> Callable[..., Any]:
    calls = iter(range(1, 1000))

    def call(*args: Any, **kwargs: Any) -> Any:
        if next(calls) == nth:
            kill()
        return original(*args, **kwargs)

    return call


def test_work_whose_messages_were_lost_from_the_broker_is_done_by_the_next_sweep(worlds: list[World]) -> None:
    for _ in range(3):
        rows = moved(worlds)
        assert stack.lose_messages() > 0
        assert len(projecting.waiting()) == len(NAMES)
        app.tasks[str(settings.CELERY_BEAT_SCHEDULE["project"]["task"])]()
        assert_whole(rows)
