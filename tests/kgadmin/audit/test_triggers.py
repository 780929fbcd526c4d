"""Every statement by which somebody at the database could change the log: all are refused, on both databases."""

import pytest
from django.db import DatabaseError, connection, transaction

from kgadmin.audit import triggers
from kgadmin.audit.models import Concern, Detail, Entry
from kgadmin.audit.services import Act, record, redact
from tests import stack

pytestmark = pytest.mark.engine

ENTRY = """audit_entry (id, at, actor, verb, subject, character, reason, batch)
    VALUES ({entry}, '2026-01-01 00:00:00+00', 'somebody', 'rejected', 'proposal:8', '', '', '')"""
DETAIL = "audit_detail (entry_id, before, after, note) VALUES ({entry}, '{{}}', '{{}}', 'another')"
CONCERN = "audit_concern (id, entry_id, person_id) VALUES ({concern}, {entry}, 6)"
SAME_CONCERN = "audit_concern (id, entry_id, person_id) VALUES ({concern} + 5, {entry}, 5)"
EVERYWHERE = [
    "UPDATE audit_entry SET actor = 'somebody'",
    "UPDATE audit_entry SET id = id + 100",
    "UPDATE audit_concern SET person_id = 1",
    "UPDATE audit_detail SET before = '{{}}', after = '{{}}', note = ''",
    "UPDATE audit_detail SET note = 'another', redacted_at = '2026-01-01 00:00:00+00'",
    "UPDATE audit_detail SET redacted_at = '2026-01-01 00:00:00'",
    "UPDATE audit_detail SET entry_id = entry_id + 1",
    "DELETE FROM audit_entry WHERE id = {entry}",
    "DELETE FROM audit_detail",
    "DELETE FROM audit_concern",
    f"INSERT INTO {ENTRY} ON CONFLICT (id) DO UPDATE SET actor = excluded.actor",
    f"INSERT INTO {DETAIL} ON CONFLICT (entry_id) DO UPDATE SET note = excluded.note",
    f"INSERT INTO {CONCERN} ON CONFLICT (id) DO UPDATE SET person_id = excluded.person_id",
]
UNDERSTOOD_BY_SQLITE = [
    *(f"INSERT OR REPLACE INTO {row}" for row in (ENTRY, DETAIL, CONCERN, SAME_CONCERN)),
    f"REPLACE INTO {ENTRY}",
    *(f"INSERT OR IGNORE INTO {row}" for row in (ENTRY, DETAIL, CONCERN)),
    "UPDATE OR REPLACE audit_entry SET actor = 'somebody'",
    "UPDATE OR IGNORE audit_entry SET actor = 'somebody'",
    "UPDATE OR REPLACE audit_detail SET note = NULL, redacted_at = '2026-01-01'",
]
UNDERSTOOD_BY_POSTGRESQL = [
    "TRUNCATE audit_entry CASCADE",
    "TRUNCATE audit_detail",
    "TRUNCATE audit_concern",
    "WITH gone AS (DELETE FROM audit_detail RETURNING *) SELECT count(*) FROM gone",
    f"""MERGE INTO audit_entry AS kept USING (SELECT 1 AS one) AS given ON kept.id = {"{entry}"}
        WHEN MATCHED THEN UPDATE SET actor = 'somebody'""",
]


def everything() -> list[list[tuple[object, ...]]]:
    return [list(model.objects.order_by("pk").values_list()) for model in (Entry, Detail, Concern)]


def execute(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def assert_refused(*statements: str) -> None:
    before = everything()
    for statement in statements:
        with pytest.raises(DatabaseError, match=triggers.SENTENCE):
            execute(statement)
        assert everything() == before, statement


def test_nothing_that_is_written_changes(transactional_db: None) -> None:
    entry = record(Act("approved", "proposal:7", before={"state": "open"}, note="once"), actor=None, people=[5])
    numbers = {"entry": entry.pk, "concern": Concern.objects.get().pk}
    of_this_database = UNDERSTOOD_BY_POSTGRESQL if stack.PRODUCTION else UNDERSTOOD_BY_SQLITE
    assert_refused(*(statement.format(**numbers) for statement in [*EVERYWHERE, *of_this_database]))


def test_what_was_emptied_is_emptied_once_and_for_all(db: None) -> None:
    record(Act("approved", "proposal:7", note="once"), actor=None, people=[5])
    redact(5)
    assert_refused(
        "UPDATE audit_detail SET redacted_at = NULL",
        "UPDATE audit_detail SET redacted_at = '2027-01-01 00:00:00+00'",
        "UPDATE audit_detail SET note = 'again' WHERE redacted_at IS NOT NULL",
    )
