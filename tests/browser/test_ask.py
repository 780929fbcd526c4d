"""Asking: what the issue's examples bring, and the trace that shows why."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import ask, say, sign_in, stage, wait_for_reply
from tests.fixtures.program import is_in_the_graph
from tests.patience import wait_for
from tests.program import Run

FAMILY = "How has your family influenced your decision to be a marine biologist?"


def test_a_question_about_her_family_shows_the_facts_that_answer_it(tester_page: Page, program: Run) -> None:
    page = tester_page
    assert wait_for(lambda: is_in_the_graph(program), 60, every=0.2), program.output
    turn = ask(page, FAMILY)
    expect(turn.locator(".reply")).to_contain_text("My father is a commercial fisherman")
    background = stage(page, "background")
    used = background.get_by_role("table", name=re.compile("Facts used"))
    expect(used.get_by_role("row", name=re.compile("HAS_FATHER"))).to_contain_text(re.compile("High|Medium|Low"))
    expect(used.locator("tbody tr").first.locator(".score")).to_have_count(4)
    background.get_by_text("near misses").click()
    expect(background.get_by_role("table", name=re.compile("not used"))).to_be_visible()
    expect(background).to_contain_text("read from the graph")


def test_a_conversation_goes_on_and_its_turns_can_be_walked(tester_page: Page) -> None:
    page = tester_page
    ask(page, "Where are you from?")
    first = page.url
    say(page, "What do you like?")
    expect(page).not_to_have_url(first)
    expect(page.get_by_role("heading", name="Trace of turn 2")).to_be_visible()
    expect(page.get_by_label(re.compile("^Message to"))).to_have_value("")
    page.get_by_role("link", name="Previous turn").click()
    expect(page.get_by_role("heading", name="Trace of turn 1")).to_be_visible()
    expect(page.locator(".turn").first).to_have_attribute("aria-current", "true")
    page.goto("/playground/")
    expect(page.get_by_role("region", name="Your conversations").get_by_role("link").first).to_have_text(
        "Where are you from?"
    )


def test_a_text_that_is_too_long_is_told_and_neither_cut_nor_sent(tester_page: Page) -> None:
    page = tester_page
    page.goto("/playground/with/elena/")
    field = page.get_by_label(re.compile("^Message to"))
    field.fill("x" * 10_230)
    sentence = "This has 10,230 characters; at most 8,000 are allowed. Shorten it."
    assert field.evaluate("(each) => each.validationMessage") == sentence
    page.get_by_role("button", name="Send").click()
    expect(field).to_have_value("x" * 10_230)
    assert page.url.endswith("/playground/with/elena/")
    field.fill("Good evening")
    page.get_by_role("button", name="Send").click()
    wait_for_reply(page)


def test_what_the_server_refuses_is_said_once_and_stays_in_its_field(browser: Browser, program: Run) -> None:
    page = browser.new_page(base_url=program.address)  # of a context that takes an answer of 400
    sign_in(page, "tester")
    ask(page, "Good evening")
    field = page.get_by_label(re.compile("^Message to"))
    field.evaluate("(each) => delete each.dataset.most")
    field.fill("x" * 10_230)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_contain_text("8,000")
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(field).to_have_value("x" * 10_230)
    page.close()


@pytest.mark.browser_context_args(java_script_enabled=False)
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
