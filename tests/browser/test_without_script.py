"""The playground with JavaScript off: the reply arrives whole."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import sign_in

pytestmark = pytest.mark.browser_context_args(java_script_enabled=False)


def test_a_question_is_answered_whole_with_its_trace(page: Page) -> None:
    sign_in(page, "tester")
    elena = page.get_by_role("region", name="Elena Rodriguez")
    elena.get_by_role("button", name=re.compile("^How has your family")).click()
    expect(page.locator(".turn .reply")).to_contain_text("My father is a commercial fisherman")
    page.get_by_label(re.compile("^Message to")).fill("Where are you from?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator(".turn").last.locator(".reply")).to_contain_text("La Jolla")
    background = page.locator("#stage-background")
    if background.get_attribute("open") is None:  # a slow one is open already
        background.locator("> summary").click()
    background.get_by_role("link", name="Link to this stage").click()
    expect(page).to_have_url(re.compile("/background/"))
    expect(background).to_have_attribute("open", "")
    expect(background).to_contain_text("GREW_UP_IN")
