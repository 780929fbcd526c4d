import pytest
from django.test import TestCase

from kgadmin.accounts.models import User
from kgadmin.jobs import services
from kgadmin.jobs.models import Job
from tests.processes import at_once


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
