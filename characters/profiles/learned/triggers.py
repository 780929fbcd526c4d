"""Triggers that make only tastes and opinions learnable: the database refuses the rest, also by raw SQL."""

SENTENCE = "This predicate is not registered as one that may be learned."
STILL_LEARNED = "Facts with this predicate were learned; undo their approvals first."

_LEARNABLE = "1 FROM profiles_predicate AS p WHERE p.id = NEW.predicate_id AND p.learnable"
_UNLEARNABLE = f"NOT EXISTS (SELECT {_LEARNABLE})"
_LEARNED = "SELECT 1 FROM profiles_learnedfact AS f WHERE f.state <> 'taken back' AND f.predicate_id"
_ANOTHER = f"""(NOT NEW.learnable OR NEW.name <> OLD.name OR NEW.id <> OLD.id)
    AND EXISTS ({_LEARNED} IN (OLD.id, NEW.id))"""
_SAME = "SELECT 1 FROM profiles_predicate AS p WHERE p.id = NEW.id AND p.name = NEW.name"
_REPLACED = f"EXISTS ({_LEARNED} = NEW.id) AND NOT (NEW.learnable AND EXISTS ({_SAME}))"
"""Needed because SQLite's REPLACE changes a row without an UPDATE trigger."""
_UPDATE = "UPDATE OF predicate_id, state ON profiles_learnedfact"


def create(vendor: str) -> list[str]:
    """Return statements that refuse learned facts of other predicates, and changing a predicate with learned facts."""
    return _create_postgresql() if vendor == "postgresql" else _create_sqlite()


def drop(vendor: str) -> list[str]:
    """Return statements that drop the triggers."""
    if vendor == "postgresql":
        return [
            "DROP TRIGGER IF EXISTS learned_only_learnable ON profiles_learnedfact",
            "DROP TRIGGER IF EXISTS learned_still_learnable ON profiles_predicate",
            "DROP FUNCTION IF EXISTS learned_refuse(), predicate_refuse()",
        ]
    return [
        "DROP TRIGGER IF EXISTS learned_insert_learnable",
        "DROP TRIGGER IF EXISTS learned_update_learnable",
        "DROP TRIGGER IF EXISTS learned_still_learnable",
        "DROP TRIGGER IF EXISTS learned_not_replaced",
    ]


def _create_sqlite() -> list[str]:
    return [
        _on_sqlite("learned_insert_learnable", "INSERT ON profiles_learnedfact", _UNLEARNABLE, SENTENCE),
        _on_sqlite("learned_update_learnable", _UPDATE, _UNLEARNABLE, SENTENCE),
        _on_sqlite("learned_still_learnable", "UPDATE ON profiles_predicate", _ANOTHER, STILL_LEARNED),
        _on_sqlite("learned_not_replaced", "INSERT ON profiles_predicate", _REPLACED, STILL_LEARNED),
    ]


def _on_sqlite(name: str, event: str, when: str, sentence: str) -> str:
    return f"CREATE TRIGGER {name} BEFORE {event} WHEN {when} BEGIN SELECT RAISE(ABORT, '{sentence}'); END"


def _create_postgresql() -> list[str]:
    """Return PostgreSQL's statements. Learning waits for open changes of the predicate, and blocks new ones."""
    return [
        _function("learned_refuse", f"PERFORM {_LEARNABLE} FOR SHARE;", "NOT FOUND", SENTENCE),
        _function("predicate_refuse", "", _ANOTHER, STILL_LEARNED),
        f"""CREATE TRIGGER learned_only_learnable BEFORE INSERT OR {_UPDATE}
FOR EACH ROW EXECUTE FUNCTION learned_refuse()""",
        """CREATE TRIGGER learned_still_learnable BEFORE UPDATE ON profiles_predicate
FOR EACH ROW EXECUTE FUNCTION predicate_refuse()""",
    ]


def _function(name: str, first: str, when: str, sentence: str) -> str:
    return f"""
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger AS $$
BEGIN
    {first}
    IF {when} THEN RAISE EXCEPTION '{sentence}'; END IF;
    RETURN NEW;
END
$$ LANGUAGE plpgsql"""
