"""Triggers that make the log append-only, also for raw SQL."""

SENTENCE = "The audit log is append-only."

_TABLES = ("audit_entry", "audit_concern", "audit_detail")
_EMPTIED = """OLD.redacted_at IS NULL AND NEW.redacted_at IS NOT NULL AND NEW.entry_id = OLD.entry_id AND NEW.note = ''
    AND CAST(NEW.before AS text) = '{}' AND CAST(NEW.after AS text) = '{}'"""
_REPLACED = {
    "audit_entry": "SELECT 1 FROM audit_entry WHERE id = NEW.id",
    "audit_concern": """SELECT 1 FROM audit_concern
        WHERE id = NEW.id OR (entry_id = NEW.entry_id AND person_id = NEW.person_id)""",
    "audit_detail": "SELECT 1 FROM audit_detail WHERE entry_id = NEW.entry_id",
}
"""Queries for rows that an INSERT would replace: SQLite's REPLACE deletes them without firing a trigger."""

_REFUSED = ("INSERT", "UPDATE", "DELETE")


def create(vendor: str) -> list[str]:
    """Return statements that forbid changes and deletion; a detail may be emptied, once."""
    return _create_postgresql() if vendor == "postgresql" else _create_sqlite()


def drop(vendor: str) -> list[str]:
    """Return statements that drop the triggers: for migrating back, and between tests."""
    if vendor == "postgresql":
        dropped = [
            f"DROP TRIGGER IF EXISTS {table}_{what} ON {table}" for table in _TABLES for what in ("kept", "not_emptied")
        ]
        return [*dropped, "DROP FUNCTION IF EXISTS audit_refuse()"]
    return [f"DROP TRIGGER IF EXISTS {table}_no_{what.lower()}" for table in _TABLES for what in _REFUSED]


def _create_sqlite() -> list[str]:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END"
    return [
        f"CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table} {_when(table, what)} {refuse}"
        for table in _TABLES
        for what in _REFUSED
    ]


def _when(table: str, what: str) -> str:
    if what == "INSERT":
        return f"WHEN EXISTS ({_REPLACED[table]})"
    return f"WHEN ({_EMPTIED}) IS NOT TRUE" if (table, what) == ("audit_detail", "UPDATE") else ""


def _create_postgresql() -> list[str]:
    function = f"""
CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger AS $$
BEGIN
    IF TG_TABLE_NAME = 'audit_detail' AND TG_OP = 'UPDATE' THEN
        IF {_EMPTIED} THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION '{SENTENCE}';
END
$$ LANGUAGE plpgsql"""
    rows = [
        f"CREATE TRIGGER {table}_kept BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION audit_refuse()"
        for table in _TABLES
    ]
    tables = [
        f"CREATE TRIGGER {table}_not_emptied BEFORE TRUNCATE ON {table} EXECUTE FUNCTION audit_refuse()"
        for table in _TABLES
    ]
    return [function, *rows, *tables]
