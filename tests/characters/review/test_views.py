"""The queue and a proposal's page: what they show, to whom, and by how many queries."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from characters.profiles.models import Character
from characters.review import decisions, listing
from characters.review.decisions import Seen
from characters.review.models import Claim, Proposal
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from tests.characters.review.conftest import Proposed, judged

pytestmark = pytest.mark.django_db
ClaimOf = Callable[..., Claim]
MOST_QUERIES = 12
MOST_OF_A_PROPOSAL = 25


def page(client: Client, path: str, **headers: str) -> str:
    response = client.get(path, headers=headers)
    assert response.status_code == 200, response.content[:500]
    return " ".join(response.content.decode().split())


def rows(client: Client, query: str = "") -> list[str]:
    response = client.get(f"/review/{query}")
    return [row.proposal.object for row in response.context["listing"].rows]


def test_the_queue_shows_what_waits_the_most_pressing_first(operator_client: Client, proposed: Proposed) -> None:
    proposed("urchins", priority=0.2)
    judged(proposed("staghorn", priority=0.9), "contradiction", "warn")
    text = page(operator_client, "/review/")
    assert rows(operator_client) == ["staghorn", "urchins"]
    assert "I love staghorn." in text
    assert "taint: clean, duplicate: new, contradiction: possible, validation: valid, confidence: enough" in text


@pytest.mark.engine
def test_the_tabs_count_what_fits_the_filter(operator_client: Client, proposed: Proposed) -> None:
    proposed("urchins")
    proposed("staghorn", state="deferred")
    proposed("kelp", state="rejected")
    tabs = operator_client.get("/review/?q=horn").context["listing"].tabs
    assert [(tab.name, tab.count) for tab in tabs] == [
        ("Waiting", 0),
        ("Deferred", 1),
        ("Approved", 0),
        ("Rejected", 0),
    ]


@pytest.mark.engine
def test_the_address_filters(operator_client: Client, proposed: Proposed, claim_of: ClaimOf) -> None:
    proposed("urchins")
    proposed("staghorn")
    kelp = proposed("kelp", predicate="LIKES")
    claim = claim_of(kelp)
    judged(kelp, "taint", "bad")
    everything = {"staghorn", "urchins", "kelp"}
    for query, found in {
        "?q=urch": {"urchins"},
        "?predicate=LOVES": {"staghorn", "urchins"},
        "?character=ann": everything,
        "?character=nobody": set(),
        "?verdict=taint:bad": {"kelp"},
        "?verdict=nonsense": set(),
        "?age=week": everything,
        "?age=eternity&person=x&tab=nonsense&page=-3": everything,
        f"?person={claim.person_id}": {"kelp"},
        "?q=%00urchins": {"urchins"},
        "?tab=rejected": set(),
    }.items():
        assert set(rows(operator_client, query)) == found, query


def test_what_the_filter_asks_for_and_isnt_there_is_named(operator_client: Client, proposed: Proposed) -> None:
    proposed("kelp")
    for query, missing in {
        "?predicate=x": ": there is no predicate “x” to choose",
        "?character=x": ": there is no character “x” to choose",
        "?verdict=taint:x": ": there is no verdict “taint:x” to choose",
        "?person=999": ": there is no person “999” to choose",
        "?q=x": "",
    }.items():
        assert f"Nothing fits this filter{missing}." in page(operator_client, f"/review/{query}"), query


def test_until_when_something_waits_is_told_in_queue_proposal_and_decisions(
    operator_client: Client, operator: User, proposed: Proposed
) -> None:
    row = proposed("kelp")
    decisions.defer(Seen(row.pk, row.version), by=operator, until=None)
    until = "until it was said to somebody else"
    assert until in page(operator_client, "/review/?tab=deferred")
    assert f"deferred {until}" in page(operator_client, f"/review/{row.pk}/")
    assert until in page(operator_client, "/review/decisions/")
    row.refresh_from_db()
    decisions.defer(Seen(row.pk, row.version), by=operator, until=datetime(2100, 5, 3, 10, tzinfo=UTC))
    text = page(operator_client, f"/review/{row.pk}/")
    assert "deferred until 3 May 2100, 10:00" in text
    assert until in text  # among what was decided before
    assert "until 3 May 2100, 10:00" in page(operator_client, "/review/decisions/")
    assert Entry.objects.first().detail.after["until"].startswith("2100-05-03")  # type: ignore[union-attr]


def test_what_was_deferred_and_waits_again_is_as_old_as_what_was_said(
    operator_client: Client, proposed: Proposed
) -> None:
    now = timezone.now()
    made = {"state": "deferred", "deferred_until": now - timedelta(hours=1), "decided_at": now - timedelta(days=1)}
    proposed("kelp", created_at=now - timedelta(days=5), **made)
    row = operator_client.get("/review/").context["listing"].rows[0]
    assert (row.age, row.waits) == ("5 days", "")


def test_many_rows_take_as_many_queries_as_two_and_a_page_shows_some_of_them(
    operator_client: Client, proposed: Proposed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "ROWS_A_PAGE", 20)
    counts = []
    for amount in (2, 19):
        for number in range(amount):
            proposed(f"thing {amount} {number}", priority=1 - number / 100)
        with CaptureQueriesContext(connection) as asked:
            page(operator_client, "/review/")
        counts.append(len(asked))
    assert counts[0] == counts[1] <= MOST_QUERIES, [each["sql"][:90] for each in asked.captured_queries]
    assert "1 to 20 of 21" in page(operator_client, "/review/")
    assert rows(operator_client, "?page=2") == ["thing 19 18"]


def test_an_empty_queue_says_what_would_bring_proposals(operator_client: Client, ann_who_learns: Character) -> None:
    text = page(operator_client, "/review/")
    assert "learning: propose" in text
    assert 'href="/characters/"' in text


def test_a_proposal_shows_the_sentence_in_its_conversation(
    operator_client: Client, admin: User, client: Client, proposed: Proposed, claim_of: ClaimOf
) -> None:
    proposal = proposed("staghorn")
    claim = claim_of(proposal)
    claim_of(proposal, person="Bea")
    text = page(operator_client, f"/review/{proposal.pk}/")
    assert ">I love staghorn</mark>, and then I smell of kelp." in text
    assert "What do you do on your days off?" in text
    assert "Sounds cold." in text
    assert "Said twice, to 2 people, in 2 conversations." in text
    assert f"/people/{claim.person_id}/conversations/{claim.conversation_id}/?message={claim.message_id}" in text
    assert "/playground/turns/" not in text
    client.force_login(admin)  # who may see traces
    assert f"/playground/turns/{claim.turn_id}/" in page(client, f"/review/{proposal.pk}/")


def test_the_message_that_led_her_is_marked(operator_client: Client, proposed: Proposed, claim_of: ClaimOf) -> None:
    proposal = proposed()
    claim = claim_of(proposal)
    asked = claim.message.parent
    assert asked
    reasons = [
        {"kind": "leading", "message": asked.graph_id, "said": "put into her mouth: “days off”"},
        {"kind": "history", "message": f"turn:{claim.turn_id}/history:0", "said": "a reply that she never gave"},
        {"kind": "document", "message": "document:0", "said": "out of a document"},
    ]
    judged(proposal, "taint", "bad", {"reasons": reasons})
    evidence = operator_client.get(f"/review/{proposal.pk}/").context["evidence"]
    led = {spoken.message.pk: [each.name for each in spoken.led] for spoken in evidence.excerpts[0].spoken}
    assert led[asked.pk] == ["Leading question"]
    assert [each.kind for each in evidence.led] == ["history", "document"]


def test_facts_and_proposals_beside_it_are_shown(operator_client: Client, operator: User, proposed: Proposed) -> None:
    rival = proposed("no coral at all", predicate="DISLIKES")
    decided = proposed("corals", state="rejected")
    proposal = proposed()
    conflicts = [
        {"kind": "core", "id": "f2", "predicate": "DISLIKES", "object": "jazz", "said": "I dislike jazz.", "why": "no"},
        {"kind": "proposal", "id": rival.subject, "predicate": "", "object": "", "said": "Otherwise.", "why": "not"},
        {"kind": "proposal", "id": decided.subject, "predicate": "", "object": "", "said": "Gone.", "why": "not"},
    ]
    judged(proposal, "contradiction", "bad", {"conflicts": conflicts})
    evidence = operator_client.get(f"/review/{proposal.pk}/").context["evidence"]
    assert [(each.kind, each.said) for each in evidence.beside] == [("core", "I dislike jazz.")]
    assert [each.row.proposal for each in evidence.rivals] == [rival]
    assert f'value="{rival.pk}:{rival.version}"' in page(operator_client, f"/review/{proposal.pk}/")
    decisions.approve(Seen(rival.pk, rival.version), by=operator)
    evidence = operator_client.get(f"/review/{proposal.pk}/").context["evidence"]
    assert evidence.rivals == ()
    assert ("learned", "I dislike no coral at all.") in [(each.kind, each.said) for each in evidence.beside]


def test_a_proposal_takes_few_queries_however_often_it_was_said(
    operator_client: Client, proposed: Proposed, claim_of: ClaimOf
) -> None:
    proposal = proposed()
    counts = []
    for person in ("Mark", "Bea", "Cy"):
        claim_of(proposal, person=person)
        with CaptureQueriesContext(connection) as asked:
            page(operator_client, f"/review/{proposal.pk}/")
        counts.append(len(asked))
    assert len(set(counts)) == 1
    assert counts[0] <= MOST_OF_A_PROPOSAL


@pytest.mark.engine
def test_its_neighbours_are_those_of_the_filter(operator_client: Client, proposed: Proposed) -> None:
    first, second, third = (proposed(name, priority=at) for name, at in (("a", 0.9), ("b", 0.5), ("c", 0.5)))
    around = operator_client.get(f"/review/{second.pk}/").context["evidence"].around
    assert (around.previous, around.next) == (first.pk, third.pk)
    around = operator_client.get(f"/review/{third.pk}/?q=c").context["evidence"].around
    assert (around.previous, around.next) == (None, None)


@pytest.mark.engine
def test_the_next_one_stands_beside_its_own_page_of_the_queue(
    operator_client: Client, proposed: Proposed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "ROWS_A_PAGE", 2)
    first, second, third = (proposed(name, priority=1 - place / 10) for place, name in enumerate("abc"))
    text = page(operator_client, f"/review/{second.pk}/?predicate=LOVES")
    assert f'hx-get="/review/{third.pk}/?predicate=LOVES&amp;page=2"' in text
    assert f'hx-get="/review/{first.pk}/?predicate=LOVES"' in text
    around = operator_client.get(f"/review/{third.pk}/?page=2").context["evidence"].around
    assert (around.previous, around.previous_query, around.begins_page) == (second.pk, "", True)


def test_htmx_gets_the_part_that_it_asks_for(operator_client: Client, proposed: Proposed) -> None:
    proposal = proposed()
    pane = page(operator_client, f"/review/{proposal.pk}/", hx_request="true", hx_target="proposal")
    assert 'id="proposal"' in pane
    assert 'id="queue"' not in pane
    both = page(operator_client, f"/review/{proposal.pk}/", hx_request="true", hx_target="review")
    assert 'id="queue"' in both
    assert 'id="count-review" hx-swap-oob="true"' in both
    assert "<html" not in both
    whole = page(operator_client, f"/review/{proposal.pk}/", hx_request="true", hx_history_restore_request="true")
    assert "<html" in whole
    assert "HX-Request" in operator_client.get("/review/").headers["Vary"]


def test_every_page_says_how_many_wait(operator_client: Client, tester_client: Client, proposed: Proposed) -> None:
    proposed("a")
    proposed("b")
    proposed("c", state="rejected")
    assert 'id="count-review"' in page(operator_client, "/dashboard/")
    assert ">2<span" in page(operator_client, "/people/").replace(" ", "")
    assert "count-review" not in page(tester_client, "/people/")


def test_who_reads_it_is_shown_to_others_until_they_leave(
    operator_client: Client, other_operator: User, proposed: Proposed
) -> None:
    proposal = proposed()
    other = Client()
    other.force_login(other_operator)
    said = page_after(other, f"/review/{proposal.pk}/reserve/")
    assert "Reserved for you, 2 min left" in said
    assert "operator 2, 2 min left" in page(operator_client, "/review/")
    assert "for operator 2, 2 min left" in page(operator_client, f"/review/{proposal.pk}/")
    assert "for operator 2" in page_after(operator_client, f"/review/{proposal.pk}/reserve/")
    operator_client.post(f"/review/{proposal.pk}/release/")
    assert Proposal.objects.get(pk=proposal.pk).reserved_by == other_operator
    assert other.post(f"/review/{proposal.pk}/release/").status_code == 204
    assert Proposal.objects.get(pk=proposal.pk).reserved_by is None


def page_after(client: Client, path: str) -> str:
    """Of the fragment that a heartbeat answers with."""
    response = client.post(path, headers={"hx-request": "true"})
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_without_script_one_reserves_by_a_button(operator_client: Client, operator: User, proposed: Proposed) -> None:
    proposal = proposed()
    response = operator_client.post(f"/review/{proposal.pk}/reserve/?q=stag")
    assert response.headers["Location"] == f"/review/{proposal.pk}/?q=stag"
    assert Proposal.objects.get().reserved_by == operator
