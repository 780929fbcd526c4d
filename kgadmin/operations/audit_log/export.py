"""The log as a file: read and sent part by part, so that its length doesn't matter."""

import csv
import io
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from django.db.models import QuerySet

from kgadmin.audit.models import Entry
from kgadmin.operations.audit_log.entries import EntryOut

PART = 500
"""Entries that are read at once."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def as_jsonl(values: dict[str, Any]) -> str:
    """An entry as a document on a line of its own."""
    return f"{json.dumps(values, ensure_ascii=False)}\n"


def as_csv(values: dict[str, Any]) -> str:
    """An entry as a row; what a spreadsheet would run as a formula begins with an apostrophe."""
    return _csv_row([_cell(value) for value in values.values()])


def _csv_row(cells: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


FORMS: dict[str, tuple[str, str, Callable[[dict[str, Any]], str]]] = {
    "csv": ("text/csv; charset=utf-8", _csv_row(list(EntryOut.model_fields)), as_csv),
    "jsonl": ("application/x-ndjson; charset=utf-8", "", as_jsonl),
}
"""By the name's ending: media type, how the file begins, how an entry is written."""


async def stream(rows: QuerySet[Entry], form: str) -> AsyncIterator[str]:
    """The file, entry by entry."""
    _, head, written = FORMS[form]
    yield head
    async for entry in rows.aiterator(chunk_size=PART):
        yield written(EntryOut.from_orm(entry).model_dump(mode="json"))
