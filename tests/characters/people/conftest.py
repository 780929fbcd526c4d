"""The pages of people stand on the rows and engines of memory."""

from datetime import timedelta

import pytest

from characters.conversations.models import Person
from kgadmin.accounts.models import User
from tests.characters.memory.conftest import ann, mark, projected
from tests.characters.people.known_person import NOON, Knowing
from tests.characters.profiles import sheets

__all__ = ["ann", "mark", "projected"]


@pytest.fixture
def known(db: None, operator: User) -> Knowing:
    """Mark, whom Ann knows: his cat Luna, Portland where he lives, Seattle where he lived."""
    mark = Person.objects.create(namespace="tester:all", outside_id="mark", name="Mark")
    known = Knowing(mark, sheets.character(), operator)
    luna = known.entity("Luna", "pet", "my cat")
    message = known.says("So. I have a cat called Luna, you know.", luna)
    known.fact("HAS_PET", luna, message, "I have a cat called Luna", mentions=3)
    known.fact("LIVES_IN", known.entity("Portland", "place"))
    ended = NOON + timedelta(days=266, hours=1)
    known.fact("LIVES_IN", known.entity("Seattle", "place"), state="closed", closed_at=ended)
    return known
