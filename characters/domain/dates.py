"""Find the days that a text names, and say in words how long ago something was."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

MONTHS = "january february march april may june july august september october november december".split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = {word: number for number, word in enumerate("zero one two three four five six seven eight nine ten".split())}
_NUMBERS |= {"a": 1, "an": 1, "couple of": 2, "few": 3}
_MONTH = "|".join([*MONTHS, *(f"{name[:3]}\\b" for name in MONTHS if name != "may")])
_SPAN_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


@dataclass(frozen=True, slots=True)
class Days:
    """Days from `first` to `last`, named by the text between `start` and `end`."""

    first: date
    last: date
    start: int
    end: int


def named_days(text: str, now: datetime) -> tuple[Days, ...]:
    """Return the days that `text` names, as of `now`; without a year, the latest such day or month that has begun."""
    named: list[Days] = []
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            if any(match.start() < days.end and days.start < match.end() for days in named):
                continue
            days = read(match, now.date())
            if days:
                named.append(Days(*days, match.start(), match.end()))
    return tuple(sorted(named, key=lambda days: days.start))


def without_days(text: str, now: datetime) -> str:
    """Return `text` without the days that it names."""
    parts, place = [], 0
    for days in named_days(text, now):
        parts.append(text[place : days.start])
        place = days.end
    return " ".join("".join([*parts, text[place:]]).split())


def ago(at: datetime, now: datetime) -> str:
    """Return how long ago `at` was, as people say it: "yesterday", "three weeks ago", "in March 2029"."""
    days = (now.date() - at.date()).days
    if days <= 0:
        return "today"
    if days == 1:
        return "yesterday"
    for limit, unit, size in ((14, "day", 1), (60, "week", 7), (365, "month", 30)):
        if days < limit:
            return _counted(round(days / size), unit)
    return f"in {at:%B %Y}"


def _counted(number: int, unit: str) -> str:
    words = {number: word for word, number in _NUMBERS.items() if word not in {"a", "an", "couple of", "few"}}
    return f"{words.get(number, str(number))} {unit}{'s' * (number != 1)} ago"


Range = tuple[date, date]


def _relative(match: re.Match[str], today: date) -> Range:
    day = today - timedelta(days={"today": 0, "tonight": 0, "yesterday": 1, "last night": 1}[match.group().lower()])
    return day, day


def _ago(match: re.Match[str], today: date) -> Range | None:
    count = match["count"].lower()
    number = int(count) if count.isdecimal() else _NUMBERS.get(count)
    size = _SPAN_DAYS[match["unit"].lower()]
    if number is None or number * size > 36_500:
        return None
    middle = today - timedelta(days=number * size)
    around = timedelta(days=size // 2)
    return middle - around, min(today, middle + around)


def _last_span(match: re.Match[str], today: date) -> Range:
    size = _SPAN_DAYS[match["unit"].lower()]
    begins = {7: today - timedelta(days=today.weekday()), 30: today.replace(day=1), 365: today.replace(month=1, day=1)}
    this = begins.get(size, today)
    if match["which"].lower() == "this":
        return this, today
    last = this - timedelta(days=1)
    first = {7: last - timedelta(days=6), 30: last.replace(day=1), 365: last.replace(month=1, day=1)}.get(size, last)
    return first, last


def _weekday(match: re.Match[str], today: date) -> Range:
    back = (today.weekday() - WEEKDAYS.index(match["weekday"].lower())) % 7 or 7
    day = today - timedelta(days=back)
    return day, day


def _iso(match: re.Match[str], today: date) -> Range | None:
    return _whole_day(int(match["year"]), int(match["month"]), int(match["day"]))


def _day_of_month(match: re.Match[str], today: date) -> Range | None:
    month, day = _month_number(match["month"]), int(match["day"])
    if match["year"]:
        return _whole_day(int(match["year"]), month, day)
    this_year = _whole_day(today.year, month, day)
    return this_year if this_year is None or this_year[0] <= today else _whole_day(today.year - 1, month, day)


def _month(match: re.Match[str], today: date) -> Range:
    month = _month_number(match["month"])
    year = int(match["year"]) if match["year"] else today.year - (month > today.month)
    first = date(year, month, 1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _year(match: re.Match[str], today: date) -> Range:
    year = int(match["year"])
    return date(year, 1, 1), date(year, 12, 31)


def _whole_day(year: int, month: int, day: int) -> Range | None:
    try:
        day_found = date(year, month, day)
    except ValueError:
        return None
    return day_found, day_found


def _month_number(name: str) -> int:
    return next(number for number, each in enumerate(MONTHS, 1) if each.startswith(name.lower()[:3]))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_WITH_YEAR = r"(?:,? (?P<year>(?:19|20)\d\d))?"
_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Range | None]], ...] = (
    (_compiled(r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b"), _iso),
    (_compiled(rf"\b(?P<day>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH}){_WITH_YEAR}"), _day_of_month),
    (_compiled(rf"\b(?P<month>{_MONTH}) (?P<day>\d\d?)(?:st|nd|rd|th)?\b{_WITH_YEAR}"), _day_of_month),
    (_compiled(r"\b(?:today|tonight|yesterday|last night)\b"), _relative),
    (_compiled(r"\b(?P<count>\d{1,4}|couple of|few|an?|\w+) (?P<unit>day|week|month|year)s? ago\b"), _ago),
    (_compiled(r"\b(?P<which>last|this) (?P<unit>week|month|year)\b"), _last_span),
    (_compiled(rf"\b(?:on|last) (?P<weekday>{'|'.join(WEEKDAYS)})\b"), _weekday),
    (_compiled(rf"\b(?:in|last|since|during|back in) (?P<month>{_MONTH}){_WITH_YEAR}"), _month),
    (_compiled(r"\b(?:in|since|during|back in) (?P<year>(?:19|20)\d\d)\b"), _year),
)


def nearness(ordinals: NDArray[np.int32], named: tuple[Days, ...]) -> NDArray[np.float32]:
    """Return for each day (`date.toordinal`) 1 on a named day, 0.5 within two weeks after, else -1; 0 if no day is
    named.
    """
    near = np.full(len(ordinals), -1.0 if named else 0.0, dtype=np.float32)
    for days in named:
        after = ordinals - days.last.toordinal()
        within = (ordinals >= days.first.toordinal()) & (after <= 14)
        near = np.maximum(near, np.where(within, np.where(after > 0, 0.5, 1.0), -1.0).astype(np.float32))
    return near


TIME_WORDS = frozenset(
    """today tonight yesterday tomorrow morning afternoon evening night day days week weeks weekend month months year
    years time busy long hour hours minute minutes ago soon later last next""".split()
).union(MONTHS, WEEKDAYS)
"""Words that say when something happened, not what."""
