"""By keyboard alone: sign in, ask, read the trace, write an answer, find a way past the navigation."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import wait_for_reply

MOST_TABS = 80


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus, and it shows."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            assert target.evaluate("element => getComputedStyle(element).outlineStyle") != "none"
            return
    raise AssertionError(f"{MOST_TABS} times Tab doesn't reach {target}")


def test_a_tester_signs_in_asks_and_reads_the_trace(page: Page) -> None:
    page.goto("/")
    tab_to(page, page.locator("button[value=tester]"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Playground")
    elena = page.get_by_role("region", name="Elena Rodriguez")
    tab_to(page, elena.get_by_role("button", name=re.compile("^How has your family")))
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/turns/\d+/"))
    wait_for_reply(page)

    tab_to(page, page.get_by_label(re.compile("^Message to")))
    page.keyboard.type("Where are you from?")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".turn")).to_have_count(2)
    wait_for_reply(page)
    expect(page.get_by_label(re.compile("^Message to"))).to_be_focused()

    tab_to(page, page.locator("#bar-prompt a"))
    page.keyboard.press("Enter")
    expect(page.locator("#stage-prompt")).to_have_attribute("open", "")
    tab_to(page, page.locator("#section-identity > summary"))
    page.keyboard.press("Enter")
    expect(page.locator("#section-identity")).to_have_attribute("open", "")


def test_the_first_tab_leads_past_the_navigation(page: Page) -> None:
    page.goto("/")
    page.locator("button[value=demo]").press("Enter")
    expect(page.locator(".account")).to_contain_text("demo")
    page.goto("/characters/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    inside = "() => document.querySelector('main').contains(document.activeElement)"
    assert page.evaluate(inside)
