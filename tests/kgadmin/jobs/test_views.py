import pytest
from django.test import Client

from kgadmin.jobs.models import Job
from tests.rest import get

ACTS = ["pause", "resume", "cancel"]


@pytest.fixture
def job(db: None) -> Job:
    return Job.objects.create(kind="ingest", subject="reef", state="running", worker="w")


def test_a_job_is_paused_resumed_and_cancelled(operator_client: Client, job: Job) -> None:
    for case in (
        ("pause", "running", "running", "pause"),
        ("pause", "queued", "paused", ""),
        ("resume", "paused", "queued", ""),
        ("cancel", "running", "running", "cancel"),
        ("cancel", "queued", "cancelled", ""),
        ("cancel", "paused", "cancelled", ""),
    ):
        act, state, after, wish = case
        Job.objects.update(state=state, wish="")
        answer = operator_client.post(f"/jobs/{job.pk}/{act}/", {"next": "/knowledge/reef/"})
        assert answer.headers["Location"] == "/knowledge/reef/"
        job.refresh_from_db()
        assert (job.state, job.wish) == (after, wish), case


def test_what_comes_too_late_is_told(operator_client: Client, job: Job) -> None:
    Job.objects.update(state="done")
    for act in ACTS:
        answer = operator_client.post(f"/jobs/{job.pk}/{act}/", {"next": "/health/"}, follow=True)
        assert f"nothing to {act}" in answer.content.decode()
        assert operator_client.post(f"/jobs/99/{act}/").status_code == 404, act
    job.refresh_from_db()
    assert job.state == "done"


def test_jobs_are_listed_by_kind_subject_and_state(operator_client: Client, job: Job) -> None:
    answer = get(operator_client, f"/jobs/{job.pk}")
    assert (answer["kind"], answer["subject"], answer["state"]) == ("ingest", "reef", "running")
    assert get(operator_client, "/jobs?kind=ingest&state=running&subject=reef")["items"] == [answer]
    assert get(operator_client, "/jobs?state=failed")["items"] == []
