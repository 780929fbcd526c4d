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


def test_a_key_is_made_shown_once_and_revoked(chief: Page) -> None:
    page = chief
    page.get_by_role("link", name="API keys").click()
    page.get_by_label("Name of a new program").fill("A chat bot")
    page.get_by_role("button", name="Create key").click()
    key = page.get_by_label("The key", exact=True).input_value()
    assert_good_everywhere(page)
    page.get_by_role("link", name="I have copied it").click()
    expect(page.get_by_role("row", name=re.compile("A chat bot"))).to_be_visible()
    assert key not in page.content()
    assert_good_everywhere(page)
    page.get_by_role("link", name=re.compile("^Revoke kg-")).first.click()
    expect(page.get_by_role("button", name="Revoke key")).to_be_visible()
    assert_good_everywhere(page)
    page.get_by_role("button", name="Revoke key").click()
    expect(page.get_by_role("row", name=re.compile("A chat bot"))).to_contain_text("Revoked")
