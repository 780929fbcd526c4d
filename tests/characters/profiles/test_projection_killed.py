"""Publishing and projecting in a process of its own, killed or stopped in the middle, then swept as beat does."""

import random
import signal
from collections.abc import Sequence
from typing import Any

import pytest

from characters.authoring.drafts import services as drafts
from characters.profiles.models import Character, Revision
from kgadmin.projection import services as projecting
from kgadmin.stores.graph import Graph
from tests.characters.profiles import dying_projector
from tests.characters.profiles.reach import (
    SLUGS,
    assert_whole,
    projected_characters,
    publish_next,
    type_next,
)
from tests.processes import Dying, sweep_until_nothing_waits

COMMITS = ["before the graph's commit", "before the vectors", "before the mark", "after the mark"]


def usually(these: Sequence[object], others: Sequence[object]) -> list[Any]:
    """Cases of `make test`, and those that only `make test-faults` tries beside them."""
    return [*these, *(pytest.param(each, marks=pytest.mark.faults) for each in others)]


def start(work: str, point: str, nth: int, signal_name: str = "SIGKILL") -> Dying:
    return Dying(dying_projector.main, work, point, nth, signal_name)


@pytest.fixture
def in_motion(projected: Graph) -> None:
    """Three characters in the graph, each with a sheet that was published since."""
    projected_characters()
    for character in Character.objects.all():
        publish_next(character)


@pytest.mark.parametrize("point", usually(["before the draft follows"], ["before the revision", "before it is live"]))
def test_a_draft_whose_publish_was_killed_is_still_there_and_published_again(projected: Graph, point: str) -> None:
    projected_characters()
    typed = {character.slug: type_next(character) for character in Character.objects.all()}
    assert start("publish drafts", point, 2).wait() == -signal.SIGKILL
    assert {character.slug: drafts.draft_of(character).document for character in Character.objects.all()} == typed
    assert [drafts.draft_of(each).is_published for each in Character.objects.order_by("slug")] == [True, False, False]
    assert Revision.objects.filter(number=2).count() == 1
    for character in Character.objects.exclude(live_revision__number=2):
        drafts.publish_draft(character, version=drafts.draft_of(character).version, by=None)
    sweep_until_nothing_waits()
    assert_whole(revision=2)
    assert {character.slug: character.live_revision.document for character in Character.objects.all()} == typed  # type: ignore[union-attr]


@pytest.mark.parametrize("nth", usually([2], [1, 3]))
def test_a_draft_whose_publish_was_killed_after_its_commit_is_live_and_projected(projected: Graph, nth: int) -> None:
    projected_characters()
    for character in Character.objects.all():
        type_next(character)
    assert start("publish drafts", "after the commit", nth).wait() == -signal.SIGKILL
    characters = list(Character.objects.order_by("slug"))
    assert [drafts.draft_of(each).is_published for each in characters] == [place < nth for place in range(len(SLUGS))]
    assert (len(projecting.waiting()), Revision.objects.filter(number=2).count()) == (nth, nth)
    sweep_until_nothing_waits()
    assert_whole()


@pytest.mark.parametrize("nth", usually([2], [1, 3]))
@pytest.mark.parametrize("point", usually(COMMITS, ["before the graph", "after the deletes"]))
def test_a_killed_projection_is_finished_once_its_lease_has_run_out(in_motion: None, point: str, nth: int) -> None:
    assert start("sweep", point, nth).wait() == -signal.SIGKILL
    rest = len(SLUGS) - nth
    its_own = 0 if point == "after the mark" else 1
    assert len(projecting.waiting()) == rest + its_own
    assert (projecting.sweep(), len(projecting.waiting())) == (rest, its_own)
    sweep_until_nothing_waits()
    assert_whole(revision=2)


@pytest.mark.faults
def test_a_projection_killed_anywhere_is_finished(in_motion: None) -> None:
    nth = random.randint(1, 6 * len(SLUGS))
    assert start("sweep", "anywhere", nth).wait() == -signal.SIGKILL, f"pass {nth} was never reached"
    sweep_until_nothing_waits()
    assert_whole(revision=2)


@pytest.mark.parametrize("point", usually(["before the graph"], ["after the deletes", *COMMITS]))
def test_a_projector_that_wakes_up_after_another_did_its_work_spoils_nothing(in_motion: None, point: str) -> None:
    sleeper = start("sweep", point, 1, "SIGSTOP")
    try:
        assert sleeper.stands_still()
        for character in Character.objects.all():
            publish_next(character)
        sweep_until_nothing_waits()
        assert_whole(revision=3)
    finally:
        sleeper.wake()
    sleeper.wait()
    sweep_until_nothing_waits()
    assert_whole(revision=3)
