from datetime import UTC, date, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from characters.domain.dates import ago, named_days, nearness, without_days

NOW = datetime(2031, 3, 9, 18, 30, tzinfo=UTC)  # a Sunday


def test_a_day_is_understood_as_the_latest_one_of_its_name() -> None:
    for text, first, last in (
        ("what did I say yesterday?", date(2031, 3, 8), date(2031, 3, 8)),
        ("a week ago", date(2031, 2, 27), date(2031, 3, 5)),
        ("last week", date(2031, 2, 24), date(2031, 3, 2)),
        ("last month", date(2031, 2, 1), date(2031, 2, 28)),
        ("last year", date(2030, 1, 1), date(2030, 12, 31)),
        ("on Tuesday", date(2031, 3, 4), date(2031, 3, 4)),
        ("in May", date(2030, 5, 1), date(2030, 5, 31)),
        ("on 3 January", date(2031, 1, 3), date(2031, 1, 3)),
        ("2029-02-28", date(2029, 2, 28), date(2029, 2, 28)),
        ("in 2024", date(2024, 1, 1), date(2024, 12, 31)),
    ):
        assert [(days.first, days.last) for days in named_days(text, NOW)] == [(first, last)], text


def test_what_is_no_day_is_none() -> None:
    for text in ("you may come", "march on", "2029-02-31", "on 31 February", "in 9999 years ago", ""):
        assert named_days(text, NOW) == (), text


def test_a_text_without_its_days_keeps_its_subject() -> None:
    assert without_days("what did I say about Luna last week?", NOW) == "what did I say about Luna ?"


def test_how_long_ago_is_said_as_people_say_it() -> None:
    for days, words in (
        (0, "today"),
        (1, "yesterday"),
        (3, "three days ago"),
        (13, "13 days ago"),
        (21, "three weeks ago"),
        (80, "three months ago"),
        (800, "in December 2028"),
    ):
        assert ago(NOW - timedelta(days=days), NOW) == words


def test_a_message_of_the_named_day_is_nearest() -> None:
    named = named_days("yesterday", NOW)
    today = NOW.date().toordinal()
    days = np.array([today - 1, today, today - 30], dtype=np.int32)
    assert nearness(days, named).tolist() == [1.0, 0.5, -1.0]
    assert nearness(days, ()).tolist() == [0.0, 0.0, 0.0]


@given(st.text(max_size=80))
def test_any_text_may_be_asked_for_days(text: str) -> None:
    for days in named_days(text, NOW):
        assert days.first <= days.last
