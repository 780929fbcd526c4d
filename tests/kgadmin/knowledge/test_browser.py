"""An operator's story in Chromium: register a base, drop files in, watch, search, remove."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from tests.fixtures.people import PASSWORD
from tests.kgadmin.knowledge.ingesting import paper

pytestmark = pytest.mark.browser


@pytest.fixture
def signed_in(hashed: None, operator: User, live_server: LiveServer, page: Page) -> Page:
    page.goto(f"{live_server.url}/login/")
    page.fill("[name=username]", "operator")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(re.compile("/dashboard/"))
    page.goto(f"{live_server.url}/knowledge/")
    return page


def assert_accessible(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_an_operator_makes_a_base_and_watches_it_fill(signed_in: Page, tmp_path: Path) -> None:
    page = signed_in
    expect(page.get_by_role("heading", name="No knowledge base yet")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Register a base").first.click()
    page.get_by_label("Name").fill("Reef notes")
    assert_accessible(page)
    page.get_by_role("button", name="Register").click()

    (tmp_path / "urchins.md").write_bytes(paper("urchins", 3))
    (tmp_path / "broken.txt").write_bytes(b"a\0b")
    page.get_by_label(re.compile("Files to upload")).set_input_files([tmp_path / "urchins.md", tmp_path / "broken.txt"])
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    assert_accessible(page)

    runner.run(Job.objects.get().pk)
    expect(page.get_by_role("progressbar")).to_have_count(0)  # without a reload
    row = page.get_by_role("row", name="urchins.md")
    expect(row).to_contain_text("Done")
    expect(page.get_by_role("row", name="broken.txt")).to_contain_text("null bytes")
    expect(page.locator("#figures")).to_contain_text("3")

    page.get_by_role("searchbox").fill("About urchins")
    page.get_by_role("button", name="Search").click()
    page.get_by_text("below the threshold").click()
    assert_accessible(page)
    page.get_by_role("link", name="urchins.md, chunk 1").click()
    expect(page.locator("#chunk-1")).to_be_in_viewport()
    assert_accessible(page)

    page.get_by_role("button", name="Remove…").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("row", name="urchins.md")).to_have_count(0)


def test_a_switch_saves_itself(signed_in: Page) -> None:
    page = signed_in
    page.get_by_role("link", name="Register a base").first.click()
    page.get_by_label("Name").fill("Reef notes")
    page.get_by_role("button", name="Register").click()
    page.get_by_label("Turns ask it").click()
    expect(page.get_by_text("Turns no longer ask Reef notes.")).to_be_visible()
    expect(page.get_by_label("Turns ask it")).not_to_be_checked()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_phone(signed_in: Page, scheme: str) -> None:
    page = signed_in
    page.get_by_role("link", name="Register a base").first.click()
    page.get_by_label("Name").fill("A name of a base that is rather long for a phone")
    page.get_by_role("button", name="Register").click()
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for path in ("/knowledge/", page.url):
        page.goto(path if path.startswith("http") else page.url.split("/knowledge/")[0] + path)
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert_accessible(page)
