"""Learned facts through the API."""

import pytest
from django.test import Client

from characters.authoring.learned.services import promote
from characters.profiles.learned import services as learned
from characters.profiles.learned.models import LearnedFact
from kgadmin.accounts.models import User
from tests.characters.profiles.learned.conftest import Learn
from tests.rest import get

pytestmark = pytest.mark.django_db
LEARNED = "/characters/ann/learned"


def test_they_are_listed_by_state_with_what_stands_around_them(
    author_client: Client, author: User, learn: Learn
) -> None:
    used, gone = learn(), learn("LOVES", "fog")
    learned.change(gone, LearnedFact.State.ARCHIVED, by=author)
    assert [row["id"] for row in get(author_client, LEARNED)["items"]] == [gone.pk, used.pk]
    (row,) = get(author_client, f"{LEARNED}?state=active")["items"]
    assert (row["predicate"], row["object"], row["used"]) == ("FAVORITE_CORAL", "staghorn", True)
    assert row["expires_at"] > row["learned_at"]
    assert get(author_client, f"{LEARNED}/{gone.pk}")["state"] == "archived"
    assert get(author_client, f"{LEARNED}/figures") == {"used": 1, "most": 50, "core": 3, "percent": 25}


def test_only_editors_are_told_what_waits_in_the_draft(operator_client: Client, author: User, learn: Learn) -> None:
    fact = learn()
    promote(fact, by=author)
    assert get(operator_client, f"{LEARNED}/{fact.pk}")["draft_fact"] == ""
