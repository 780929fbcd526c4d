"""An environment of the tests' own; the fixtures lie in `tests/fixtures`."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import django
import pytest
from django.apps import AppConfig
from django.conf import settings
from django.contrib.contenttypes.management import create_contenttypes
from django.db.models.signals import post_migrate

from kgadmin.stores import wiring
from kgadmin.stores.index_files import IndexFiles
from tests import stack

pytest_plugins = (
    "tests.plugins.chromium",
    "tests.plugins.durations",
    "tests.fixtures.engines",
    "tests.fixtures.people",
    "tests.fixtures.program",
    "tests.fixtures.talk",
    "tests.fixtures.web_process",
)

CHROMIUM_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

# Django's settings are first read below, so they find a data folder per process, with nothing of the user's in it.
DATA_DIR = Path(tempfile.mkdtemp(prefix="kgadmin-test-"))
atexit.register(shutil.rmtree, DATA_DIR, ignore_errors=True)
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "kgadmin.settings",
    "DATA_DIR": str(DATA_DIR),
    **stack.environment(DATA_DIR),
    "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # a graph of tests lives for a minute
    "DJANGO_ALLOW_ASYNC_UNSAFE": "true",  # Playwright's loop runs in the test's thread, beside its ORM calls
}
django.setup()
stack.let_protected_tables_be_emptied()
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # the real one takes 0.3 s per person


def restore_what_migrations_wrote(sender: AppConfig, **_: object) -> None:
    """A transactional test empties every table; the next test must find roles and predicates again."""
    from django.contrib.auth.models import Group

    from kgadmin.accounts.models import ROLES
    from tests.fixtures.talk import register_predicates

    if sender.label == "accounts":
        Group.objects.bulk_create((Group(name=role) for role in ROLES), ignore_conflicts=True)
    if sender.label == "profiles":
        register_predicates()


post_migrate.connect(restore_what_migrations_wrote)
# Made anew after every transactional test, and nobody asks for them: roles are groups.
post_migrate.disconnect(create_contenttypes)
post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
# A developer's `.env` may name an endpoint that costs money.
settings.CONFIG = settings.CONFIG.model_copy(update={"llm_base_url": ""})


# A worker that a test starts has the same data folder, and deletes files of rows that it doesn't see.
INDEX_FILES = IndexFiles(DATA_DIR / "indexes-of-tests")
wiring.index_files = lambda: INDEX_FILES


GRAPHS = {"graph_server", "running_graph"}
DATABASE = {"db", "transactional_db", "_django_db_helper"}
ENGINES = GRAPHS | {"vector_server", "running_vectors"}
ABOUT_ONE_STACK = {"browser", "runner", "production"}


@pytest.fixture(autouse=True)
def nothing_read_before() -> None:
    """A process keeps what it read of people, sheets and bases; in the next test the same ids are others'."""
    from characters.memory import readers
    from characters.profiles import snapshot
    from characters.talk import requests
    from kgadmin.knowledge.readers import _CALIBRATED, _COUNTED

    readers.forget_all()
    requests._sheet.cache_clear()
    snapshot._SNAPSHOTS.clear()
    _CALIBRATED.clear()
    _COUNTED.clear()
    for owner in INDEX_FILES.owners():
        INDEX_FILES.drop(owner)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`pytest -m graph` runs whatever asks a graph server, `-m engine` whatever asks what differs by engine.

    Graph and vectors differ always. Of the database only locks, triggers, its own SQL and races do: those tests say so
    themselves. What starts `make run` by itself (browser, runner) is about the embedded stack.
    """
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & GRAPHS:
            item.add_marker("graph")
        marks = {mark.name for mark in item.iter_markers()}
        if fixtures & ENGINES and not marks & ABOUT_ONE_STACK:
            item.add_marker("engine")


@pytest.fixture(autouse=True)
def numbered_anew(request: pytest.FixtureRequest) -> None:
    """Ids begin again in each test, as SQLite has it where a test is undone; PostgreSQL counts on."""
    if stack.PRODUCTION and request.node.get_closest_marker("engine") and DATABASE & set(request.fixturenames):
        request.getfixturevalue("_django_db_helper")
        stack.number_anew()


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """A file, not SQLite's memory: threads, tasks and other processes must see the same database."""
    settings.DATABASES["default"]["TEST"]["NAME"] = stack.database_name(DATA_DIR)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """The machine's own Chromium; Playwright's download isn't needed."""
    from tests.plugins.chromium import CHROMIUM  # a plugin is imported by pytest first, which rewrites its asserts

    return {"executable_path": CHROMIUM, "args": CHROMIUM_FLAGS}
