"""Dates as exports of other programs write them."""

import re
from datetime import UTC, datetime, timedelta

EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
TOLERANCE = timedelta(days=1)
"""A clock may go ahead, and a date without a zone is taken as UTC."""
MILLISECONDS_FROM = 100_000_000_000
"""Numbers from here on count milliseconds since 1970; as seconds they would lie in the year 5138."""

_TAVERN = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s(?: ?\d{1,3}ms)?", re.ASCII)
"""SillyTavern: "2024-07-12@01h31m37s", older "2023-6-3 @20h 1m 22s 123ms"."""
_IN_WORDS = ("%B %d, %Y %I:%M%p", "%B %d, %Y %I:%M %p", "%b %d, %Y %I:%M%p", "%b %d, %Y %I:%M %p")
"""SillyTavern: "June 19, 2023 4:13pm"."""


def read_date(value: object, now: datetime) -> datetime | None:
    """The moment that `value` names, or None: nothing there, nothing readable, before 1990 or after `now`.

    Takes seconds and milliseconds since 1970, ISO 8601 and SillyTavern's formats. Without a zone it is UTC.
    """
    if isinstance(value, bool) or value is None:
        return None
    try:
        found = _number(value) if isinstance(value, int | float) else _text(str(value).strip())
    except (ValueError, OverflowError, OSError):
        return None
    if found is None:
        return None
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    return found.astimezone(UTC) if EARLIEST <= found <= now + TOLERANCE else None


def _number(value: float) -> datetime:
    return datetime.fromtimestamp(value / 1000 if abs(value) >= MILLISECONDS_FROM else value, tz=UTC)


def _text(value: str) -> datetime | None:
    if value.isascii() and value.isdecimal():
        return _number(int(value[:20]))
    if tavern := _TAVERN.fullmatch(value):
        year, month, day, hour, minute, second = map(int, tavern.groups())
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    if value[:1].isalpha():
        return next(filter(None, (_in_words(value, form) for form in _IN_WORDS)), None)
    return datetime.fromisoformat(value)


def _in_words(value: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(value, form).replace(tzinfo=UTC)
    except ValueError:
        return None
