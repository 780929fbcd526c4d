"""Screenshots for README.md, made on request: `SCREENSHOTS=docs/screenshots make test ARGS=...`."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import ask, say, sign_in

pytestmark = pytest.mark.skipif(not os.environ.get("SCREENSHOTS"), reason="SCREENSHOTS names no folder")

MOST_BYTES = 300_000
SIZES = {"light": (1440, 1000, "light"), "dark": (1440, 1000, "dark"), "phone": (390, 844, "light")}


@pytest.fixture(params=SIZES)
def photograph(page: Page, request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Saves what the page shows, in this size, under a name."""
    width, height, scheme = SIZES[request.param]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]

    def save(name: str) -> None:
        page.mouse.move(0, 0)
        file = Path(os.environ["SCREENSHOTS"]) / f"{name}-{request.param}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=file)
        assert file.stat().st_size < MOST_BYTES

    return save


def test_the_playground_is_photographed(page: Page, photograph: Callable[[str], None]) -> None:
    sign_in(page, "tester")
    ask(page, "What happened at Rogue's End?")  # the first turn warms up what the next ones are timed with
    ask(page, "How has your family influenced your decision to be a marine biologist?")
    say(page, "What happened at Rogue's End after the Tower Faction arrived?")
    page.locator("#stage-probe").evaluate("stage => { stage.open = true; document.activeElement.blur() }")
    photograph("playground")


def test_the_editor_is_photographed(page: Page, photograph: Callable[[str], None]) -> None:
    sign_in(page, "demo")
    page.goto("/characters/elena/edit/facts/")
    page.wait_for_load_state("networkidle")
    if (take_over := page.get_by_role("button", name="Take over")).is_visible():  # from the picture before
        take_over.click()
    page.get_by_role("textbox", name="Object of DRIVES").fill(f"an old bicycle, seen at {datetime.now():%H:%M:%S}")
    expect(page.locator("#saved")).to_have_text("Saved")
    page.get_by_label("Question to").fill("How is your family?")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.locator("#tryit .found").first).to_be_visible()
    page.locator("#draft").evaluate("draft => { draft.open = true; document.activeElement.blur(); scrollTo(0, 0) }")
    photograph("editor")


def test_the_review_is_photographed(page: Page, photograph: Callable[[str], None]) -> None:
    sign_in(page, "operator")
    page.goto("/review/?q=jazz")
    page.goto(str(page.locator("[data-row] a").first.get_attribute("href")))
    expect(page.locator("#consequences h3")).to_be_visible()
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    photograph("review")
