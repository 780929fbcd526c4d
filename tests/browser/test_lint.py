"""A draft of many facts is checked by the worker, while its author sees how far that is."""

from playwright.sync_api import Page, expect

from tests.browser.pages import assert_good_everywhere, sign_in
from tests.program import Run

MANY_FACTS = """
from characters.profiles import services
from characters.domain.sheet import Fact, Sheet
from kgadmin.accounts.models import User
facts = [Fact(f"f{n}", "REMEMBERS", f"the lighthouse of island number {n}") for n in range(320)]
facts += [Fact("a", "HAS_AGE", "26"), Fact("b", "HAS_AGE", "27")]
sheet = Sheet("Many", "You are Many.", tuple(facts))
services.create_character(slug="many", sheet=sheet, by=User.objects.get(username="demo"))
"""


def test_the_job_is_watched_and_its_report_is_mended(page: Page, program: Run) -> None:
    program.shell(MANY_FACTS)
    sign_in(page, "demo")
    page.goto("/characters/many/edit/lint/")
    assert_good_everywhere(page)
    page.get_by_role("button", name="Check the draft").click()
    expect(page.get_by_text("The draft is being checked.")).to_be_visible()
    expect(page.get_by_role("button", name="Check again")).to_be_visible(timeout=120_000)
    expect(page.get_by_text("HAS_AGE can have only one value, but the draft has “26” and “27”.")).to_be_visible()
    assert_good_everywhere(page)
    page.get_by_role("button", name="Keep “27”").click()
    expect(page.get_by_text("Done: Keep “27”.")).to_be_visible()
    expect(page.get_by_text("HAS_AGE can have only one value, but the draft has “26” and “27”.")).not_to_be_visible()
