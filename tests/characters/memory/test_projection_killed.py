"""Remembering and projecting in processes that are killed or stopped in the middle, then swept as beat does.

By default each point strikes once, on one person; the rest are faults.
"""

import signal
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db.models import Model

from characters.conversations.models import Message, Person
from characters.memory.models import Entity, Relation, Similarity, UserFact
from characters.profiles.models import Character
from kgadmin.celery import app
from kgadmin.projection import services as projecting
from kgadmin.projection.models import Lease
from kgadmin.stores.graph import Graph
from tests import stack
from tests.characters.memory import dying_projector, people
from tests.characters.memory.people import World, changed
from tests.processes import Dying, sweep_until_nothing_waits
from tests.servers import GraphServer

pytestmark = pytest.mark.timeout(240)

POINTS = [
    "before the graph",
    "after a statement of a batch",
    "after a batch in the graph",
    "after an edge's delete",
    "after the edges",
    "between graph and mark",
    "after the mark",
    "before a deletion",
    "after a deletion",
]
NAMES = ("Mark", "Marie", "Ines")


def start(work: str, point: str, nth: int, signal_name: str = "SIGKILL") -> Dying:
    return Dying(dying_projector.main, work, point, nth, signal_name)


def counts() -> dict[str, int]:
    """How many rows there are of each kind that a projection holds."""
    models: tuple[type[Model], ...] = (Person, Message, Entity, UserFact, Similarity, Relation)
    return {model.__name__: model._default_manager.count() for model in models}


def assert_whole(rows: dict[str, int], when: str = "") -> None:
    assert counts() == rows, when
    assert projecting.drift() == [], when


@pytest.fixture
def world(projected: Graph, ann: Character) -> World:
    """A person in the graph."""
    made = people.world(people.person(NAMES[0]), ann, messages=5)
    sweep_until_nothing_waits()
    return made


@pytest.fixture
def worlds(world: World) -> list[World]:
    """Three people."""
    made = [
        people.world(people.person(name), world.character, messages=5, seed=place)
        for place, name in enumerate(NAMES[1:])
    ]
    sweep_until_nothing_waits()
    return [world, *made]


def moved(*worlds: World) -> dict[str, int]:
    for world in worlds:
        move(world)
    return counts()


def move(world: World) -> None:
    first = Message.objects.count()
    for number in range(first, first + 4):
        message = people.message(world.conversation, f"More of it, {number}.", answer="Go on.")
        people.mentions(message, *world.entities[number % 3 :][:2])
        liked = people.fact(world.character, f"LIKES_{number}", world.entities[0], subject=world.entities[1])
        world.facts.insert(0, liked)
        people.similar(world.messages[0], message)
        people.relation(world.messages[0], message, "Elaboration")
        world.messages.append(message)
    changed(world.messages[0], text=f"I take {first} back.", vector=None)
    changed(world.entities[0], name=f"Lulu {first}")
    changed(world.facts.pop(), state="closed", closed_at=people.BEGIN)
    for alike in world.similarities[:3]:
        changed(alike, score=1 / first)
    changed(world.relations[0], relation="Causal", status="relabelled")
    for gone in (world.messages.pop(1), world.messages.pop(1)):
        gone.delete()
    world.similarities = list(Similarity.objects.filter(person=world.person))
    world.relations = list(Relation.objects.filter(person=world.person))


def test_a_projection_killed_at_any_point_is_finished(world: World) -> None:
    for point in POINTS:
        rows = moved(world)
        assert start("sweep", point, 1).wait() == -signal.SIGKILL, f"{point} was never reached"
        assert projecting.waiting(), point
        sweep_until_nothing_waits()
        assert_whole(rows, point)


@pytest.mark.parametrize("nth", [1, *(pytest.param(later, marks=pytest.mark.faults) for later in (2, 3))])
def test_what_was_said_before_a_kill_is_projected(worlds: list[World], nth: int) -> None:
    assert start("talk", "before the kick", nth).wait() == -signal.SIGKILL
    rows = counts()
    assert len(projecting.waiting()) == nth
    sweep_until_nothing_waits()
    assert_whole(rows)


@pytest.mark.parametrize(
    "point",
    [
        "between graph and mark",
        *(pytest.param(point, marks=pytest.mark.faults) for point in POINTS if point != "between graph and mark"),
    ],
)
def test_a_projector_that_wakes_up_after_another_did_its_work_spoils_nothing(world: World, point: str) -> None:
    moved(world)
    sleeper = start("sweep", point, 1, "SIGSTOP")
    try:
        assert sleeper.stands_still()
        changed(world.messages[0], text="Or don't.", vector=None)
        people.mentions(people.message(world.conversation, "Both."), *world.entities[:2])
        rows = counts()
        sweep_until_nothing_waits()
        assert_whole(rows)
    finally:
        sleeper.wake()
    sleeper.wait()
    sweep_until_nothing_waits()
    assert_whole(rows)


@pytest.mark.faults
def test_two_processes_at_once_on_the_same_people_end_well(worlds: list[World]) -> None:
    rows = moved(*worlds)
    workers = [start("sweep", "nowhere", 1), start("sweep", "nowhere", 1)]
    assert [worker.wait() for worker in workers] == [0, 0]
    sweep_until_nothing_waits()
    assert_whole(rows)


@pytest.mark.faults
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_server_killed_in_the_middle_is_written_to_when_it_is_back(
    world: World, graph_server: GraphServer, nth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = moved(world)
    with monkeypatch.context() as patch:
        patch.setattr(Graph, "write_all", killing(graph_server.kill, Graph.write_all, nth))
        assert projecting.sweep() == 0
    assert projecting.waiting()
    assert Lease.objects.exclude(error="").get().failures == 1
    graph_server.start()
    stack.forget_engines()
    sweep_until_nothing_waits()
    assert_whole(rows)


def killing(kill: Callable[[], None], original: Callable[..., Any], nth: int) -> Callable[..., Any]:
    calls = iter(range(1, 1000))

    def call(*args: Any, **kwargs: Any) -> Any:
        if next(calls) == nth:
            kill()
        return original(*args, **kwargs)

    return call


def test_work_whose_messages_were_lost_from_the_broker_is_done_by_the_next_sweep(world: World) -> None:
    rows = moved(world)
    assert stack.lose_messages() > 0
    assert len(projecting.waiting()) == 1
    app.tasks[str(settings.CELERY_BEAT_SCHEDULE["kgadmin.projection.tasks.sweep"]["task"])]()
    assert_whole(rows)
