import pytest
from django.test import Client

from kgadmin.jobs.models import Job

ACTS = ["pause", "resume", "cancel"]


@pytest.fixture
def job(db: None) -> Job:
    return Job.objects.create(kind="ingest", subject="reef", state="running", worker="w")


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("people", ["author", "tester", "outsider"])
def test_only_operators_control_jobs(request: pytest.FixtureRequest, job: Job, act: str, people: str) -> None:
    client: Client = request.getfixturevalue(f"{people}_client")
    assert client.post(f"/jobs/{job.pk}/{act}/").status_code == 403


@pytest.mark.parametrize("act", ACTS)
def test_control_is_posted(operator_client: Client, job: Job, act: str) -> None:
    assert operator_client.get(f"/jobs/{job.pk}/{act}/").status_code == 405


@pytest.mark.parametrize("act", ACTS)
def test_a_job_that_is_not_there_is_missing(operator_client: Client, act: str) -> None:
    assert operator_client.post(f"/jobs/99/{act}/").status_code == 404


@pytest.mark.parametrize(
    ("act", "state", "after", "wish"),
    [
        ("pause", "running", "running", "pause"),
        ("pause", "queued", "paused", ""),
        ("resume", "paused", "queued", ""),
        ("cancel", "running", "running", "cancel"),
        ("cancel", "queued", "cancelled", ""),
        ("cancel", "paused", "cancelled", ""),
    ],
)
def test_a_job_is_paused_resumed_and_cancelled(
    operator_client: Client, job: Job, act: str, state: str, after: str, wish: str
) -> None:
    Job.objects.update(state=state)
    answer = operator_client.post(f"/jobs/{job.pk}/{act}/", {"next": "/knowledge/reef/"})
    assert answer.headers["Location"] == "/knowledge/reef/"
    job.refresh_from_db()
    assert (job.state, job.wish) == (after, wish)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [("pause", "nothing to pause"), ("resume", "nothing to resume"), ("cancel", "nothing to cancel")],
)
def test_what_comes_too_late_is_told(operator_client: Client, job: Job, act: str, sentence: str) -> None:
    Job.objects.update(state="done")
    answer = operator_client.post(f"/jobs/{job.pk}/{act}/", {"next": "/health/"}, follow=True)
    assert sentence in answer.content.decode()
    job.refresh_from_db()
    assert job.state == "done"


@pytest.mark.parametrize("back", ["", "https://elsewhere.example/", "//elsewhere.example"])
def test_control_never_leads_elsewhere(operator_client: Client, job: Job, back: str) -> None:
    assert operator_client.post(f"/jobs/{job.pk}/pause/", {"next": back}).headers["Location"] == "/"
