"""Triggers that note every change of a row that a projection holds, so that code that writes rows needn't.

A service's update, a cascade and raw SQL are noted alike, in their own transaction. `settings.WATCHES` names what is
watched. The triggers are dropped before every `migrate` and made after it: a migration that changes a row which a
projection holds notes it by itself.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connections, transaction
from django.utils.module_loading import import_string

EVENTS = ("INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True, slots=True)
class Watch:
    """Rows of `model` to watch, since a projection holds them; their changes are noted with `kind`.

    `owner`, `row`, `source` (a FROM clause) and `when` are SQL in which `{0}` is the row. `columns` are those whose
    change matters; without any, only insertion and deletion do. `when` says which rows are projected at all.
    """

    model: str
    kind: str
    owner: str
    columns: tuple[str, ...] = ()
    row: str = "{0}.id"
    source: str = ""
    when: str = ""

    @property
    def table(self) -> str:
        """Return the name of the table."""
        return str(apps.get_model(self.model)._meta.db_table)


def install(using: str, **_: Any) -> None:
    """Make the triggers of all watches whose tables exist; runs after `migrate`."""
    _execute(using, _postgresql if connections[using].vendor == "postgresql" else _sqlite)


def remove(using: str, **_: Any) -> None:
    """Drop the triggers while migrations run: databases refuse some changes of a table that a trigger names."""
    _execute(using, _dropped)


def _execute(using: str, statements: Callable[[Watch, str, str], Iterator[str]]) -> None:
    connection = connections[using]
    tables = set(connection.introspection.table_names())
    if "projection_change" not in tables:
        return
    watches: Iterable[Watch] = (each for name in settings.WATCHES for each in import_string(name))
    with transaction.atomic(using=using), connection.cursor() as cursor:
        for watch in watches:
            if watch.table in tables:
                for event in EVENTS if watch.columns else ("INSERT", "DELETE"):
                    for statement in statements(watch, event, f"{watch.table}_{watch.kind}_{event.lower()}"):
                        cursor.execute(statement)


def _dropped(watch: Watch, event: str, name: str) -> Iterator[str]:
    on = f" ON {watch.table}" if connections["default"].vendor == "postgresql" else ""
    yield f"DROP TRIGGER IF EXISTS {name}{on}"


def _sqlite(watch: Watch, event: str, name: str) -> Iterator[str]:
    condition = _condition(watch, event, "IS NOT")
    yield from _dropped(watch, event, name)
    yield f"CREATE TRIGGER {name} AFTER {event} ON {watch.table}{condition} BEGIN {_note(watch, event)}; END"


def _postgresql(watch: Watch, event: str, name: str) -> Iterator[str]:
    condition = _condition(watch, event, "IS DISTINCT FROM")
    body = f"BEGIN {_note(watch, event)}; RETURN NULL; END"
    yield f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger AS $$ {body} $$ LANGUAGE plpgsql"
    yield (
        f"CREATE OR REPLACE TRIGGER {name} AFTER {event} ON {watch.table} "
        f"FOR EACH ROW{condition} EXECUTE FUNCTION {name}()"
    )


def _note(watch: Watch, event: str) -> str:
    row = "OLD" if event == "DELETE" else "NEW"
    source = f" FROM {watch.source}" if watch.source else ""
    values = f"{watch.owner}, '{watch.kind}', {watch.row}{source}".format(row)
    return f'INSERT INTO projection_change (owner, kind, "row") SELECT {values}'


def _condition(watch: Watch, event: str, differs: str) -> str:
    sides = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}[event]
    parts = [" OR ".join(watch.when.format(side) for side in sides)] if watch.when else []
    if event == "UPDATE":
        parts.append(" OR ".join(f"OLD.{column} {differs} NEW.{column}" for column in watch.columns))
    return f" WHEN (({') AND ('.join(parts)}))" if parts else ""
