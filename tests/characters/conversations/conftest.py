import pytest

from characters.conversations import services
from characters.conversations.models import Conversation, Turn
from characters.profiles.models import Character
from kgadmin.accounts.models import User
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
