"""`manage.py check --deploy`, as whoever puts the program on a server runs it; and what browsers are told."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from kgadmin.accounts.models import User
from kgadmin.config import ROOT, Config
from tests.fixtures.people import PASSWORD

PRODUCTION = {
    "SECRET_KEY": "for this test alone, " + "0123456789abcdefghij" * 2,
    "PUBLIC_URL": "https://kg.example.org",
    "DATABASE_URL": "postgres://kgadmin:u8Rr2xQz7Lk9@db.example.org/kgadmin",
    "BROKER_URL": "redis://:x7Tt3wVv5Nn1@redis.example.org/0",
    "GRAPH_URL": "bolt://graph.example.org:7687",
    "GRAPH_PASSWORD": "m4Ww8pHh6Jj2",
    "FORWARDED_ALLOW_IPS": "10.0.0.2",
    "DEMO": "0",
}


UNFIT: list[tuple[dict[str, str], str]] = [
    ({"DEMO": "1"}, "E008"),
    ({"DEBUG": "1"}, "E009"),
    ({"SECRET_KEY": "secret"}, "E010"),
    ({"SECRET_KEY": "x" * 60}, "E010"),
    ({"SECRET_KEY": ""}, "E010"),
    ({"PUBLIC_URL": ""}, "E011"),
    ({"PUBLIC_URL": "http://kg.example.org"}, "E011"),
    ({"FORWARDED_ALLOW_IPS": ""}, "W015"),
    ({"ALLOWED_HOSTS": '["*"]'}, "E012"),
    ({"GRAPH_PASSWORD": "neo4j"}, "E013"),
    ({"BROKER_URL": "redis://:password@redis.example.org/0"}, "E014"),
]


def shell(tmp_path: Path, **changed: str) -> "subprocess.CompletedProcess[str]":
    """PRINT in a process of its own, with these settings."""
    names = {name.upper() for name in Config.model_fields} | {"DJANGO_ALLOW_ASYNC_UNSAFE"}
    clean = {name: value for name, value in os.environ.items() if name not in names}
    env = clean | PRODUCTION | {"DATABASE_URL": "", "DATA_DIR": str(tmp_path)} | changed
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", PRINT]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)


def test_what_is_not_fit_for_others_is_an_error(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    from kgadmin.operations.checks import fit_for_others

    for changed, id_ in UNFIT:
        with monkeypatch.context() as patch:
            for name, value in (PRODUCTION | {"DATABASE_URL": ""} | changed).items():
                patch.setenv(name, value)
            settings.CONFIG, settings.CONFIG_ERRORS = Config(_env_file=None), []
        messages = fit_for_others(None)
        assert [(message.id, bool(message.hint)) for message in messages] == [(f"kgadmin.{id_}", True)], changed


PRINT = """
from django.conf import settings as s
from django.core.management import call_command
print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS > 0,
      "kg.example.org" in s.ALLOWED_HOSTS, s.CSRF_TRUSTED_ORIGINS, flush=True)
call_command("check", deploy=True, fail_level="WARNING")
"""


def test_production_settings_are_clean_and_the_public_address_turns_https_on(tmp_path: Path) -> None:
    done = shell(tmp_path)
    assert done.returncode == 0, done.stderr
    settings_line, *checked = done.stdout.splitlines()
    assert settings_line.split() == ["True"] * 5 + ["['https://kg.example.org']"]
    assert "no issues" in "".join(checked)


def test_unfit_settings_fail_the_command_and_no_secret_is_named(tmp_path: Path) -> None:
    done = shell(tmp_path, PUBLIC_URL="", DEMO="1", GRAPH_PASSWORD="changeme")
    assert done.stdout.split() == ["False"] * 5 + ["[]"]
    assert done.returncode == 1
    assert all(f"kgadmin.{id_}" in done.stderr for id_ in ("E008", "E011", "E013"))
    assert not any(secret in done.stderr for secret in ("changeme", PRODUCTION["SECRET_KEY"]))


def test_plain_http_is_led_to_https_but_health_is_not(client: Client, db: None, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 1000
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert client.get("/login/").headers["Location"] == "https://testserver/login/"
    assert client.get("/api/health").status_code == 200
    answer = client.get("/login/", headers={"X-Forwarded-Proto": "https"})
    assert answer.status_code == 200
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=1000")


def test_cookies_are_out_of_scripts_reach(client: Client, tester: User) -> None:
    client.get("/login/")
    assert client.cookies["csrftoken"]["httponly"]
    client.post("/login/", {"username": "tester", "password": PASSWORD})
    session = client.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"


EXAMPLE = (ROOT / ".env.example").read_text()


def test_the_example_names_every_setting_and_nothing_else() -> None:
    named = {name.lower() for name in re.findall(r"^# ([A-Z_]+)=", EXAMPLE, re.MULTILINE)}
    assert named == set(Config.model_fields)


def test_addresses_come_from_what_make_run_wrote_unless_the_environment_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = {"settings": {"GRAPH_URL": "bolt://127.0.0.1:4711", "DEMO": True}}
    (tmp_path / "run.json").write_text(json.dumps(written))
    config = Config(data_dir=tmp_path, _env_file=None)
    assert (config.graph_url, config.demo) == ("bolt://127.0.0.1:4711", True)
    monkeypatch.setenv("GRAPH_URL", "bolt://graph.example:7687")
    assert Config(data_dir=tmp_path, _env_file=None).graph_url == "bolt://graph.example:7687"
