import pytest
from django.core.management import call_command
from django.test import TestCase

from kgadmin.accounts.models import User
from kgadmin.jobs import services, tasks
from kgadmin.jobs.models import Job, WorkerHeartbeat


def test_starting_saves_a_row_and_kicks_after_the_commit(operator: User) -> None:
    with TestCase.captureOnCommitCallbacks() as callbacks:
        job = services.start(kind="ingest", subject="reef", by=operator)
    assert Job.objects.get() == job
    assert job.created_by == operator
    assert len(callbacks) == 1


def test_there_is_one_open_job_per_subject(db: None) -> None:
    first = services.start(kind="ingest", subject="reef", by=None)
    again = services.start(kind="ingest", subject="reef", by=None)
    other = services.start(kind="ingest", subject="lab", by=None)
    assert first == again != other
    assert again.requests == 2


def test_a_job_that_has_ended_makes_room_for_a_new_one(db: None) -> None:
    first = services.start(kind="ingest", subject="reef", by=None)
    assert first.take()
    assert first.finish()
    assert services.start(kind="ingest", subject="reef", by=None) != first


def test_a_kind_without_a_handler_is_refused(db: None) -> None:
    with pytest.raises(ValueError, match="dance"):
        services.start(kind="dance", subject="reef", by=None)


def test_the_heartbeat_leaves_one_row_per_machine(db: None) -> None:
    tasks.heartbeat()
    before = WorkerHeartbeat.objects.get().at
    tasks.heartbeat()
    assert WorkerHeartbeat.objects.get().at > before


def test_tasks_know_their_application() -> None:
    assert tasks.run.app.main == "kgadmin"
    assert tasks.run.name == "kgadmin.jobs.tasks.run"


def test_the_models_have_their_migrations(db: None) -> None:
    call_command("makemigrations", "jobs", "knowledge", check=True, dry_run=True, verbosity=0)
