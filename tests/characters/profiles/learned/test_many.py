"""What changes within and between blocks of work on learned facts, which read sheet and registry once."""

import pytest

from characters.profiles import services as profiles
from characters.profiles.learned import many
from characters.profiles.models import Character, Predicate
from kgadmin.rest.actions import Refused
from tests.characters.profiles.learned.conftest import Learn
from tests.characters.profiles.sheets import sheet

pytestmark = pytest.mark.django_db


def test_what_is_published_within_a_block_counts_at_once(ann: Character, learn: Learn) -> None:
    with many.reading_once():
        learn("LIKES", "Fog")
        profiles.publish(ann, sheet=sheet(("DISLIKES", "Snow")), by=None)
        with pytest.raises(Refused, match="The sheet says otherwise: DISLIKES Snow"):
            learn("LIKES", "Snow")


def test_what_the_registry_takes_back_counts_from_the_next_block_on(learn: Learn) -> None:
    with many.reading_once():
        learn("FAVORITE_CORAL", "staghorn")
    Predicate.objects.filter(name="LIKES").update(learnable=False)
    with many.reading_once(), pytest.raises(Refused, match="LIKES can't be learned"):
        learn("LIKES", "Snow")
