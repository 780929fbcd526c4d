"""With and without a language model: the line, the page that tests one, streaming, Stop, Try again."""

import re
import threading

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Connected
from tests.browser.pages import ask, wait_for_reply


@pytest.fixture
def connected_page(page: Page, connected: Connected) -> Page:
    """Elena's page, where a language model is connected."""
    connected.model.forget()
    page.goto(connected.address)
    page.locator("button[value=demo]").click()
    page.get_by_role("link", name="Elena Rodriguez").click()
    return page


def send(page: Page, message: str) -> None:
    page.wait_for_load_state()  # a form that is sent before its script is there waits for the whole reply
    page.get_by_label(re.compile("^Message to")).fill(message)
    page.get_by_role("button", name="Send").click()
    page.wait_for_url(re.compile(r"/turns/\d+/"))


def test_without_a_model_a_line_leads_to_the_page_that_names_the_variables(tester_page: Page) -> None:
    page = tester_page
    turn = ask(page, "Where are you from?")
    expect(turn.locator(".reply")).to_contain_text("La Jolla")
    expect(page.locator("#stage-reply")).to_contain_text("offline responder")
    page.get_by_text("No language model is connected").get_by_role("link", name="Connect one").click()
    for variable in ("LLM_BASE_URL", "LLM_MODEL", "LLM_API_KEY"):
        expect(page.get_by_role("row", name=re.compile(variable))).to_contain_text("Not set")


def test_a_reply_streams_with_its_trace_already_beside_it(connected_page: Page, connected: Connected) -> None:
    page, gate = connected_page, threading.Event()
    connected.model.says("My father ", gate, "taught me to **fish**.", usage=(612, 9))
    send(page, "What did your father teach you?")
    reply = page.locator(".turn .reply")
    expect(reply).to_have_text("My father")
    expect(page.locator(".turn [aria-busy=true]")).to_have_count(1)
    expect(page.locator("#bar-background .time")).to_be_visible()
    expect(page.locator("#stage-reply")).to_contain_text("being written")
    gate.set()
    expect(reply).to_have_text("My father taught me to fish.")
    expect(reply.locator("strong")).to_have_text("fish")
    wait_for_reply(page)
    expect(page.locator("#stage-reply")).to_contain_text("612")
    assert "commercial fisherman" in connected.model.requests[-1].prompt


def test_stop_keeps_what_had_arrived_and_try_again_answers_anew(connected_page: Page, connected: Connected) -> None:
    page = connected_page
    connected.model.hangs_after("Well, it all began when ")
    send(page, "How did you become a biologist?")
    expect(page.locator(".turn .reply")).to_contain_text("Well, it all began")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn")).to_contain_text("Stopped")
    expect(page.locator(".turn .reply")).to_contain_text("Well, it all began")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert connected.model.hung_up.wait(10)

    connected.model.says("Second try.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".turn .reply")).to_have_text("Second try.")
    expect(page.locator(".turn footer")).to_contain_text("2 tries")
