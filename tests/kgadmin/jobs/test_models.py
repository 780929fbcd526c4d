"""Jobs: taken once, started once, taken up again, and ended with what happened."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import TestCase
from django.utils import timezone
from pytest_django.fixtures import Settings

from kgadmin.accounts.models import User
from kgadmin.jobs import runner, services
from kgadmin.jobs.models import HEART_STOPPED_AFTER, MAX_ATTEMPTS, Job, JobLostError
from kgadmin.stores.errors import StoreError
from tests.kgadmin.jobs import handlers
from tests.processes import at_once


def queued() -> Job:
    return Job.objects.create(kind="ingest", subject="reef")


def taken() -> Job:
    job = queued()
    assert job.take()
    return job


def stop_heart(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - HEART_STOPPED_AFTER - timedelta(seconds=1))


def test_only_one_worker_takes_a_job(db: None) -> None:
    job = queued()
    other = Job.objects.get(pk=job.pk)
    assert job.take()
    assert not other.take()
    assert job.attempts == 1


def test_a_job_whose_heart_stopped_is_queued_again_and_kicked_once(db: None) -> None:
    job = taken()
    assert Job.objects.revive() == []
    stop_heart(job)
    assert Job.objects.revive() == [job.pk]
    assert Job.objects.revive() == []
    job.refresh_from_db()
    assert job.state == Job.State.QUEUED


def test_a_job_whose_message_was_lost_is_kicked_again(db: None) -> None:
    job = queued()
    assert Job.objects.revive() == []
    Job.objects.update(kicked_at=timezone.now() - timedelta(minutes=1))
    assert Job.objects.revive() == [job.pk]


def test_a_worker_that_wakes_up_after_its_job_was_given_away_writes_nothing(db: None) -> None:
    sleeper = taken()
    stop_heart(sleeper)
    Job.objects.revive()
    other = Job.objects.get()
    assert other.take()
    with pytest.raises(JobLostError):
        sleeper.progress(done=1, total=1)
    with pytest.raises(JobLostError):
        sleeper.finish()
    sleeper.fail(StoreError("Too late."))
    assert not sleeper.beat()
    assert Job.objects.get().state == Job.State.RUNNING


def test_a_job_whose_workers_die_five_times_fails_with_a_sentence(db: None) -> None:
    job = queued()
    for _ in range(MAX_ATTEMPTS):
        assert job.take()
        stop_heart(job)
        Job.objects.revive()
        job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "died 5 times" in job.error
    assert not Job.objects.open()


def test_an_error_that_may_pass_is_tried_again_until_five_attempts_are_over(db: None) -> None:
    job = queued()
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert job.take()
        job.fail(StoreError("The vector store does not answer."))
        job.refresh_from_db()
        assert job.error == "The vector store does not answer."
        assert (job.state == Job.State.FAILED) == (attempt == MAX_ATTEMPTS)


def test_an_error_that_stays_ends_the_job_at_once_unless_it_was_asked_for_again_meanwhile(db: None) -> None:
    job = taken()
    Job.objects.update(requests=2)
    job.fail(StoreError("The model is not there.", retryable=False))
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == (Job.State.QUEUED, 0, "The model is not there.")
    assert job.take()
    job.fail(StoreError("Nor now.", retryable=False))
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert job.finished_at


def test_starting_saves_a_row_and_kicks_after_the_commit_as_resuming_does(operator: User) -> None:
    with TestCase.captureOnCommitCallbacks() as callbacks:
        job = services.start(kind="ingest", subject="reef", by=operator)
    assert Job.objects.get() == job
    assert job.created_by == operator
    assert len(callbacks) == 1
    assert job.pause()
    with TestCase.captureOnCommitCallbacks() as callbacks:
        assert services.resume(job)
        assert not services.resume(job)
    assert len(callbacks) == 1


def test_what_is_asked_for_while_its_job_is_being_cancelled_is_done(db: None) -> None:
    job = taken()
    assert job.cancel()
    services.start(kind=job.kind, subject=job.subject, by=None)
    job.stop()
    job.refresh_from_db()
    assert (job.state, job.worker) == (Job.State.QUEUED, "")
    assert job in Job.objects.forgotten()


def test_there_is_one_open_job_per_subject_until_it_ends(db: None) -> None:
    first = services.start(kind="ingest", subject="reef", by=None)
    again = services.start(kind="ingest", subject="reef", by=None)
    other = services.start(kind="ingest", subject="lab", by=None)
    assert first == again != other
    assert again.requests == 2
    assert again.take()
    assert again.finish()
    assert services.start(kind="ingest", subject="reef", by=None) != first


@pytest.mark.engine
def test_of_those_who_start_a_job_at_once_all_get_the_same_one(transactional_db: None) -> None:
    assert len(set(at_once(lambda: services.start(kind="ingest", subject="reef", by=None).pk, 4))) == 1


@pytest.fixture(autouse=True)
def no_runs() -> None:
    handlers.runs.clear()


def run_job(settings: Settings, handler: str) -> Job:
    settings.JOB_HANDLERS = {"try": f"tests.kgadmin.jobs.handlers.{handler}"}
    job = Job.objects.create(kind="try", subject="reef")
    runner.run(job.pk)
    job.refresh_from_db()
    return job


def test_a_job_runs_its_handler_once_and_is_done(db: None, settings: Settings) -> None:
    job = run_job(settings, "note")
    runner.run(job.pk)
    runner.run(404)
    assert handlers.runs == [job.pk]
    assert job.state == Job.State.DONE
    assert job.finished_at


def test_a_job_that_is_asked_for_while_it_runs_runs_once_more(db: None, settings: Settings) -> None:
    job = run_job(settings, "ask_again_once")
    assert handlers.runs == [job.pk, job.pk]
    assert job.state == Job.State.DONE
    assert Job.objects.count() == 1


def test_a_defect_ends_the_job_with_its_name(db: None, settings: Settings) -> None:
    job = run_job(settings, "divide_by_nought")
    assert job.state == Job.State.FAILED
    assert job.error == "ZeroDivisionError: by nought"


@pytest.mark.engine
def test_the_heart_beats_while_the_handler_is_busy_though_its_connection_broke(
    transactional_db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: list[int] = []
    beat = Job.beat

    def breaking_once(job: Job) -> bool:
        if not broken:
            connection.ensure_connection()
            connection.connection.close()
            broken.append(job.pk)
        return beat(job)

    monkeypatch.setattr(runner, "HEARTBEAT_S", 0.05)
    monkeypatch.setattr(Job, "beat", breaking_once)
    job = run_job(settings, "outlive_a_heartbeat")
    assert handlers.runs == broken == [job.pk]
