"""What a block of work on learned facts reads once, and what it reads anew all the same."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.profiles import services as profiles
from characters.profiles.learned import many
from characters.profiles.learned.services import LearnError
from characters.profiles.models import Character, Predicate
from tests.characters.profiles.learned.conftest import Learn
from tests.characters.profiles.sheets import sheet

pytestmark = pytest.mark.django_db


def read_of(table: str, queries: CaptureQueriesContext) -> int:
    return sum(f'FROM "{table}"' in query["sql"] for query in queries.captured_queries)


def test_a_block_reads_sheet_and_registry_once(learn: Learn) -> None:
    with CaptureQueriesContext(connection) as queries, many.reading_once():
        learn(object="staghorn")
        learn(object="brain coral")
    assert (read_of("profiles_revision", queries), read_of("profiles_predicate", queries)) == (1, 1)
    with CaptureQueriesContext(connection) as queries:
        learn(object="fire coral")
    assert (read_of("profiles_revision", queries), read_of("profiles_predicate", queries)) == (1, 1)


def test_what_is_published_within_a_block_counts_at_once(ann: Character, learn: Learn) -> None:
    with many.reading_once():
        learn("LIKES", "Fog")
        profiles.publish(ann, sheet=sheet(("DISLIKES", "Snow")), by=None)
        with pytest.raises(LearnError, match="The sheet says otherwise: DISLIKES Snow"):
            learn("LIKES", "Snow")


def test_what_the_registry_takes_back_counts_from_the_next_block_on(learn: Learn) -> None:
    with many.reading_once():
        learn("FAVORITE_CORAL", "staghorn")
    Predicate.objects.filter(name="LIKES").update(learnable=False)
    with many.reading_once(), pytest.raises(LearnError, match="LIKES can't be learned"):
        learn("LIKES", "Snow")
