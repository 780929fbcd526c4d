"""Dates of exports, in every form that is known to occur."""

from datetime import UTC, datetime, timedelta
from typing import Any

from characters.conversations.dates import read_date

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
NOON = datetime(2024, 7, 12, 12, 5, tzinfo=UTC)


def test_a_date_is_read_in_every_form() -> None:
    for value in (
        "2024-07-12T12:05:00Z",
        "2024-07-12T12:05:00.000Z",
        "2024-07-12T14:05:00+02:00",
        "2024-07-12 12:05",
        1720785900,
        1720785900.0,
        1720785900000,
        "1720785900",
        "1720785900000",
        "July 12, 2024 12:05pm",
        "July 12, 2024 12:05 PM",
        "Jul 12, 2024 12:05pm",
        "2024-07-12@12h05m00s",
        "2024-7-12 @12h 5m 0s 123ms",
        " 2024-07-12@12h05m00s000ms ",
    ):
        assert read_date(value, NOW) == NOON, value


def test_what_is_no_date_is_none() -> None:
    words: list[Any] = ["", "yesterday", "Smarch 1, 2024 1:00pm", "2024-13-40", "2024-99-99@99h99m99s", "9" * 60]
    numbers: list[Any] = [None, True, float("nan"), float("inf"), 10**30, -5, 0, [], {"at": 1}]
    for value in [*words, *numbers, "1969-12-31T23:59:59Z", (NOW + timedelta(days=2)).isoformat()]:
        assert read_date(value, NOW) is None, value
