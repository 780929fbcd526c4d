"""Learned facts on their page, what its buttons do without script, and through the API."""

import re
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone

from characters.authoring.learned.services import promote
from characters.domain.sheet import Settings
from characters.profiles import services as profiles
from characters.profiles.learned import services as learned
from characters.profiles.models import LearnedFact
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from tests.characters.profiles.learned.conftest import Learn
from tests.characters.profiles.sheets import sheet
from tests.rest import get

pytestmark = pytest.mark.django_db
API = "/characters/ann/learned"
PAGE = "/characters/ann/learned/"
State = LearnedFact.State


def text_of(client: Client, path: str = PAGE) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def press(client: Client, fact: LearnedFact, verb: str) -> str:
    answer = client.post(f"{PAGE}{fact.pk}/", {"verb": verb}, follow=True)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_facts_stand_by_their_state_with_figures_on_top(author_client: Client, author: User, learn: Learn) -> None:
    learn("ENJOYS", "knots")
    used, gone, against = learn("LOVES", "fog"), learn("ADMIRES", "gulls"), learn()
    learned.count_uses([used.fact.id], timezone.now())
    learned.change(gone, State.ARCHIVED, by=author)
    corals = sheet(("FAVORITE_CORAL", "brain coral"), ("LIKES", "Rain"), ("IS_A", "keeper"))
    profiles.publish(against.character, sheet=corals, by=author)
    text = text_of(author_client)
    assert "In use 2 of at most 50" in text
    assert "Share of facts in use 40 % learned" in text
    assert re.search("In use 2 .*fog.* Suspended 1 .*staghorn.* Archived 1 .*gulls", text)
    assert "The sheet says: My favorite coral: brain coral." in text
    assert "1 time last" in text
    assert "if rarely used" in text
    profiles.publish(against.character, sheet=replace(corals, settings=Settings(most_learned=1)), by=author)
    text = text_of(author_client)
    assert ("In use 1 of at most 1" in text, text.count("over the limit, not used")) == (True, 1)


def test_buttons_work_without_script_and_are_in_the_log(author_client: Client, learn: Learn) -> None:
    fact = learn()
    assert "Pinned: it won’t be archived for its age." in press(author_client, fact, "pin")
    assert "No longer pinned." in press(author_client, fact, "unpin")
    assert "Archived: FAVORITE_CORAL staghorn." in press(author_client, fact, "archive")
    assert "In use again: FAVORITE_CORAL staghorn." in press(author_client, fact, "restore")
    page = press(author_client, fact, "promote")
    assert "In the draft as f4." in page
    assert "in the draft</span>" in page
    verbs = list(Entry.objects.exclude(verb="published").order_by("pk").values_list("verb", "actor"))
    assert verbs == [(verb, "author") for verb in ("pinned", "unpinned", "archived", "restored", "promoted")]


def test_they_are_listed_by_state_with_what_stands_around_them(
    author_client: Client, author: User, learn: Learn
) -> None:
    used, gone = learn(), learn("LOVES", "fog")
    learned.change(gone, LearnedFact.State.ARCHIVED, by=author)
    assert [row["id"] for row in get(author_client, API)["items"]] == [gone.pk, used.pk]
    (row,) = get(author_client, f"{API}?state=active")["items"]
    assert (row["predicate"], row["object"], row["used"]) == ("FAVORITE_CORAL", "staghorn", True)
    assert row["expires_at"] > row["learned_at"]
    assert get(author_client, f"{API}/{gone.pk}")["state"] == "archived"
    assert get(author_client, f"{API}/figures") == {"used": 1, "most": 50, "core": 3, "percent": 25}


def test_only_editors_are_told_what_waits_in_the_draft(operator_client: Client, author: User, learn: Learn) -> None:
    fact = learn()
    promote(fact, by=author)
    assert get(operator_client, f"{API}/{fact.pk}")["draft_fact"] == ""
