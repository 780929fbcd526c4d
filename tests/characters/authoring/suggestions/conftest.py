from collections.abc import Callable

import pytest

from characters.authoring.models import SuggestedFact
from characters.profiles import services
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.profiles.sheets import sheet
from tests.scripted_model import ScriptedModel

IDENTITY = "You are Ann, a lighthouse keeper. You grew up in Odense. You love rain on a tin roof and sea glass."


@pytest.fixture
def ann(db: None, predicates: None, author: User) -> Character:
    """Of the author, with an identity of which two facts stand in her sheet."""
    return services.create_character(slug="ann", sheet=sheet(identity=IDENTITY), by=author)


@pytest.fixture
def connected(ann: Character, wire: Callable[..., None], scripted_model: ScriptedModel) -> ScriptedModel:
    """The program is led to this model."""
    wire(scripted_model)
    return scripted_model


def waiting(character: Character) -> list[tuple[str, str]]:
    return [(row.predicate, row.object) for row in SuggestedFact.objects.filter(character=character).waiting()]
