"""The log as a file: read and sent part by part, so that its length doesn't matter."""

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from itertools import chain
from typing import Any

from asgiref.sync import sync_to_async
from django.db.models import QuerySet

from kgadmin.audit.models import Entry
from kgadmin.operations.audit_log.finding import PROGRAM
from kgadmin.operations.audit_log.telling import WHY

PART = 500
"""Entries that are read at once."""
COLUMNS = "id at who verb subject character reason note before after batch undoes emptied_at".split()
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

Part = list[Entry]


def document(entry: Entry) -> dict[str, Any]:
    """An entry with everything that is kept of it."""
    detail = entry.detail
    return {
        "id": entry.pk,
        "at": entry.at.isoformat(),
        "who": entry.actor or PROGRAM,
        "verb": entry.verb,
        "subject": entry.subject,
        "character": entry.character,
        "reason": WHY.get(entry.reason, entry.reason),
        "note": detail.note,
        "before": detail.before,
        "after": detail.after,
        "batch": entry.batch,
        "undoes": entry.undoes_id,
        "emptied_at": detail.redacted_at.isoformat() if detail.redacted_at else None,
    }


def as_csv(part: Part) -> str:
    """Rows of a table; what a spreadsheet would run as a formula begins with an apostrophe."""
    return _written([[_cell(value) for value in document(entry).values()] for entry in part])


def as_jsonl(part: Part) -> str:
    """A document a line."""
    return "".join(f"{json.dumps(document(entry), ensure_ascii=False)}\n" for entry in part)


def csv_head() -> str:
    """The row of names."""
    return _written([COLUMNS])


def _written(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False) if value else ""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def parts(found: QuerySet[Entry]) -> Iterator[Part]:
    """All entries, some at a time; each part is a statement of its own, so that nothing stays open in between."""
    before: int | None = None
    while part := list((found if before is None else found.filter(pk__lt=before)).select_related("detail")[:PART]):
        yield part
        before = part[-1].pk


FORMS: Mapping[str, tuple[str, str, Callable[[Part], str]]] = {
    "csv": ("text/csv; charset=utf-8", csv_head(), as_csv),
    "jsonl": ("application/x-ndjson; charset=utf-8", "", as_jsonl),
}
"""By the name's ending: media type, how the file begins, how a part is written."""


async def stream(found: QuerySet[Entry], form: str) -> AsyncIterator[str]:
    """The file, part by part."""
    _, head, written = FORMS[form]
    texts = chain([head] if head else [], (written(part) for part in parts(found)))
    while (text := await sync_to_async(_next)(texts)) is not None:
        yield text


def _next(texts: Iterator[str]) -> str | None:
    return next(texts, None)
