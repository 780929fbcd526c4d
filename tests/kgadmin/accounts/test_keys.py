"""API keys: making, using, counting, refusing, what of them is kept, and who may come in by them or by a session."""

import re
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client as Browser
from django.utils import timezone
from pytest_django.fixtures import Settings

from kgadmin.accounts import keys
from kgadmin.accounts.keys import RefusedKeyError, client_named, create_key, use
from kgadmin.accounts.models import SCOPES, ApiKey, Client, User
from kgadmin.jobs.models import Job
from tests.fixtures.people import PASSWORD
from tests.processes import at_once
from tests.rest import call, get, with_key

FORM = {
    "name": "A bot",
    "scopes": ["chat"],
    "expires": "30",
    "a_minute": "60",
    "speaks_for": "person",
    "person": "Mark",
}


@pytest.fixture
def bot(tester: User) -> Client:
    return Client.objects.create(name="A bot", owner=tester)


@pytest.fixture
def one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting is by the clock's minute: a test that counts must not meet its end."""
    monkeypatch.setattr(keys, "time", SimpleNamespace(time=lambda: 1_800_000_048.0))


def refusal(text: str, scope: str = "chat") -> RefusedKeyError:
    with pytest.raises(RefusedKeyError) as caught:
        use(text, scope)
    return caught.value


def test_a_key_is_used_and_remembers_when_and_only_its_digest_is_kept(bot: Client) -> None:
    key, text = create_key(bot, scopes=["read", "chat"], by=None)
    assert use(text, "chat") == key
    key.refresh_from_db()
    assert key.last_used_at is not None
    assert text.startswith(key.prefix)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM accounts_apikey")
        assert text[keys.SHOWN :] not in str(cursor.fetchall())


def test_an_expired_key_is_refused_with_its_day(bot: Client) -> None:
    _, text = create_key(bot, scopes=["chat"], expires_at=timezone.now() - timedelta(seconds=1), by=None)
    assert (refusal(text).status, refusal(text).code) == (401, "expired_api_key")
    assert f"{timezone.now():%B %Y}" in str(refusal(text))


def test_what_is_no_key_is_refused(bot: Client) -> None:
    create_key(bot, scopes=["chat"], by=None)
    for text in ("", "kg-", "kg-wrong", "Bearer", "\ud800", "\x00", "x" * 10_000):
        assert refusal(text).code == "invalid_api_key", text[:9]


def test_the_key_of_who_may_not_sign_in_is_refused(bot: Client, settings: Settings) -> None:
    _, text = create_key(bot, scopes=["chat"], by=None)
    settings.DEMO = True
    User.objects.update(is_demo=True)
    assert use(text, "chat").client == bot
    settings.DEMO = False
    assert refusal(text).status == 401
    User.objects.update(is_demo=False, is_active=False)
    assert refusal(text).status == 401


def test_above_its_limit_a_key_is_told_when_to_come_back(bot: Client, one_minute: None) -> None:
    _, text = create_key(bot, scopes=["chat"], a_minute=3, by=None)
    for _ in range(3):
        use(text, "chat")
    refused = refusal(text)
    assert (refused.status, refused.code) == (429, "rate_limit_exceeded")
    assert refused.retry_after == 12
    ApiKey.objects.update(minute=1)
    assert use(text, "chat")


@pytest.mark.engine
@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_no_more_than_the_limit(tester: User, one_minute: None) -> None:
    _, text = create_key(Client.objects.create(name="A bot", owner=tester), scopes=["chat"], a_minute=5, by=None)

    def ask() -> bool:
        try:
            return bool(use(text, "chat"))
        except RefusedKeyError:
            return False

    assert sum(at_once(ask, 8)) == 5


def made_key(browser: Browser, **fields: object) -> str:
    page = browser.post("/clients/make/", FORM | fields).content.decode()
    match = re.search(r'value="(kg-[^"]+)"', page)
    assert match, page
    return match[1]


def test_a_key_is_made_on_the_page_and_shown_once(tester: User, tester_client: Browser) -> None:
    text = made_key(tester_client)
    key = use(text, "chat")
    assert (key.client.name, key.client.owner, key.a_minute, key.person) == ("A bot", tester, 60, "Mark")
    assert key.expires_at is not None
    assert timedelta(days=29) < key.expires_at - timezone.now() < timedelta(days=31)
    page = tester_client.get(f"/clients/{key.client_id}/").content.decode()
    assert text not in page
    assert key.prefix in page


def test_a_key_is_made_for_ones_own_programs_only_unless_by_an_administrator(
    bot: Client, tester_client: Browser, operator_client: Browser, admin_client: Browser
) -> None:
    assert operator_client.post("/clients/make/", FORM | {"client": bot.pk}).status_code == 404
    assert operator_client.post("/clients/make/", FORM).status_code == 422  # its name is taken
    assert not ApiKey.objects.exists()
    assert use(made_key(tester_client, client=bot.pk, name="", expires=""), "chat").client == bot
    assert use(made_key(admin_client, name="Another", owner=bot.owner.pk), "chat").client.owner == bot.owner


def test_a_key_is_revoked_after_a_question(bot: Client, tester_client: Browser, operator_client: Browser) -> None:
    key, text = create_key(bot, scopes=["chat"], by=None)
    path = f"/clients/keys/{key.pk}/revoke/"
    assert "can’t be undone" in tester_client.get(path).content.decode()
    assert use(text, "chat")
    assert operator_client.get(path).status_code == operator_client.post(path).status_code == 404
    assert tester_client.post(path).status_code == 302
    assert refusal(text).code == "invalid_api_key"
    assert "It was revoked" in tester_client.get(path).content.decode()


def test_a_key_ends_itself_at_once(bot: Client) -> None:
    made, text = create_key(bot, scopes=["write"], by=None)
    assert call(with_key(text), "POST", f"/keys/{made.pk}/revoke").body["state"] == "revoked"
    assert call(with_key(text), "POST", f"/keys/{made.pk}/revoke").status == 401


def test_others_keys_are_in_no_list_but_an_administrators(
    operator_client: Browser, admin_client: Browser, bot: Client
) -> None:
    create_key(bot, scopes=["chat"], by=None)
    assert get(operator_client, "/keys")["total"] == 0
    assert [key["client"]["owner"] for key in get(admin_client, "/keys")["items"]] == ["tester"]


def test_the_command_makes_a_key_that_has_every_scope_unless_told(tester: User) -> None:
    def made(*arguments: str) -> ApiKey:
        out = StringIO()
        call_command("create_api_key", *arguments, stdout=out, stderr=StringIO())
        return use(out.getvalue().splitlines()[-1], ApiKey.objects.latest("pk").scopes[0])

    key = made("tester")
    assert (key.client.name, key.client.owner, key.scopes) == ("tester's programs", tester, sorted(SCOPES))
    assert (key.speaks_for, key.expires_at) == ("request", None)
    limited = made("tester", "--client", "A bot", "--scope", "read")
    assert (limited.client.name, limited.scopes) == ("A bot", ["read"])


@pytest.fixture
def job(db: None) -> Job:
    return Job.objects.create(kind="ingest", subject="reef")


def test_a_key_acts_with_its_owners_roles(job: Job, operator: User) -> None:
    script = with_key(create_key(client_named("A script", by=operator), scopes=["read"], by=None)[1])
    assert get(script, "/jobs")["total"] == 1
    operator.groups.clear()
    answer = call(script, "GET", "/jobs")
    assert (answer.status, "needs the role operator" in answer.detail) == (403, True)


def test_a_wrong_key_is_not_made_good_by_a_session(operator_client: Browser, job: Job) -> None:
    answer = operator_client.get("/api/jobs", headers={"Authorization": "Bearer kg-wrong"})
    assert answer.status_code == 401


def test_a_session_changes_nothing_without_the_csrf_token_and_a_key_needs_none(operator: User, job: Job) -> None:
    browser = Browser(enforce_csrf_checks=True)
    browser.login(username="operator", password=PASSWORD)
    assert browser.get("/api/jobs").status_code == 200
    answer = browser.post(f"/api/jobs/{job.pk}/pause")
    assert (answer.status_code, "X-CSRFToken" in answer.json()["detail"]) == (403, True)
    browser.cookies["csrftoken"] = "c" * 32
    assert browser.post(f"/api/jobs/{job.pk}/pause", headers={"X-CSRFToken": "c" * 32}).status_code == 200
    _, text = create_key(client_named("A script", by=operator), scopes=["write"], by=None)
    script = Browser(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {text}"})
    assert script.post(f"/api/jobs/{job.pk}/resume").status_code == 200
