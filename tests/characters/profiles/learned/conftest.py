"""A character of the author's, and what she learned."""

from collections.abc import Callable

import pytest
from django.db import transaction

from characters.profiles import services as profiles
from characters.profiles.learned import services as learned
from characters.profiles.models import Character, LearnedFact
from kgadmin.accounts.models import User
from tests.characters.profiles.sheets import sheet

Learn = Callable[..., LearnedFact]


@pytest.fixture
def ann(predicates: None, author: User) -> Character:
    """Owned by the author."""
    facts = ("HAS_FATHER", "Built boats"), ("LIKES", "Rain"), ("FAVORITE_COLOR", "Grey")
    return profiles.create_character(slug="ann", sheet=sheet(*facts), by=author)


@pytest.fixture
def learn(ann: Character) -> Learn:
    """`learn(predicate, object)`: a learned fact that is in use."""

    def make(predicate: str = "FAVORITE_CORAL", object: str = "staghorn", **more: object) -> LearnedFact:
        with transaction.atomic():
            return learned.learn(ann, predicate=predicate, object=object, confidence=0.95, **more)  # type: ignore[arg-type]

    return make
