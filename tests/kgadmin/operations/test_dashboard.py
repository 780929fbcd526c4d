"""The dashboard: what it counts, what it leaves out, and that many turns cost no more queries than few."""

import math
import random
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import Settings

from characters.conversations.models import Conversation, Message
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services as knowledge
from kgadmin.operations import dashboard
from kgadmin.operations.dashboard import Share
from kgadmin.operations.periods import PERIODS, Period
from kgadmin.projection import services as projection
from kgadmin.projection.models import Lease
from tests.pages import text_of
from tests.quality import counted

DAY, WEEK, MONTH = (PERIODS[key] for key in ("24h", "7d", "30d"))


@pytest.fixture
def talk(tester: User) -> Conversation:
    return counted.conversation(tester)


def share(name: str, period: Period = DAY) -> Share:
    return next(each for each in dashboard.overview(period).shares if each.name == name)


def test_a_share_is_of_the_turns_of_its_period(talk: Conversation) -> None:
    counted.turn(talk, background=3)
    counted.turn(talk, hours_ago=23)
    counted.turn(talk, hours_ago=24, background=1)
    assert dashboard.overview(DAY).turns == 2
    assert (share("Background").count, share("Background").percent) == (1, 50)
    assert (share("Background", WEEK).count, share("Background", WEEK).of) == (2, 3)


def test_ambient_connections_are_counted_once_more_where_the_graph_knew_something(talk: Conversation) -> None:
    counted.turn(talk, knew=True, named=1, ambient=2)
    counted.turn(talk, knew=True, named=1)
    for _ in range(6):
        counted.turn(talk)
    assert share("Ambient connections").percent == 12
    where_known = share(dashboard.WHERE_KNOWN)
    assert (where_known.percent, where_known.note) == (50, "of 2 turns")


@pytest.mark.engine
def test_a_share_has_a_step_for_every_part_of_the_period(talk: Conversation) -> None:
    counted.turn(talk, hours_ago=23, memory=1)
    counted.turn(talk, memory=1)
    counted.turn(talk)
    steps = share("Memory").steps
    assert len(steps) == 24
    assert (steps[0], steps[1], steps[23]) == (1.0, None, 0.5)


@pytest.mark.engine
def test_percentiles_are_the_values_at_their_rank(talk: Conversation) -> None:
    values: list[float] = []
    for count in (1, 2, 3, 19, 20, 21):
        while len(values) < count:
            value = round(random.uniform(1, 90), 3)
            counted.turn(talk, ms={"probe": value, "memory": value / 2}, assembled_ms=value * 2)
            values.append(value)
        times = {each.name: each for each in dashboard.overview(DAY).times}
        p50, p95 = (sorted(values)[math.ceil(share * count) - 1] for share in (0.5, 0.95))
        assert (times["probe"].p50, times["probe"].p95, times["probe"].runs) == (p50, p95, count), values
        assert (times["memory"].p95, times["turn"].p50) == (p95 / 2, p50 * 2), values


def test_what_had_nothing_to_do_and_what_is_not_counted_has_no_time(talk: Conversation) -> None:
    counted.turn(talk, ms={"ambient": 8.0}, skipped={"memory": 0.1})
    counted.turn(talk, skipped={"ambient": 0.1})
    counted.turn(talk, ms={"ambient": 500.0}, counted=False)
    times = {each.name: each for each in dashboard.overview(DAY).times}
    assert set(times) == {"ambient", "turn"}
    assert (times["ambient"].p95, times["ambient"].runs) == (8.0, 1)


@pytest.mark.engine
def test_of_very_many_turns_some_are_measured(talk: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dashboard, "SAMPLE", 10)
    for _ in range(40):
        counted.turn(talk, ms={"probe": 5.0})
    shown = dashboard.overview(DAY)
    assert (shown.turns, shown.every) == (40, 4)
    assert {each.name: each.runs for each in shown.times} == {"probe": 10, "turn": 10}
    assert {each.of for each in shown.shares if each.note == "of turns"} == {10}


def test_failures_are_counted_by_stage_with_the_newest_sentence(talk: Conversation) -> None:
    counted.turn(talk, failed={"ambient": "The graph is down.", "reply": "No answer."})
    newest = counted.turn(talk, failed={"ambient": "The graph gave no answer in 0.5 s."})
    counted.turn(talk, hours_ago=30, failed={"memory": "Long ago."})
    first, second = dashboard.failures(DAY)
    assert (first.name, first.count, first.stage.error) == ("ambient", 2, "The graph gave no answer in 0.5 s.")
    assert first.stage.turn_id == newest.pk
    assert (second.name, second.count) == ("reply", 1)


def test_what_waits_is_told_by_kind_of_work(talk: Conversation, settings: Settings) -> None:
    settings.PROJECTORS = []
    for state, kind in [("queued", "import"), ("paused", "enrich"), ("running", "remember"), ("done", "ingest")]:
        Job.objects.create(kind=kind, subject=state, state=state)
    Job.objects.create(kind="import", subject="9", state="failed", finished_at=timezone.now())
    Job.objects.create(kind="mend", subject="9", state="failed", finished_at=timezone.now())
    Job.objects.create(kind="mend", subject="8", state="failed", finished_at=timezone.now() - timedelta(days=2))
    Message.objects.create(conversation=talk, role="user", text="Hi", memory="waiting", place=1)
    Lease.objects.create(owner="person:7", failures=3, error="The graph is down.")
    waiting = dashboard.waiting(DAY)
    rows = {row["label"]: [row[state] for state in ("queued", "running", "paused", "failed")] for row in waiting.jobs}
    assert rows == {
        "Documents to read": [0, 0, 0, 0],
        "Conversations to import": [1, 0, 0, 1],
        "Messages waiting for fact extraction": [0, 1, 0, 0],
        "Message pairs to classify": [0, 0, 1, 0],
        "Mend": [0, 0, 0, 1],
    }
    assert waiting.unread == 1
    assert [lease.owner for lease in waiting.leases] == ["person:7"]


def test_documents_that_failed_are_counted_and_lead_to_their_base(operator_client: Client) -> None:
    base = knowledge.register(name="Reef notes", by=None)
    for name in ("a.md", "b.md"):
        knowledge.add_document(base=base, name=name, content=b"# A", by=None)
    base.documents.update(state="failed")
    (documents, *_) = dashboard.waiting(DAY).jobs
    assert documents["failed"] == 2, "the job went on without them, and is done"
    for path in ("/dashboard/", "/health/"):
        page = text_of(operator_client, path)
        assert '<a href="/knowledge/reef_notes/#ingestion">2 in Reef notes</a>' in page
        assert re.search(r'data-state="bad"\s*>2<', page)


def test_more_turns_cost_no_more_queries(talk: Conversation) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            dashboard.shares(MONTH, 1)
            dashboard.times(MONTH, 1)
            dashboard.failures(MONTH)
        return len(captured)

    counted.turn(talk, ms={"probe": 5.0}, failed={"memory": "x"})
    few = queries()
    for hours in range(20):
        counted.turn(talk, hours_ago=hours, ms={"probe": 5.0, "ambient": 2.0}, failed={"memory": "x", "reply": "y"})
    assert queries() == few <= 8


def test_the_page_shows_shares_times_and_failures(operator_client: Client, talk: Conversation) -> None:
    counted.turn(talk, background=2, ms={"probe": 30.0, "ambient": 40.0}, failed={"memory": "The graph is down."})
    text = text_of(operator_client, "/dashboard/")
    assert "1 turn in the last 24 hours" in text
    assert "100% <small>of turns</small>" in text
    assert "p95 30 of 40 ms" in text
    assert "p95 40 over 15 ms" in text
    assert "The graph is down." in text
    assert "Open turn" not in text


def test_without_turns_the_page_says_what_to_do_and_another_period_is_missing(operator_client: Client) -> None:
    assert "No turns in the last 7 days" in text_of(operator_client, "/dashboard/?period=7d")
    assert operator_client.get("/dashboard/?period=9d").status_code == 404


def test_drift_without_engines_says_which_do_not_answer(operator_client: Client) -> None:
    assert 'data-state="bad"' in text_of(operator_client, "/dashboard/drift/")


def test_drift_and_its_repair(operator_client: Client, talk: Conversation, wired: None) -> None:
    assert "Differs" in text_of(operator_client, "/dashboard/drift/")
    while projection.sweep():
        pass
    assert "Differs" not in text_of(operator_client, "/dashboard/drift/")
    answer = operator_client.post("/dashboard/drift/graph/repair/")
    assert answer.headers["Location"] == "/dashboard/drift/"
    assert "graph" in projection.waiting()
    assert operator_client.post("/dashboard/drift/disk/repair/").status_code == 404
