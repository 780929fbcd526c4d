"""Who may come in to the API: sessions, keys by scope, and what each is told that may not."""

import pytest
from django.test import Client as Browser

from kgadmin.accounts.keys import client_named, create_key
from kgadmin.accounts.models import ApiKey, Client, User
from kgadmin.jobs.models import Job
from tests.fixtures.people import PASSWORD
from tests.rest import call, get, with_key


@pytest.fixture
def program(operator: User) -> Client:
    return client_named("A script", by=operator)


@pytest.fixture
def job(db: None) -> Job:
    return Job.objects.create(kind="ingest", subject="reef")


def key_of(program: Client, *scopes: str, **more: object) -> tuple[ApiKey, Browser]:
    made, text = create_key(program, scopes=scopes, by=None, **more)  # type: ignore[arg-type]
    return made, with_key(text)


def test_a_key_acts_with_its_owners_roles(program: Client, job: Job, operator: User) -> None:
    _, script = key_of(program, "read")
    assert get(script, "/jobs")["total"] == 1
    operator.groups.clear()
    answer = call(script, "GET", "/jobs")
    assert (answer.status, answer.detail) == (
        403,
        "This needs the role operator. Ask an administrator for it.",
    )


def test_a_wrong_key_is_not_made_good_by_a_session(operator_client: Browser, job: Job) -> None:
    answer = operator_client.get("/api/jobs", headers={"Authorization": "Bearer kg-wrong"})
    assert answer.status_code == 401


def test_a_session_changes_nothing_without_the_csrf_token_and_a_key_needs_none(
    operator: User, program: Client, job: Job
) -> None:
    browser = Browser(enforce_csrf_checks=True)
    browser.login(username="operator", password=PASSWORD)
    assert browser.get("/api/jobs").status_code == 200
    answer = browser.post(f"/api/jobs/{job.pk}/pause")
    assert (answer.status_code, "X-CSRFToken" in answer.json()["detail"]) == (403, True)
    browser.cookies["csrftoken"] = "c" * 32
    assert browser.post(f"/api/jobs/{job.pk}/pause", headers={"X-CSRFToken": "c" * 32}).status_code == 200
    _, text = create_key(program, scopes=["write"], by=None)
    script = Browser(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {text}"})
    assert script.post(f"/api/jobs/{job.pk}/resume").status_code == 200
