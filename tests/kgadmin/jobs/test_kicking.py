"""A broker that is away: whoever asks for a task goes on."""

import logging

import pytest
from kombu import Connection
from pytest_django.fixtures import Settings

from kgadmin import celery
from kgadmin.embedded.servers import free_port
from kgadmin.jobs import broker
from kgadmin.projection.tasks import sweep


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
