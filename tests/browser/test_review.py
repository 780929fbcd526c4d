"""An operator's half hour at the queue: by keyboard, in bulk, with a colleague, without script."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.pages import assert_good_everywhere, sign_in
from tests.patience import wait_for
from tests.program import Run

pytestmark = pytest.mark.timeout(300)

CONTRADICTING = (2, 6, 10)
"""Those that are proposed with a bad verdict."""
MAKE = "from tests.browser.make_proposals import make; print('MADE', *make({count}))"
STATES = """
from characters.review.models import Proposal
print("STATES", *Proposal.objects.order_by("pk").values_list("state", flat=True))
"""
NEVER = """
from characters.review.models import Proposal
Proposal.objects.filter(pk__in=[{pks}]).update(predicate="LIVES_IN")
"""


def propose(program: Run, count: int) -> list[int]:
    """As many proposals as that, and no others; their ids in the order of the queue."""
    return [int(pk) for pk in _printed(program, MAKE.format(count=count), "MADE")]


def states(program: Run) -> list[str]:
    """What became of them, in the order of the queue."""
    return _printed(program, STATES, "STATES")


def make_unlearnable(program: Run, *pks: int) -> None:
    """Let these be of a predicate that can't be learned."""
    program.shell(NEVER.format(pks=", ".join(map(str, pks))))


def _printed(program: Run, code: str, word: str) -> list[str]:
    return program.shell(code).rpartition(word)[2].split()


@dataclass
class Queue:
    """The queue on a page; `pks` in its order."""

    page: Page
    pks: list[int]

    def shows(self, place: int) -> None:
        """Wait until this one is open, marked in the queue, and in the address."""
        pk = self.pks[place]
        expect(self.page.locator("#proposal")).to_have_attribute("data-proposal", str(pk))
        expect(self.page.locator(f"[data-row='{pk}']")).to_have_attribute("aria-current", "true")
        expect(self.page.locator("#reservation")).to_contain_text("Reserved")

    def says(self, text: str) -> None:
        expect(self.page.locator("#messages")).to_contain_text(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def says_why(self, text: str = "She says so at home, too.") -> None:
        """Type the reason that a bad verdict asks for."""
        expect(self.page.locator(".decision details[open] [name=note]")).to_be_focused()
        self.page.keyboard.type(text)
        self.press("Enter")


def open_queue(page: Page, program: Run, count: int, account: str = "operator") -> Queue:
    pks = propose(program, count)
    sign_in(page, account)
    page.goto("/review/")
    queue = Queue(page, pks)
    queue.shows(0)
    return queue


def test_twelve_proposals_by_keyboard(page: Page, program: Run) -> None:
    queue = open_queue(page, program, 12)
    expect(page.locator("#count-review")).to_contain_text("12")
    queue.press("j")
    queue.shows(1)
    queue.press("k")
    queue.shows(0)

    queue.press("a")
    queue.shows(1)
    queue.says("Approved “I love diving at Bird Rock before breakfast.”")
    expect(page).to_have_url(re.compile(rf"/review/{queue.pks[1]}/$"))
    expect(page.locator("#count-review")).to_contain_text("11")

    queue.press("r", "3", "Enter")
    queue.shows(2)
    queue.says("Rejected “I love sea glass in a jar by the window.”")

    queue.press("e")
    expect(page.get_by_label("Object", exact=True)).to_be_focused()
    page.keyboard.type("black coffee, j and a")  # what is typed presses no button
    queue.press("Tab")  # its verdict is bad
    queue.says_why()
    queue.shows(3)

    queue.press("d", "2", "Enter")
    queue.shows(4)
    queue.says("Deferred")

    for place in range(5, 12):
        queue.press("a")
        if place - 1 in CONTRADICTING:
            queue.says_why()
        queue.shows(place)
    for place in (10, 9, 8):
        queue.press("u")
        queue.shows(place)
    queue.says("is waiting again")
    expected = ["approved", "rejected", "approved", "deferred", *["approved"] * 4, *["open"] * 4]
    assert states(program) == expected
    page.get_by_role("link", name=re.compile("^Approved")).click()
    expect(page.locator("#queue")).to_contain_text("I love black coffee, j and a.")


def test_a_slip_while_a_form_is_open_decides_nothing(page: Page, program: Run) -> None:
    queue = open_queue(page, program, 2)
    queue.press("r", "a", "j", "x")
    expect(page.get_by_role("radio", name=re.compile("Contradicts"))).to_be_focused()
    queue.press("Escape")
    expect(page.get_by_role("radio", name=re.compile("Contradicts"))).to_be_hidden()
    queue.shows(0)
    queue.press("/")
    page.keyboard.type("ajar")
    assert states(program) == ["open", "open"]
    page.keyboard.press("Enter")
    expect(page.locator("#queue")).to_contain_text("Nothing matches this filter.")


def test_a_proposal_that_arrives_takes_the_focus_of_nobody_who_types(page: Page, program: Run) -> None:
    queue = open_queue(page, program, 4)
    queue.press("a", "/")  # the answer comes while the operator types
    page.keyboard.type("darn")
    queue.shows(1)
    search = page.get_by_label("Search proposals")
    expect(search).to_be_focused()
    expect(search).to_have_value("darn")
    assert states(program) == ["approved", "open", "open", "open"]


def test_who_is_signed_out_keeps_what_was_typed_and_comes_back(page: Page, program: Run) -> None:
    queue = open_queue(page, program, 2)
    queue.press("e")
    page.keyboard.type("black coffee")
    page.context.clear_cookies(name="sessionid")  # as when it has ended
    queue.press("Enter")
    queue.says("You are signed out, so nothing was done.")
    expect(page.get_by_label("Object", exact=True)).to_have_value("black coffee")
    assert_good_everywhere(page)
    page.get_by_role("button", name="Dismiss").click()  # it may lie over what is to be copied
    expect(page.locator("#messages")).to_be_empty()
    page.get_by_label("Object", exact=True).press("Enter")
    page.get_by_role("link", name="sign in again").click()
    page.locator("button[name=username][value=operator]").click()
    queue.shows(0)
    assert states(program) == ["open", "open"]


def test_the_page_fits_and_is_accessible(page: Page, program: Run) -> None:
    queue = open_queue(page, program, 12)
    assert_good_everywhere(page)
    page.goto(f"/review/{queue.pks[2]}/?verdict=contradiction:bad")
    page.locator("#verdict-contradiction summary").click()
    queue.press("x", "r")
    expect(page.get_by_role("radio", name=re.compile("Contradicts"))).to_be_focused()
    assert_good_everywhere(page)
    queue.press("Escape", "?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    assert_good_everywhere(page)


def test_what_would_be_refused_says_why_in_place_of_approving(page: Page, program: Run) -> None:
    queue = open_queue(page, program, 2)
    make_unlearnable(program, queue.pks[0])
    page.reload()
    queue.shows(0)
    button, why = page.get_by_role("button", name=re.compile("^Approve a")), page.locator("#refused")
    expect(button).to_be_disabled()
    expect(button).to_have_accessible_description(re.compile("^LIVES_IN can't be learned"))
    queue.press("a")
    expect(why).to_be_focused()
    assert_good_everywhere(page)
    queue.press("r", "3", "Enter")
    queue.shows(1)
    queue.press("a")
    queue.says("Approved")
    assert states(program) == ["rejected", "approved"]


def test_a_bad_verdict_asks_for_a_reason_and_a_slip_gives_none(page: Page, program: Run) -> None:
    queue = open_queue(page, program, 3)
    page.goto(f"/review/{queue.pks[2]}/")
    queue.press("a", "Enter")
    expect(page.get_by_label("Reason for approving anyway").first).to_be_focused()
    assert_good_everywhere(page)
    queue.press("Escape", "e", "Escape", "a")
    queue.says_why()
    queue.says("Approved")
    assert states(program) == ["open", "open", "approved"]


def test_ten_in_bulk_of_which_two_fail_and_all_are_undone(page: Page, program: Run) -> None:
    queue = open_queue(page, program, 12)
    make_unlearnable(program, *queue.pks[3:5])
    page.reload()
    queue.shows(0)
    for place in range(1, 10):
        queue.press("Shift+J")
        queue.shows(place)
    expect(page.locator(".chosen li :checked")).to_have_count(10)
    page.locator(".bulkbar").get_by_role("button", name="Approve…").click()
    expect(page.get_by_role("heading", name="Approve 10 proposals")).to_be_visible()
    summary = "6 can be done now, 2 can’t: see below. 2 have a bad verdict and are left out: see below."
    expect(page.locator("main")).to_contain_text(summary)
    expect(page.get_by_role("region", name="Left out").get_by_text("Contradiction: contradicts")).to_have_count(2)
    assert states(program) == ["open"] * 12
    assert_good_everywhere(page)

    expect(page.get_by_label("Reason for approving anyway")).to_be_hidden()
    page.get_by_label("Also approve 2 with a bad verdict").check()
    page.get_by_label("Reason for approving anyway").fill("She says so at home, too.")
    assert_good_everywhere(page)
    page.get_by_role("button", name="Approve them").click()
    refused = page.get_by_role("region", name="Not done, and why")
    expect(refused.get_by_text("LIVES_IN can't be learned")).to_have_count(2)
    assert states(program).count("approved") == 8
    assert_good_everywhere(page)
    page.get_by_role("button", name="Undo all").click()
    expect(page.get_by_role("heading", name="Undone")).to_be_visible()
    assert states(program) == ["open"] * 12


@pytest.fixture
def colleague(browser: Browser, program: Run) -> Iterator[Page]:
    context = browser.new_context(base_url=program.address)
    yield context.new_page()
    context.close()


def test_two_operators_at_once(page: Page, colleague: Page, program: Run) -> None:
    queue = open_queue(page, program, 3)
    sign_in(colleague, "demo")
    colleague.goto(f"/review/{queue.pks[0]}/")
    expect(colleague.locator("#reservation")).to_contain_text("Reserved for operator until")
    expect(colleague.locator(f"[data-row='{queue.pks[0]}']")).to_contain_text("operator")
    colleague.keyboard.press("r")
    colleague.keyboard.press("2")
    colleague.get_by_label("Note").fill("I was here, too")
    colleague.keyboard.press("Enter")
    expect(colleague.get_by_role("alert")).to_contain_text("operator is reviewing this now.")
    expect(colleague.get_by_label("Note")).to_have_value("I was here, too")
    assert states(program) == ["open"] * 3

    queue.press("a")
    queue.shows(1)
    colleague.get_by_role("button", name="Reject", exact=True).click()
    expect(colleague.get_by_role("alert")).to_contain_text("operator approved it in the meantime, so nothing was done.")
    expect(colleague.get_by_text("Your note was: “I was here, too”")).to_be_visible()
    assert states(program) == ["approved", "open", "open"]


def test_without_script_all_of_it_is_forms_and_links(browser: Browser, program: Run) -> None:
    pks = propose(program, 6)
    context = browser.new_context(base_url=program.address, java_script_enabled=False)
    page = context.new_page()
    sign_in(page, "operator")
    page.goto("/review/?q=love")
    page.get_by_role("link", name="Open the first proposal").click()
    page.get_by_role("button", name="Reserve").click()
    expect(page.locator("#reservation")).to_contain_text("Reserved for you")
    page.get_by_role("button", name=re.compile("^Approve a")).click()
    expect(page.locator(".toast")).to_contain_text("Approved")
    expect(page).to_have_url(re.compile(rf"/review/{pks[1]}/\?q=love$"))
    page.locator("summary", has_text="Reject").click()
    page.get_by_role("radio", name=re.compile("Elicited by the person")).check()
    page.get_by_role("button", name="Reject", exact=True).click()
    page.locator(".toast").get_by_role("button", name=re.compile("^Undo")).click()
    expect(page.locator(".toast")).to_contain_text("is waiting again")
    for place in (2, 3):
        page.locator(f"[data-row='{pks[place]}'] input").check()
    page.get_by_role("button", name="Defer…").first.click()
    page.get_by_role("button", name="Defer 2").click()
    deferred = ["approved", "open", "deferred", "deferred", "open", "open"]
    assert wait_for(lambda: states(program) == deferred, 20)  # a job does it
    page.goto("/review/decisions/")
    page.get_by_role("button", name="Undo batch").click()
    assert wait_for(lambda: states(program) == ["approved", *["open"] * 5], 20)
    context.close()


def test_what_was_let_go_of_is_not_taken_again_by_a_slow_beat(page: Page, colleague: Page, program: Run) -> None:
    page.clock.install()
    queue = open_queue(page, program, 1)
    slow: list[Route] = []

    def hold(route: Route) -> None:
        slow.append(route)

    page.route("**/reserve/**", hold, times=1)
    page.clock.run_for("05:30")
    # Playwright brings routes while it is asked something.
    assert wait_for(lambda: bool(page.evaluate("1") and slow), 20)
    slow.pop().continue_()
    expect(page.locator("#reservation")).to_be_empty()
    sign_in(colleague, "demo")
    colleague.goto(f"/review/{queue.pks[0]}/")
    expect(colleague.locator("#reservation")).to_contain_text("Reserved for you")


def test_who_leaves_lets_go(page: Page, colleague: Page, program: Run) -> None:
    queue = open_queue(page, program, 2)
    queue.press("j")
    queue.shows(1)
    sign_in(colleague, "demo")
    colleague.goto(f"/review/{queue.pks[0]}/")
    expect(colleague.locator("#reservation")).to_contain_text("Reserved for you")
    page.goto("/people/")
    colleague.goto(f"/review/{queue.pks[1]}/")
    expect(colleague.locator("#reservation")).to_contain_text("Reserved for you")
