"""Ids and times of forgotten people, noted beside the database: restoring a backup would bring them back."""

import sqlite3
from contextlib import closing
from pathlib import Path

from kgadmin.embedded.run_file import read_json, write_private

FORGOTTEN = "forgotten.json"
ROWS = {
    "person": "SELECT id, created_at FROM conversations_person",
    "conversation": "SELECT id, created_at FROM conversations_conversation",
    "user_fact": "SELECT id, first_seen FROM memory_userfact",
}
"""Queries for ids and creation times, by kind of subject ("person:12")."""

Forgotten = dict[str, str]
"""When each subject was forgotten, as the database writes a time. Ids may be reused after a restore: the one meant is
the one that existed before.
"""


def note(data_dir: Path, database: Path) -> Forgotten:
    """Add a database's record of forgetting to the notes. Raises `sqlite3.Error`."""
    noted = read(data_dir)
    known = dict(noted)
    for subject, at in (_in_log(database) if database.exists() else {}).items():
        known[subject] = max(at, noted.get(subject, ""))
    if known != noted:
        write_private(data_dir / FORGOTTEN, known)
    return known


def read(data_dir: Path) -> Forgotten:
    """Return the notes of a data folder."""
    return read_json(data_dir / FORGOTTEN)


def held_by(database: Path, forgotten: Forgotten) -> list[str]:
    """Return the forgotten subjects that a database, of any version, still holds."""
    return [
        subject
        for kind, query in ROWS.items()
        for pk, since in _rows(database, query)
        if since < forgotten.get(subject := f"{kind}:{pk}", "")
    ]


def _in_log(database: Path) -> Forgotten:
    rows = _rows(database, "SELECT subject, at FROM audit_entry WHERE verb = 'forgot' ORDER BY at")
    return {subject: at for subject, at in rows if subject.partition(":")[0] in ROWS}


def _rows(database: Path, query: str) -> list[tuple[str, str]]:
    """Return the rows; an empty list if the table is missing, as in an older database."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return []
        raise
