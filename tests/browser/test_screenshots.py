"""Screenshots of the playground for README.md, made on request: `SCREENSHOTS=docs/screenshots make test ARGS=...`."""

import os
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page

from tests.browser.pages import ask, say, sign_in

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(240),
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(not os.environ.get("SCREENSHOTS"), reason="SCREENSHOTS names no folder"),
]

MOST_BYTES = 300_000


@pytest.mark.parametrize(
    ("name", "width", "height", "scheme"),
    [("light", 1440, 1000, "light"), ("dark", 1440, 1000, "dark"), ("phone", 390, 844, "light")],
)
def test_the_playground_is_photographed(
    page: Page, name: str, width: int, height: int, scheme: Literal["light", "dark"]
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    sign_in(page, "tester")
    ask(page, "What happened at Rogue's End?")  # the first turn warms up what the next ones are timed with
    ask(page, "How has your family influenced your decision to be a marine biologist?")
    say(page, "What happened at Rogue's End after the Tower Faction arrived?")
    page.locator("#stage-probe").evaluate("stage => { stage.open = true; document.activeElement.blur() }")
    page.mouse.move(0, 0)
    file = Path(os.environ["SCREENSHOTS"]) / f"playground-{name}.png"
    file.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=file)
    assert file.stat().st_size < MOST_BYTES
