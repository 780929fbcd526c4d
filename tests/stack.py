"""Which engines the tests run on: TEST_STACK=embedded, the default, or production (`make test-production`)."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, connections

from kgadmin.audit import triggers
from kgadmin.embedded.backup import copy_database
from kgadmin.stores import wiring

STACK = os.environ.get("TEST_STACK", "embedded")
PRODUCTION = STACK == "production"


def environment(data_dir: Path) -> dict[str, str]:
    """What leads Django's settings to this stack's database and broker."""
    if not PRODUCTION:
        return {"DATABASE_URL": f"sqlite:///{data_dir / 'kgadmin.sqlite3'}", "BROKER_URL": "filesystem://"}
    broker = f"{os.environ['TEST_BROKER_URL']}/{_place()}"
    return {"DATABASE_URL": os.environ["TEST_DATABASE_URL"], "BROKER_URL": broker}


def database_name(data_dir: Path) -> str:
    """Of the tests' own database; a server is shared by all of pytest's processes."""
    return f"test_{_place()}" if PRODUCTION else str(data_dir / "test.sqlite3")


def _place() -> str:
    """Which of pytest's processes this is."""
    return os.environ.get("PYTEST_XDIST_WORKER", "gw15").removeprefix("gw")


def database_url() -> str:
    """The tests' own database, as another process is led to it."""
    at = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{at['NAME']}"
    return f"postgresql://{quote(at['USER'])}:{quote(at['PASSWORD'])}@{at['HOST']}:{at['PORT']}/{quote(at['NAME'])}"


def use_database(name: str) -> None:
    """Lead this process to another database."""
    connections.close_all()
    connections.databases["default"]["NAME"] = name


def use_fresh_database(folder: Path) -> None:
    """Make a migrated database and lead this process to it."""
    if connection.vendor == "sqlite":
        connections.close_all()
        made, copy = Path(connections.databases["default"]["NAME"]), folder / "world.sqlite3"
        if made.exists():  # the tests' one, which took seconds to make
            copy_database(made, copy)
        use_database(str(copy))
    else:
        name = f"test_{_place()}_world"  # whatever this process is led to now, another one is led to another
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            cursor.execute(f'CREATE DATABASE "{name}"')
        use_database(name)
    call_command("migrate", verbosity=0)


def number_anew() -> None:
    """Let the next row of each table have the id after the last one that is there."""
    statements = connection.ops.sequence_reset_sql(no_style(), apps.get_models(include_auto_created=True))
    with connection.cursor() as cursor:
        cursor.execute(" ".join(statements))


def let_protected_tables_be_emptied() -> None:
    """A transactional test empties every table, also those that the database itself protects."""
    operations: Any = type(connection.ops)
    empty = operations.sql_flush

    def sql_flush(self: Any, style: Any, tables: list[str], **options: Any) -> list[str]:
        vendor = self.connection.vendor
        statements: list[str] = empty(self, style, tables, **options)
        noted = ["DELETE FROM projection_change"] if "projection_change" in tables else []  # by the emptying itself
        return [*triggers.drop(vendor), *statements, *noted, *triggers.create(vendor)] if tables else []

    operations.sql_flush = sql_flush


def forget_engines() -> None:
    """Let the next call make them from the settings as they are then. Loaded models stay loaded."""
    if wiring.graph.cache_info().currsize:
        wiring.graph().close()
    for engine in (wiring.vectors, wiring.graph, wiring.language_model, wiring._token_counter):
        engine.cache_clear()


def lose_messages() -> int:
    """Lose every message that the broker holds; how many there were."""
    if not PRODUCTION:
        waiting = list((Path(settings.BROKER_DIR) / "messages").glob("*.msg"))
        for message in waiting:
            message.unlink()
        return len(waiting)
    import redis

    with redis.Redis.from_url(settings.CELERY_BROKER_URL) as broker:
        waiting_messages = int(broker.llen("celery"))
        broker.flushdb()
    return waiting_messages
