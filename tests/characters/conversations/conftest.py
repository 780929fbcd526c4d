import pytest
from pytest_django.fixtures import Settings

from characters.conversations import services
from characters.conversations.models import Conversation, Turn
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from tests.characters.profiles import sheets


@pytest.fixture
def conversation(tester: User) -> Conversation:
    """Somebody begins to talk to Ann."""
    return services.start_conversation(character=sheets.character(), by=tester, first="Who are you?")


@pytest.fixture
def turn(conversation: Conversation) -> Turn:
    """A turn that was just asked."""
    return services.start_turn(conversation=conversation, text="Who are you?")[0]


@pytest.fixture
def elena(db: None) -> Character:
    return sheets.character("elena")


def read_nothing(job: Job) -> None:
    """In the place of the job that reads facts."""


@pytest.fixture
def reading_is_quiet(settings: Settings) -> None:
    settings.JOB_HANDLERS = settings.JOB_HANDLERS | {"remember": "tests.characters.conversations.conftest.read_nothing"}
