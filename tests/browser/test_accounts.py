"""Administering: accounts are invited, keys are made and revoked; each page fits and is accessible, light and dark."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.pages import assert_good_everywhere, sign_in_with_password
from tests.program import Run

MAKE_CHIEF = (
    "from kgadmin.accounts.models import User; "
    "User.objects.filter(username='chief').exists() or "
    "User.objects.create_superuser('chief', password='the chief himself')"
)


@pytest.fixture
def chief(program: Run, page: Page) -> Page:
    """An administrator's browser."""
    program.shell(MAKE_CHIEF)
    sign_in_with_password(page, "chief", "the chief himself")
    expect(page.locator(".account")).to_contain_text("chief")
    return page


def test_somebody_is_invited_and_comes_in(chief: Page, browser: Browser, program: Run) -> None:
    page = chief
    page.get_by_role("link", name="Accounts").click()
    expect(page.get_by_role("button", name="Invite")).to_be_visible()
    assert_good_everywhere(page)
    page.get_by_label("Name").fill("mara")
    page.get_by_role("checkbox", name=re.compile("Tester")).check()
    page.get_by_role("button", name="Invite").click()
    link = page.get_by_label("The link").input_value()
    assert_good_everywhere(page)

    guest = browser.new_page(base_url=program.address)
    guest.goto(link)
    assert_good_everywhere(guest)
    guest.get_by_label("New password", exact=True).fill("mara's own words")
    guest.get_by_label(re.compile("confirmation")).fill("mara's own words")
    guest.get_by_role("button", name="Set password and sign in").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Playground")
    guest.get_by_role("link", name="mara", exact=True).click()
    expect(guest.get_by_role("button", name=re.compile("password"))).to_be_visible()
    assert_good_everywhere(guest)
    guest.close()

    page.goto("/accounts/")
    page.get_by_role("link", name="mara", exact=True).click()
    expect(page.get_by_role("button", name="Disable account")).to_be_visible()
    assert_good_everywhere(page)
    page.get_by_role("button", name="Disable account").click()
    expect(page.locator(".bar .state")).to_have_text("Disabled")


def test_a_program_is_connected_what_it_asks_is_seen_and_its_key_is_revoked(chief: Page) -> None:
    page = chief
    page.get_by_role("link", name="Clients").click()
    assert_good_everywhere(page)
    page.get_by_role("link", name="Connect SillyTavern").click()
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_text("Enter the name of the person who speaks.")).to_be_visible()
    page.get_by_label("Their name").first.fill("Mark")
    assert_good_everywhere(page)
    page.get_by_role("button", name="Create key").click()
    key = page.get_by_label("The key", exact=True).input_value()
    expect(page.get_by_text("Custom Endpoint")).to_be_visible()
    assert_good_everywhere(page)
    page.get_by_role("link", name="I have copied it: see what arrives").click()
    expect(page.get_by_text("Nothing yet.")).to_be_visible()
    assert key not in page.content()
    asked = {"model": "elena", "n": 2, "messages": [{"role": "user", "content": "Where did you grow up?"}]}
    answer = page.request.post("/v1/chat/completions", data=asked, headers={"Authorization": f"Bearer {key}"})
    assert "La Jolla" in answer.json()["choices"][0]["message"]["content"]
    arrived = page.locator("#requests")
    expect(arrived).to_contain_text("A message to elena from Mark")
    expect(arrived).to_contain_text("Passed over: n")
    assert_good_everywhere(page)
    arrived.get_by_role("link", name="Mark").click()
    expect(page.get_by_text("Through SillyTavern").first).to_be_visible()
    page.go_back()
    page.get_by_role("link", name=re.compile("^Revoke kg-")).first.click()
    expect(page.get_by_role("button", name="Revoke key")).to_be_visible()
    assert_good_everywhere(page)
    page.get_by_role("button", name="Revoke key").click()
    expect(page.locator(".keys")).to_contain_text("Revoked")
