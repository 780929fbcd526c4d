"""A part that died: turns go on, it comes back, and the health page shows its outage."""

import os
import re
import signal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import ask, sign_in
from tests.program import Run

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240), pytest.mark.xdist_group("browser")]


def test_a_killed_part_comes_back_while_turns_go_on_and_its_outage_is_shown(page: Page, program: Run) -> None:
    before = program.written.parts["vectors"].restarts
    sign_in(page, "demo")
    page.goto("/health/")
    os.kill(program.pid("vectors"), signal.SIGKILL)
    turn = ask(page, "Where are you from?")
    expect(turn.locator(".reply")).to_contain_text("La Jolla")
    page.goto("/health/")
    outages = page.get_by_role("region", name="Outages")
    expect(outages.get_by_role("row", name=re.compile("Vectors"))).to_contain_text("killed by SIGKILL")
    assert program.has_restarted("vectors", before)
    expect(page.locator("#engine-vectors .state")).to_have_text("Up")  # the page looks again by itself
    processes = page.get_by_role("region", name="Processes")
    row = processes.get_by_role("row", name=re.compile("Vectors"))
    expect(row.locator("[data-label=Restarts]")).to_have_text(str(before + 1))
    expect(outages.get_by_text("still down")).to_have_count(0)
