"""No secret stays behind: neither in a row nor in the log, after turns by page and by key that went well and badly."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from django.apps import apps
from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password
from django.contrib.sessions.models import Session
from django.db.models import Field

from characters.conversations.models import Turn
from characters.profiles.models import Character
from kgadmin.accounts.keys import create_key
from kgadmin.accounts.models import Client, User
from kgadmin.jobs.models import Job
from tests.patience import wait_for
from tests.scripted_model import ScriptedModel
from tests.web import CSRF, WebServer

pytestmark = pytest.mark.xdist_group("web process")

LLM_KEY = "of-no-known-form-" + secrets.token_hex(16)
PASSWORD = "the words of mine " + secrets.token_hex(8)
NEW_PASSWORD = "newer words of mine " + secrets.token_hex(8)
PATIENCE_SECONDS = 30


@pytest.fixture
def keyed_model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as model:
        yield model


@pytest.fixture
def keyed_web(tomasz: Character, tmp_path: Path, keyed_model: ScriptedModel) -> Iterator[WebServer]:
    """A web process of its own, which knows the key of its language model."""
    endpoint = {"LLM_BASE_URL": keyed_model.base_url, "LLM_MODEL": "scripted", "LLM_API_KEY": LLM_KEY}
    server = WebServer(tmp_path / "web", **endpoint, LLM_TIMEOUT="20")
    server.start()
    yield server
    server.stop()


def quote_the_key(model: ScriptedModel) -> None:
    """Refusals as endpoints word them: by 401, by 400, in the middle of a stream."""
    sentence = f"Incorrect API key provided: {LLM_KEY}. Authorization: Bearer {LLM_KEY}"
    model.refuses(401, sentence).refuses(400, sentence)
    model.says("I was about to say", {"error": {"message": sentence, "code": 401}})


def signed_in(web: WebServer) -> httpx.Client:
    """A browser whose person typed the password, once wrongly."""
    browser = httpx.Client(base_url=web.address, timeout=30, trust_env=False, headers={"X-CSRFToken": CSRF})
    browser.cookies.set("csrftoken", CSRF, domain="127.0.0.1")
    assert browser.post("/login/", data={"username": "tester", "password": f"{PASSWORD}?"}).status_code == 422
    assert browser.post("/login/", data={"username": "tester", "password": PASSWORD}).status_code == 302
    browser.headers["X-CSRFToken"] = browser.cookies["csrftoken"]
    return browser


def say(browser: httpx.Client, message: str) -> None:
    answer = browser.post("/playground/with/tomasz/begin/", data={"message": message})
    assert answer.status_code == 302, answer.text


def rows() -> Iterator[tuple[str, str]]:
    """Every value of every table but the table of sessions, which holds their ids, as text."""
    for model in apps.get_models(include_auto_created=True):
        if model is not Session:
            names = [field.attname for field in model._meta.concrete_fields if isinstance(field, Field)]
            for row in model._base_manager.values_list(*names):
                yield from (
                    (f"{model._meta.label}.{name}", _text(value)) for name, value in zip(names, row, strict=True)
                )


def _text(value: object) -> str:
    return bytes(value).decode("utf-8", "replace") if isinstance(value, bytes | memoryview) else str(value)


@pytest.mark.timeout(120)
def test_after_turns_by_page_and_by_key_no_secret_stays(
    keyed_web: WebServer, keyed_model: ScriptedModel, tester: User
) -> None:
    tester.password = make_password(PASSWORD, hasher=PBKDF2PasswordHasher())  # the web process knows not the tests' own
    tester.save()
    key, text = create_key(Client.objects.create(name="A bot", owner=tester), scopes=["chat", "read", "write"], by=None)
    bearer = {"Authorization": f"Bearer {text}"}
    browser = signed_in(keyed_web)
    session = browser.cookies["sessionid"]

    quote_the_key(keyed_model)
    for message in ("Refused by 401, I guess", "Refused by 400, I guess", "Refused on the way, I guess", "Hello again"):
        say(browser, message)
    assert wait_for(lambda: Turn.objects.filter(state="failed").count() == 3, PATIENCE_SECONDS)
    assert wait_for(lambda: Turn.objects.filter(state="done").count() == 1, PATIENCE_SECONDS)

    program = httpx.Client(base_url=keyed_web.address, timeout=30, trust_env=False, headers=bearer)
    asked = {"model": "tomasz", "user": "7", "messages": [{"role": "user", "content": "Who taught you?"}]}
    quote_the_key(keyed_model)
    statuses = [program.post("/v1/chat/completions", json=asked).status_code for _ in range(4)]
    assert statuses == [503, 503, 503, 200]
    assert program.post("/v1/chat/completions", json=asked, params={"key": text}).status_code == 400
    assert program.post("/v1/chat/completions", content=b"{").status_code == 415
    assert program.get("/api/account").json()["username"] == "tester"
    keyed_model.refuses(401, f"Incorrect API key provided: {LLM_KEY}")
    trial = browser.post("/language-model/test/")
    assert (trial.status_code, LLM_KEY in trial.text) == (200, False)
    assert LLM_KEY not in browser.get("/language-model/").text
    changed = {"old_password": PASSWORD, "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
    assert browser.post("/account/password/", data=changed).status_code == 302

    turns = Turn.objects.count()
    assert turns == 8
    assert all(turn.error for turn in Turn.objects.filter(state="failed"))
    assert Job.objects.exists()
    log = (keyed_web.folder / "server.log").read_text()
    assert "/v1/chat/completions" in log
    sessions = {"session": session, "session after it": browser.cookies["sessionid"]}
    keys = {"API key": text, "language model's key": LLM_KEY}
    hidden = {**keys, **sessions, "password": PASSWORD, "new password": NEW_PASSWORD}
    for name, secret in hidden.items():
        assert [place for place, value in rows() if secret in value] == [], name
        assert secret not in log, name
    assert key.digest not in log
