import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from tests.kgadmin.jobs import handlers


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
