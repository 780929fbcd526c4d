"""The page of the audit log: what it tells, and how it is filtered."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from characters.conversations import services as conversations
from characters.conversations.models import Acquaintance, Person
from characters.memory import erasure, facts
from characters.profiles.models import Character
from characters.review import decisions
from characters.review.decisions import REASONS, ProposalVersion
from kgadmin.accounts import services as accounts
from kgadmin.accounts.models import User
from kgadmin.audit.models import Detail, Entry
from kgadmin.audit.services import Act, new_batch, record, redact
from kgadmin.knowledge import services as knowledge
from tests.characters.memory import people
from tests.characters.profiles import sheets
from tests.characters.review.proposals import proposal
from tests.rest import get

pytestmark = pytest.mark.django_db
PAGE = "/audit/"


@pytest.fixture
def ann(db: None) -> Character:
    return sheets.character("ann", ("HAS_FATHER", "Built boats"))


def act(verb: str = "approved", subject: str = "proposal:7", **more: Any) -> Act:
    return Act(verb, subject, **({"before": {"state": "open"}, "after": {"state": "approved"}} | more))


def text_of(client: Client, query: str = "") -> str:
    answer = client.get(f"{PAGE}{query}")
    assert answer.status_code == 200
    page = re.sub(r"<form.*?</form>", " ", answer.content.decode(), flags=re.DOTALL)
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    return text.partition("Nobody can change or delete it.")[2]


def test_an_entry_says_who_did_what_to_what_before_after_and_why(
    operator_client: Client, operator: User, ann: Character
) -> None:
    row = proposal(ann)
    decisions.reject(ProposalVersion(row.pk, 1), by=operator, reason="elicited", note="He asked her to.")
    text = text_of(operator_client)
    assert f"operator rejected FAVORITE_CORAL staghorn proposal {row.pk}" in text
    assert f"{REASONS['elicited']}: He asked her to." in text
    assert "Before and after state open rejected" in text
    assert f"kgadmin published Ann Holm character {ann.pk}" in text
    assert "revision nothing 1" in text
    assert f'href="/review/{row.pk}/"' in operator_client.get(PAGE).content.decode()
    assert text.index("rejected") < text.index("published")


def test_what_is_gone_keeps_the_name_that_the_log_has_unless_it_was_emptied(operator_client: Client) -> None:
    record(
        act("archived", "learned:99", after={"state": "archived", "predicate": "LOVES", "object": "fog"}), actor=None
    )
    record(act("forgot", "person:4", before={}, after={}), actor=None)
    record(act(note="Mark told her."), actor=None, people=[5])
    redact(5)
    text = text_of(operator_client)
    assert "Emptied, because its content was forgotten." in text
    assert "Mark" not in text
    assert "kgadmin archived LOVES fog learned fact 99" in text
    assert "kgadmin forgot person 4" in text


def test_what_was_changed_has_its_name_its_page_and_both_values(
    operator_client: Client, operator: User, ann: Character
) -> None:
    mark = people.person()
    luna = people.entity(mark, "Luna")
    fact = facts.correct(fact=people.fact(ann, "HAS_PET", luna), text="Sol", by=operator)
    base = knowledge.register(name="Reef", by=operator)
    document = knowledge.add_document(base=base, name="reef.md", content=b"# Reef", by=operator)
    knowledge.change(base, enabled=False, by=operator)
    bea = User.objects.create_user("bea")
    accounts.switch(bea, on=False, by=operator)
    page, text = operator_client.get(PAGE).content.decode(), text_of(operator_client)
    for sentence, place in {
        f"operator corrected HAS_PET Sol fact {fact.pk}": f"/people/{mark.pk}/facts/{fact.pk}/",
        f"operator added reef.md document {document.pk}": f"/knowledge/reef/documents/{document.pk}/",
        f"operator changed Reef knowledge base {base.pk}": "/knowledge/reef/",
    }.items():
        assert sentence in text
        assert f'href="{place}"' in page
    assert f"operator disabled bea account {bea.pk}" in text
    assert "object Luna Sol" in text
    assert "enabled true false" in text


def test_who_is_forgotten_has_no_name_and_no_page(operator_client: Client, operator: User, ann: Character) -> None:
    mark = people.person()
    place, subject = f"/people/{mark.pk}/", mark.graph_id
    conversations.set_trust(person=knows(mark, ann), character=ann, trust=0.9, by=operator)
    assert f'href="{place}"' in operator_client.get(PAGE).content.decode()
    erasure.forget_person(mark, by=operator)
    assert f"operator forgot {subject.replace(':', ' ')}" in text_of(operator_client)
    page = operator_client.get(PAGE).content.decode()
    assert place not in page
    assert "Mark" not in text_of(operator_client)


def knows(person: Person, character: Character) -> Person:
    Acquaintance.objects.create(person=person, character=character)
    return person


def test_the_acts_of_one_press_stand_together_and_open(operator_client: Client, operator: User) -> None:
    batch = new_batch()
    for number in range(30):
        record(act("approved" if number % 3 else "rejected", f"proposal:{number}"), actor=operator, batch=batch)
    record(act("pinned", "learned:1"), actor=operator)
    text = text_of(operator_client)
    assert "Newest first 2 " in text
    assert "operator approved 20, rejected 10 together" in text
    assert "proposal 29" in text
    assert "proposal 9 " not in text
    assert "All 30" in text
    alone = text_of(operator_client, f"?batch={batch}")
    assert "Batch 30" in alone
    assert "proposal 0 " in alone


@pytest.mark.engine
def test_a_filter_narrows_also_what_stands_together(operator_client: Client, operator: User, ann: Character) -> None:
    batch, other = new_batch(), User.objects.create_user("other")
    record(act(subject="proposal:1", character=ann.graph_id), actor=operator, batch=batch)
    record(act("rejected", "proposal:2", reason="elicited"), actor=operator, batch=batch)
    record(act(subject="proposal:3"), actor=other)
    for query, numbers in {
        "?who=other": [3],
        "?who=operator": [2, 1],
        "?verb=rejected": [2],
        "?character=ann&who=operator": [1],
        f"?batch={batch}": [2, 1],
    }.items():
        shown = [int(number) for number in re.findall(r"proposal (\d+) ", text_of(operator_client, query))]
        assert shown == numbers, query


@pytest.mark.engine
def test_days_are_whole_days_of_the_reader(operator_client: Client) -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    for number in range(3):
        at = noon + timedelta(days=number)
        Detail.objects.create(entry=Entry.objects.create(verb="pinned", subject=f"learned:{number}", at=at))
    for query, numbers in {
        "?first_day=2026-03-02": ["2", "1"],
        "?last_day=2026-03-02": ["1", "0"],
    }.items():
        assert re.findall(r"learned fact (\d)", text_of(operator_client, query)) == numbers, query


def test_a_filter_that_cannot_be_used_says_so(operator_client: Client) -> None:
    for query, sentence in (("?first_day=soon", "From is a day"), ("?subject=%00", "Object: it contains a null byte")):
        answer = operator_client.get(f"{PAGE}{query}")
        assert (answer.status_code, sentence in answer.content.decode()) == (422, True), query


def test_many_entries_take_a_bounded_number_of_queries(
    operator_client: Client, operator: User, ann: Character, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    rows = [proposal(ann, "LOVES", f"kind {number}") for number in range(20)]
    for number in range(120):
        batch = f"batch{number // 10}" if number % 2 else ""
        record(act(subject=rows[number % 20].subject, character=ann.graph_id), actor=operator, batch=batch)
    operator_client.get(PAGE)
    with django_assert_max_num_queries(16):
        assert "1 to 50 of 73" in text_of(operator_client)
    with django_assert_max_num_queries(16):
        text_of(operator_client, "?page=2&verb=approved")


def test_programs_get_entries_filtered(operator_client: Client, operator: User, ann: Character) -> None:
    record(Act("rejected", "proposal:7", reason="led", note="He asked."), actor=operator, batch="b")
    listed = get(operator_client, "/audit")
    assert [(row["verb"], row["who"]) for row in listed["items"]] == [
        ("rejected", "operator"),
        ("published", "kgadmin"),
    ]
    assert listed["items"][0]["reason"] == "Elicited by the person"
    assert [row["verb"] for row in get(operator_client, "/audit?batch=b&subject=proposal:7")["items"]] == ["rejected"]
