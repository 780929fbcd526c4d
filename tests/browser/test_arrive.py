"""Arriving: where each role lands, what there is to click."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import sign_in, wait_for_reply

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240), pytest.mark.xdist_group("browser")]

FIRST_PAGES = {"demo": "Playground", "tester": "Playground", "operator": "Dashboard", "author": "Characters"}
OPERATORS = ["Dashboard", "Review", "People", "Knowledge", "Enrichment", "Import", "Audit log", "Health"]
MENUS = {
    "demo": ["Characters", *OPERATORS, "Playground"],
    "author": ["Characters"],
    "operator": OPERATORS,
    "tester": ["Playground", "People"],
}


@pytest.mark.parametrize("account", FIRST_PAGES)
def test_each_account_lands_on_its_first_page_and_sees_only_its_own(page: Page, account: str) -> None:
    sign_in(page, account)
    expect(page.get_by_role("heading", level=1)).to_have_text(FIRST_PAGES[account])
    menu = page.get_by_role("navigation", name="Main").get_by_role("listitem")
    without_counts = [re.sub(r"\d+.*", "", entry, flags=re.DOTALL).strip() for entry in menu.all_inner_texts()]
    assert without_counts == MENUS[account]


def test_elena_has_four_questions_and_a_click_on_one_asks_it(page: Page) -> None:
    sign_in(page, "demo")
    elena = page.get_by_role("region", name="Elena Rodriguez")
    expect(elena.locator(".question")).to_have_count(4)
    elena.get_by_role("button", name=re.compile("^How has your family")).click()
    wait_for_reply(page)
    expect(page).to_have_url(re.compile(r"/playground/turns/\d+/"))
    expect(page.locator(".turn")).to_contain_text("fisherman")
