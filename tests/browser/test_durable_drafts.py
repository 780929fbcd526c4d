"""What was typed 600 ms ago is there after the server was killed; what could not be saved is kept by the browser."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from characters.profiles import services
from characters.profiles.drafts import services as drafts
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.embedded.servers import wait_for
from tests.characters.profiles import sheets
from tests.web import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240), pytest.mark.xdist_group("web process")]


@pytest.fixture
def ann(web: WebServer, author: User) -> Character:
    return services.create_character(slug="ann", sheet=sheets.whole_sheet(), by=author)


@pytest.fixture
def editor(browser: Browser, web: WebServer, author: User, ann: Character) -> Iterator[Page]:
    """The page of Ann's facts."""
    context = browser.new_context(base_url=web.address)
    with web.browser_of(author) as client:
        context.add_cookies(
            [{"name": name, "value": value, "url": web.address} for name, value in client.cookies.items()]
        )
    page = context.new_page()
    page.goto("/characters/ann/edit/facts/")
    yield page
    context.close()


def is_saved(ann: Character, text: str) -> Callable[[], bool]:
    return lambda: any(fact.object == text for fact in drafts.draft_of(ann).sheet.facts)


def test_what_was_typed_survives_a_killed_server(editor: Page, web: WebServer, ann: Character) -> None:
    field = editor.get_by_role("textbox", name="Object of LIKES")
    field.press("End")
    field.type(", and of slate")
    editor.wait_for_timeout(600)
    web.kill()
    web.mend()
    editor.reload()
    expect(field).to_have_value("Rain on a tin roof, and of slate")
    assert wait_for(is_saved(ann, "Rain on a tin roof, and of slate"), 30)


def test_what_the_page_says_is_saved_is_saved(editor: Page, web: WebServer, ann: Character) -> None:
    editor.get_by_role("textbox", name="Object of LIKES").fill("Slate")
    expect(editor.locator("#saved")).to_have_text("Saved")
    web.kill()
    assert is_saved(ann, "Slate")()
    web.mend()


def test_while_the_server_is_away_the_text_is_kept_and_said_so(editor: Page, web: WebServer, ann: Character) -> None:
    field = editor.get_by_role("textbox", name="Object of LIKES")
    web.kill()
    field.fill("Fog")
    expect(editor.locator("#saved")).to_contain_text("Not saved yet", timeout=20_000)
    assert not is_saved(ann, "Fog")()
    web.mend()
    expect(editor.locator("#saved")).to_have_text("Saved", timeout=20_000)
    assert is_saved(ann, "Fog")()


def test_a_text_that_another_tab_has_a_version_of_is_there_after_a_reload(editor: Page, ann: Character) -> None:
    other = editor.context.new_page()
    other.goto("/characters/ann/edit/facts/")
    other.get_by_role("textbox", name="Object of LIKES").fill("Fog")
    expect(other.locator("#saved")).to_have_text("Saved")
    editor.get_by_role("textbox", name="Object of LIKES").fill("Slate")
    beside = editor.locator("tr:has([data-about])")
    expect(beside).to_contain_text("You saved another version meanwhile")
    editor.reload()
    expect(beside.locator(".texts ins")).to_have_text("Slate")
    assert is_saved(ann, "Fog")()
    editor.goto("/characters/ann/edit/personas/")
    expect(editor.locator("#saved")).to_contain_text("typed under another tab of this editor")


def test_what_was_discarded_does_not_come_back(editor: Page, ann: Character) -> None:
    editor.get_by_role("textbox", name="Object of LIKES").fill("A ghost")
    again = editor.context.new_page()
    editor.close(run_before_unload=True)
    assert wait_for(is_saved(ann, "A ghost"), 20)
    again.goto("/characters/ann/edit/")
    again.locator("#draft summary").click()
    again.on("dialog", lambda dialog: dialog.accept())
    again.get_by_role("button", name="Discard draft").click()
    expect(again.locator(".toast")).to_contain_text("The draft is what is live again")
    again.goto("/characters/ann/edit/facts/")
    expect(again.get_by_role("textbox", name="Object of LIKES")).to_have_value("Rain on a tin roof")
    again.get_by_role("textbox", name="What holds of").fill("A half typed fact")
    again.goto("/characters/ann/edit/personas/")
    again.goto("/characters/ann/edit/facts/")
    expect(again.get_by_role("textbox", name="What holds of")).to_have_value("A half typed fact")
    assert not is_saved(ann, "A ghost")()


def test_a_closed_tab_that_could_not_save_is_restored(editor: Page, web: WebServer, ann: Character) -> None:
    web.kill()
    editor.get_by_role("textbox", name="Object of LIKES").fill("Storms")
    expect(editor.locator("#saved")).to_contain_text("Not saved yet", timeout=20_000)
    again = editor.context.new_page()
    editor.close()
    web.mend()
    again.goto("/characters/ann/edit/facts/")
    expect(again.get_by_role("textbox", name="Object of LIKES")).to_have_value("Storms")
    assert wait_for(is_saved(ann, "Storms"), 30)
