"""Who approved what a character learned."""

import pytest
from django.test import Client

from characters.review import decisions
from characters.review.decisions import ProposalVersion
from characters.review.models import Proposal
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets
from tests.characters.review.proposals import proposal
from tests.pages import HTMX, text_of

pytestmark = pytest.mark.django_db
PAGE = "/review/origins/ann/"


@pytest.fixture
def approved(db: None, operator: User) -> Proposal:
    row = proposal(sheets.character("ann", ("HAS_FATHER", "Built boats")))
    decisions.approve(ProposalVersion(row.pk, 1), by=operator)
    row.refresh_from_db()
    return row


def test_an_operator_is_led_to_the_proposal_and_others_read_who_approved_it(
    operator_client: Client, author_client: Client, approved: Proposal
) -> None:
    assert f'href="/review/{approved.pk}/"' in text_of(operator_client, PAGE)
    page = text_of(author_client, PAGE)
    assert "approved by operator on" in page
    assert "/review/1" not in page


def test_a_page_puts_it_beside_each_fact(author_client: Client, approved: Proposal) -> None:
    part = text_of(author_client, PAGE, HTMX)
    assert part.startswith(f'<span id="origin-{approved.learned_id}" hx-swap-oob="true">approved by operator on')
    page = author_client.get("/characters/ann/learned/").content.decode()
    assert f'hx-get="{PAGE}"' in page
    assert f'href="{PAGE}#origin-{approved.learned_id}"' in page


def test_what_was_taken_back_has_no_origin(operator_client: Client, operator: User, approved: Proposal) -> None:
    decisions.undo(approved.decisions.get(), by=operator)
    assert "Ann Holm has learned nothing yet." in text_of(operator_client, PAGE)
