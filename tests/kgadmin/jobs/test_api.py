import pytest
from django.test import Client

from kgadmin.jobs.models import Job
from tests.rest import call, get


@pytest.fixture
def job(db: None) -> Job:
    return Job.objects.create(kind="ingest", subject="reef", done=3, total=9)


def test_a_job_says_how_far_it_is(operator_client: Client, job: Job) -> None:
    answer = get(operator_client, f"/jobs/{job.pk}")
    shown = {name: answer[name] for name in ("kind", "subject", "state", "done", "total")}
    assert shown == {"kind": "ingest", "subject": "reef", "state": "queued", "done": 3, "total": 9}
    assert get(operator_client, "/jobs?kind=ingest&state=queued&subject=reef")["items"] == [answer]
    assert get(operator_client, "/jobs?state=failed")["items"] == []


def test_a_job_is_paused_resumed_and_cancelled(operator_client: Client, job: Job) -> None:
    states = [
        call(operator_client, "POST", f"/jobs/{job.pk}/{act}").body["state"] for act in ("pause", "resume", "cancel")
    ]
    assert states == ["paused", "queued", "cancelled"]
