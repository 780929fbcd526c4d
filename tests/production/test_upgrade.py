"""What was written before stays: a PostgreSQL dump of 24 November 2026 is loaded, upgraded and shown."""

import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from kgadmin.config import ROOT
from tests.program import clean_environment

pytestmark = [pytest.mark.production, pytest.mark.xdist_group("upgrade"), pytest.mark.timeout(300)]

DUMP = ROOT / "tests/data/upgrades/2026-11-24.sql.xz"
SHOWN = {
    "/playground/conversations/21/": "My dog is called Tasso",
    "/characters/elena/edit/facts/": "an old bicycle named Gaviota",
    "/characters/elena/learned/": "hibiscus tea",
    "/review/decisions/": "jazz",
}
SHOW = f"""
from django.test import Client
from kgadmin.accounts.models import User
browser = Client()
browser.force_login(User.objects.get(username="demo"))
for path, text in {SHOWN!r}.items():
    answer = browser.get(path, follow=True, headers={{"host": "127.0.0.1"}})
    assert answer.status_code == 200, (path, answer.status_code)
    assert text in answer.content.decode(), path
"""


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a program on the dump, after `manage.py migrate`."""
    server = os.environ["TEST_DATABASE_URL"]
    psql = ["psql", "--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--output", "/dev/null"]
    subprocess.run([*psql, server, "--command", "CREATE DATABASE upgraded"], check=True)
    url = urlsplit(server)._replace(path="/upgraded").geturl()
    subprocess.run([*psql, url], input=lzma.decompress(DUMP.read_bytes()), check=True)
    environment = clean_environment(DATABASE_URL=url, DATA_DIR=str(tmp_path), SECRET_KEY="for this test", DEMO="1")
    manage(environment, "migrate", "--no-input")
    yield environment
    subprocess.run([*psql, server, "--command", "DROP DATABASE upgraded WITH (FORCE)"], check=True)


def manage(environment: dict[str, str], *arguments: str) -> None:
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_conversation_draft_learned_fact_and_decisions_are_shown(upgraded: dict[str, str]) -> None:
    manage(upgraded, "shell", "--no-imports", "-c", SHOW)
