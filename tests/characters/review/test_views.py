"""The queue and a proposal's page: what they show, to whom, and by how many queries."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from characters.review import decisions, queue_page
from characters.review.decisions import ProposalVersion
from characters.review.models import Claim
from kgadmin.accounts.models import User
from tests.characters.review.conftest import Proposed, judged
from tests.pages import HTMX, text_of

pytestmark = pytest.mark.django_db
ClaimOf = Callable[..., Claim]
MOST_QUERIES = 12


def rows(client: Client, query: str = "") -> list[str]:
    response = client.get(f"/review/{query}")
    return [row.proposal.object for row in response.context["listing"].rows]


def test_the_queue_shows_what_waits_the_most_pressing_first(operator_client: Client, proposed: Proposed) -> None:
    proposed("urchins", priority=0.2)
    judged(proposed("staghorn", priority=0.9), "contradiction", "warn")
    text = text_of(operator_client, "/review/")
    assert rows(operator_client) == ["staghorn", "urchins"]
    assert "I love staghorn." in text
    assert "Elicited? no, Duplicate: new, Contradiction: possible, Validation: valid, Confidence: enough" in text


@pytest.mark.engine
def test_the_address_filters_and_the_tabs_count(operator_client: Client, proposed: Proposed, claim_of: ClaimOf) -> None:
    proposed("urchins")
    proposed("staghorn")
    kelp = proposed("kelp", predicate="LIKES")
    claim = claim_of(kelp)
    judged(kelp, "taint", "bad")
    everything = {"staghorn", "urchins", "kelp"}
    for query, objects in {
        "?q=urch": {"urchins"},
        "?predicate=LOVES": {"staghorn", "urchins"},
        "?character=ann": everything,
        "?character=nobody": set(),
        "?verdict=taint:bad": {"kelp"},
        "?verdict=nonsense": everything,
        "?age=week": everything,
        "?age=eternity&person=x&shown=nonsense&page=-3": everything,
        f"?person={claim.person_id}": {"kelp"},
        "?q=%00urchins": {"urchins"},
        "?shown=rejected": set(),
    }.items():
        assert set(rows(operator_client, query)) == objects, query
    proposed("horn", state="deferred")
    tabs = operator_client.get("/review/?q=horn").context["listing"].tabs
    assert [(tab.name, tab.count) for tab in tabs] == [
        *(("Waiting", 1), ("Deferred", 1), ("Approved", 0), ("Rejected", 0)),
    ]
    assert rows(operator_client, "?shown=deferred") == ["horn"]


def test_many_rows_take_as_many_queries_as_two_and_a_page_shows_some_of_them(
    operator_client: Client, proposed: Proposed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_page, "ROWS_A_PAGE", 20)
    counts = []
    for amount in (2, 19):
        for number in range(amount):
            proposed(f"thing {amount} {number}", priority=1 - number / 100)
        with CaptureQueriesContext(connection) as asked:
            text_of(operator_client, "/review/")
        counts.append(len(asked))
    assert counts[0] == counts[1] <= MOST_QUERIES, [each["sql"][:90] for each in asked.captured_queries]
    assert "1 to 20 of 21" in text_of(operator_client, "/review/")
    assert rows(operator_client, "?page=2") == ["thing 19 18"]


def test_a_proposal_shows_the_sentence_in_its_conversation(
    operator_client: Client, admin: User, client: Client, proposed: Proposed, claim_of: ClaimOf
) -> None:
    proposal = proposed("staghorn")
    claim = claim_of(proposal)
    claim_of(proposal, person="Bea")
    text = text_of(operator_client, f"/review/{proposal.pk}/")
    assert ">I love staghorn</mark>, and then I smell of kelp." in text
    assert "What do you do on your days off?" in text
    assert "Sounds cold." in text
    assert "Said 2 times, to 2 people, in 2 conversations." in text
    assert f"/people/{claim.person_id}/conversations/{claim.conversation_id}/?message={claim.message_id}" in text
    assert "/playground/turns/" not in text
    client.force_login(admin)  # who may see traces
    assert f"/playground/turns/{claim.turn_id}/" in text_of(client, f"/review/{proposal.pk}/")


def test_the_message_that_led_her_is_marked(operator_client: Client, proposed: Proposed, claim_of: ClaimOf) -> None:
    proposal = proposed()
    claim = claim_of(proposal)
    asked = claim.message.parent
    assert asked
    reasons = [
        {"kind": "leading", "message": asked.graph_id, "sentence": "put into her mouth: “days off”"},
        {"kind": "history", "message": f"turn:{claim.turn_id}/history:0", "sentence": "a reply that she never gave"},
        {"kind": "document", "message": "document:0", "sentence": "out of a document"},
    ]
    judged(proposal, "taint", "bad", {"reasons": reasons})
    evidence = operator_client.get(f"/review/{proposal.pk}/").context["evidence"]
    marked = {
        shown.quote.message.pk: [each.name for each in shown.elicitations] for shown in evidence.excerpts[0].messages
    }
    assert marked[asked.pk] == ["Leading question"]
    assert [each.kind for each in evidence.elicitations] == ["history", "document"]


def test_every_page_says_how_many_wait(operator_client: Client, tester_client: Client, proposed: Proposed) -> None:
    proposed("a")
    proposed("b")
    proposed("c", state="rejected")
    assert 'id="count-review"' in text_of(operator_client, "/dashboard/")
    assert ">2<span" in text_of(operator_client, "/people/").replace(" ", "")
    assert "count-review" not in text_of(tester_client, "/people/")


def test_who_approved_what_was_learned_stands_beside_it_and_operators_are_led_to_the_proposal(
    operator_client: Client, author_client: Client, operator: User, proposed: Proposed
) -> None:
    proposal, path = proposed(), "/review/origins/ann/"
    decision = decisions.approve(ProposalVersion(proposal.pk, 1), by=operator)
    learned = decision.proposal.learned_id
    assert f'href="/review/{proposal.pk}/"' in text_of(operator_client, path)
    page = text_of(author_client, path)
    assert ("approved by operator on" in page, f"/review/{proposal.pk}" in page) == (True, False)
    part = text_of(author_client, path, HTMX)
    assert part.startswith(f'<span id="origin-{learned}" hx-swap-oob="true">approved by operator on')
    facts = text_of(author_client, "/characters/ann/learned/")
    assert f'hx-get="{path}"' in facts
    assert f'href="{path}#origin-{learned}"' in facts
    decisions.undo(decision, by=operator)
    assert "Ann Holm has learned nothing yet." in text_of(operator_client, path)
