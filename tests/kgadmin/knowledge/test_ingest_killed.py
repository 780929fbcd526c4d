"""Ingestion in a process of its own, killed or stopped in the middle, then taken up again as the sweep does."""

from datetime import timedelta

import pytest
from django.utils import timezone

from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services
from kgadmin.projection import services as projecting
from tests.kgadmin.knowledge import dying_worker
from tests.kgadmin.knowledge.ingestion import assert_whole, base_in_motion
from tests.processes import Dying

POINTS = ["after the rows", "after embedding", "between the stores", "after the collection", "after burying"]

pytestmark = pytest.mark.engine


def start_worker(job: Job, point: str = "nowhere", signal: str = "SIGKILL") -> Dying:
    return Dying(dying_worker.main, job.pk, point, signal)


def take_up_again() -> None:
    """What the sweep does once the heart has been still for long enough."""
    Job.objects.filter(state=Job.State.RUNNING).update(heartbeat_at=timezone.now() - timedelta(minutes=1))
    for job_id in Job.objects.revive():
        runner.run(job_id)


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_ingestion_ends_whole(on_chroma: None, point: str) -> None:
    base = base_in_motion()
    job = services.ingest(base, by=None)
    assert start_worker(job, point).wait() == -9
    take_up_again()
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("done", 2)
    assert_whole(base)


def test_two_workers_that_are_kicked_at_once_run_a_job_once(on_chroma: None) -> None:
    base = base_in_motion()
    job = services.ingest(base, by=None)
    for worker in [start_worker(job) for _ in range(2)]:
        assert worker.wait() == 0
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("done", 1)
    assert_whole(base)


def test_two_ingestions_of_one_base_at_once_make_nothing_double(on_chroma: None) -> None:
    base = base_in_motion()
    twin = Job.objects.create(kind="ingest", subject=base.slug, state="done")
    job = services.ingest(base, by=None)
    Job.objects.filter(pk=twin.pk).update(kind="twin", state="queued")
    workers = [start_worker(job), start_worker(twin)]
    assert [worker.wait() for worker in workers] == [0, 0]
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}
    assert_whole(base)


def test_a_worker_that_wakes_up_after_another_finished_its_job_spoils_nothing(on_chroma: None) -> None:
    base = base_in_motion()
    sleeper = start_worker(services.ingest(base, by=None), "between the stores", "SIGSTOP")
    try:
        assert sleeper.stands_still()
        take_up_again()
        assert_whole(base)
    finally:
        sleeper.wake()
    sleeper.wait()
    projecting.sweep()
    assert_whole(base)
