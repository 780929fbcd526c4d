"""What the stories have in common: signing in, asking, opening a stage, judging a page."""

import re
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}

# Whatever reaches over the right edge and can't be scrolled into view on its own.
CUT_OFF = """() => {
    const scrolls = (e) => e && (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
    return [...document.querySelectorAll("main *, nav *")]
        .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !scrolls(e) && !e.closest(".sr"))
        .map((e) => e.outerHTML.slice(0, 120));
}"""


_SESSIONS: dict[str, Any] = {}
"""By demo account the cookie of its last session."""


def sign_in(page: Page, account: str) -> None:
    """As a demo account, by its button where its last session has ended; `/` leads on to the role's first page."""
    page.context.clear_cookies(name="sessionid")
    if account in _SESSIONS:
        page.context.add_cookies([_SESSIONS[account]])
    page.goto("/")
    button = page.locator(f"button[name=username][value={account}]")
    if button.count():
        button.click()
    expect(page.locator(".account")).to_contain_text(account)
    _SESSIONS[account] = next(each for each in page.context.cookies() if each["name"] == "sessionid")


def stay_signed_in(page: Page, account: str) -> None:
    """As `sign_in` does, without a page where this account is signed in already."""
    there = {each["value"] for each in page.context.cookies() if each["name"] == "sessionid"}
    if account not in _SESSIONS or _SESSIONS[account]["value"] not in there:
        sign_in(page, account)


def sign_in_with_password(page: Page, account: str, password: str) -> None:
    page.goto("/login/")
    page.get_by_label("Username").fill(account)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def ask(page: Page, message: str, character: str = "elena") -> Locator:
    """Begin a conversation, and wait until the reply is whole; the turn."""
    page.goto(f"/playground/with/{character}/")
    return say(page, message)


def say(page: Page, message: str) -> Locator:
    """Say something in the conversation that is open, and wait until the reply is whole; the turn."""
    before = page.locator(".turn").count()
    page.get_by_label(re.compile("^Message to")).fill(message)
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".turn")).to_have_count(before + 1)
    wait_for_reply(page)
    return page.locator(".turn").last


def wait_for_reply(page: Page) -> None:
    """Wait until the newest turn has ended and its trace says how."""
    expect(page.locator(".turn").last).to_have_attribute("aria-current", "true")
    expect(page.locator(".turn [aria-busy]")).to_have_count(0)
    expect(page.locator("#bar-reply .time")).to_have_text(re.compile("ms|failed"))


def stage(page: Page, name: str) -> Locator:
    """A stage of the trace, opened by its name in the waterfall."""
    page.locator(f"#bar-{name} a").click()
    details = page.locator(f"#stage-{name}")
    expect(details).to_have_attribute("open", "")
    return details


def assert_accessible(page: Page) -> None:
    results = Axe().run(page, options={"resultTypes": ["violations"]})  # without what passes
    assert results.violations_count == 0, f"{page.url}\n{results.generate_report()}"


def assert_fits(page: Page) -> None:
    """The page needs no scrolling sideways, and nothing is cut off."""
    assert page.evaluate(CUT_OFF) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, page.url


def assert_good_everywhere(page: Page) -> None:
    """On a phone in dark, on a desk in light: what can't be seen in one of the two is seen in the other."""
    before, backgrounds = page.viewport_size, set()
    for size, is_dark in ((PHONE, True), (DESKTOP, False)):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        page.emulate_media(color_scheme="dark" if is_dark else "light")
        assert_fits(page)
        assert_accessible(page)
        backgrounds.add(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
    assert len(backgrounds) == 2
    if before:
        page.set_viewport_size(before)
