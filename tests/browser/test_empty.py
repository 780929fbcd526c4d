"""`make run DEMO=0`: the link that makes the first administrator, and pages that say what to do first."""

import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import assert_accessible
from tests.program import Run, run

FIRST_STEPS = {
    "/playground/": "No characters to talk to yet",
    "/characters/": "There is no character yet",
    "/knowledge/": "No knowledge base yet",
}


@pytest.fixture
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    with run(tmp_path_factory.mktemp("empty") / "data", 8700, DEMO="0", LLM_BASE_URL="") as started:
        assert started.is_there(), started.output
        yield started


def test_the_first_administrator_comes_in_by_the_link_and_is_told_what_to_do(page: Page, empty: Run) -> None:
    page.goto(empty.address)
    expect(page.get_by_role("heading", name="Sign in", exact=True)).to_be_visible()
    expect(page.locator("button[name=username]")).to_have_count(0)
    link = re.search(r"first administrator: (\S+)", empty.output)
    assert link is not None
    page.goto(link[1])
    assert_accessible(page)
    for password in page.locator("input[type=password]").all():
        password.fill("a long sentence to remember")
    page.get_by_role("button", name="Set password and sign in").click()
    expect(page.locator("#messages")).to_contain_text("Welcome, admin")
    for path, first_step in FIRST_STEPS.items():
        page.goto(f"{empty.address.rstrip('/')}{path}")
        expect(page.get_by_role("heading", name=first_step)).to_be_visible()
        assert_accessible(page)
    page.get_by_role("button", name="Log out").click()
    page.goto(link[1])
    expect(page.get_by_role("heading", level=1)).to_have_text("This link doesn’t work any more")
    assert empty.ends(signal.SIGKILL) == []  # no process outlives it
