import logging
from pathlib import Path
from queue import Empty
from threading import Thread
from typing import Any

import pytest
from kombu import Connection
from pytest_django.fixtures import Settings

from kgadmin import celery
from kgadmin.embedded.servers import free_port
from kgadmin.jobs import broker
from kgadmin.jobs.broker import Transport
from kgadmin.projection.tasks import sweep
from tests.patience import wait_for


@pytest.fixture
def connection(tmp_path: Path) -> Connection:
    messages, control = tmp_path / "messages", tmp_path / "of a kind" / "control"
    messages.mkdir()
    options = {"data_folder_in": str(messages), "data_folder_out": str(messages), "control_folder": str(control)}
    return Connection("filesystem://", transport_options=options)


def channel_of(connection: Connection) -> Any:
    """With its table, which makes the folder of what is written and not whole yet."""
    channel: Any = connection.channel()
    channel._queue_bind("celery", "jobs", "", "jobs")
    return channel


def test_celery_sends_by_this_transport() -> None:
    with celery.app.connection() as connection:
        assert isinstance(connection.transport, Transport)


def test_messages_that_are_read_while_others_are_written_are_whole(connection: Connection) -> None:
    def write() -> None:
        channel = channel_of(connection)
        for number in range(500):
            channel._put("jobs", {"number": number, "padding": "x" * 1000})

    got: list[int] = []
    reader = channel_of(connection)

    def all_read() -> bool:
        try:
            while True:
                got.append(reader._get("jobs")["number"])
        except Empty:
            return len(got) == 500

    writer = Thread(target=write)
    writer.start()
    assert wait_for(all_read, timeout=60, every=0)
    writer.join()
    assert sorted(got) == list(range(500))


def test_tables_of_queues_are_whole_while_they_are_made(connection: Connection) -> None:
    def bind(number: int) -> None:
        channel_of(connection)._queue_bind("celery", f"key{number}", "", f"queue{number}")

    threads = [Thread(target=bind, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {row.queue for row in channel_of(connection).get_table("celery")} == {
        "jobs",
        *(f"queue{n}" for n in range(20)),
    }


@pytest.fixture
def nobody() -> str:
    """The address of a Redis that isn't there."""
    return f"redis://127.0.0.1:{free_port()}/0"


def test_a_task_that_the_broker_does_not_take_is_told_in_the_log(nobody: str, caplog: pytest.LogCaptureFixture) -> None:
    with Connection(nobody, transport_options={"max_retries": 0}) as connection, caplog.at_level(logging.WARNING):
        sweep.apply_async(connection=connection, retry=False)
    assert "the next sweep finds what is to do" in caplog.text


def test_a_broker_that_is_away_is_noticed_within_two_seconds(
    settings: Settings, nobody: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CELERY_BROKER_URL = nobody
    monkeypatch.setattr(celery.app, "connection_for_read", lambda **given: Connection(nobody, **given))
    assert not broker.answers()
