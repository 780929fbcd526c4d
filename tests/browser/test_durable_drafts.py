"""What was typed 600 ms ago is there after the server was killed; what could not be saved is kept by the browser."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from characters.authoring.drafts import parts
from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.authoring.suggestions import services as suggestions
from characters.profiles import services
from characters.profiles.models import Character, Draft
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets
from tests.patience import wait_for
from tests.web import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240), pytest.mark.xdist_group("web process")]


@pytest.fixture
def ann(web: WebServer, author: User) -> Character:
    return services.create_character(slug="ann", sheet=sheets.whole_sheet(), by=author)


@pytest.fixture
def other_author(db: None) -> User:
    return User.objects.create_user("other", password="x")


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


RAIN = "Object of LIKES"
FACTS, YAML, PROMPT = ("/characters/ann/edit/facts/", "/characters/ann/edit/yaml/", "/characters/ann/edit/prompt/")
COPIES = "Object.keys(localStorage).filter((each) => each.startsWith('draft:')).length"


def closed_after(page: Page, *, offline: bool) -> Page:
    """The page is closed right after the last key, and another one is there, empty."""
    page.context.set_offline(offline)
    again = page.context.new_page()
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    return again


def reopened(page: Page, path: str) -> Page:
    """A page of the editor, with the connection there."""
    page.context.set_offline(False)
    page.goto(path)
    return page


def changed(ann: Character, user: User, **objects: str) -> None:
    """Another author takes over, and changes facts."""
    drafts.take_over(ann, by=user)
    document = drafts.draft_of(ann).document
    for name, text in objects.items():
        part = f"fact:{name}"
        drafts.save(ann, [Edit(part, parts.get(document, part) | {"object": text})], by=user)


def nobody_writes(ann: Character) -> None:
    """A minute has passed."""
    Draft.objects.filter(character=ann).update(written_at=None)


def has_no_copies(page: Page) -> Callable[[], bool]:
    return lambda: page.evaluate(COPIES) == 0


def not_saved(page: Page) -> Locator:
    """The texts under Revisions."""
    page.goto("/characters/ann/revisions/")
    return page.get_by_role("region", name="Unsaved changes")


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


def test_what_the_page_says_is_saved_is_saved_and_what_waits_for_the_server_is_kept(
    editor: Page, web: WebServer, ann: Character
) -> None:
    field = editor.get_by_role("textbox", name="Object of LIKES")
    field.fill("Slate")
    expect(editor.locator("#saved")).to_have_text("Saved")
    assert is_saved(ann, "Slate")()
    web.kill()
    field.fill("Fog")
    expect(editor.locator("#saved")).to_contain_text("Not saved yet", timeout=20_000)
    assert not is_saved(ann, "Fog")()
    web.mend()
    expect(editor.locator("#saved")).to_have_text("Saved", timeout=20_000)
    assert is_saved(ann, "Fog")()


# A text is typed and its page closed at once. What becomes of this browser's copy when an editor is opened again?
#
# | then the draft was | the copy                                    |
# | left               | is saved, from whichever page is opened     |
# | written by another | is kept under Revisions                     |
# | discarded          | is kept under Revisions, if it says another |
# | its tab lives      | is that tab's business                      |


def test_a_copy_that_arrived_does_not_undo_a_discard(editor: Page, ann: Character, other_author: User) -> None:
    editor.get_by_role("textbox", name=RAIN).fill("Coffee")
    again = closed_after(editor, offline=False)
    assert wait_for(is_saved(ann, "Coffee"), 20)
    drafts.take_over(ann, by=other_author)
    drafts.discard(ann, by=other_author)
    nobody_writes(ann)
    reopened(again, FACTS)
    assert wait_for(has_no_copies(again), 20)
    expect(again.get_by_role("textbox", name=RAIN)).to_have_value("Rain on a tin roof")
    again.get_by_role("textbox", name="Object of IS_A").fill("Pilot")
    expect(again.locator("#saved")).to_have_text("Saved")
    assert is_saved(ann, "Rain on a tin roof")()


@pytest.mark.parametrize("path", [FACTS, YAML, PROMPT])
def test_a_copy_that_did_not_arrive_is_kept_where_another_wrote(
    editor: Page, ann: Character, other_author: User, path: str
) -> None:
    editor.goto(path if path == YAML else FACTS)
    text = editor.get_by_label("Background as YAML") if path == YAML else editor.get_by_role("textbox", name=RAIN)
    editor.context.set_offline(True)
    text.fill(text.input_value().replace("Rain on a tin roof", "Coffee"))
    again = closed_after(editor, offline=True)
    changed(ann, other_author, f3="Tea")
    reopened(again, path)
    expect(again.locator("#writer")).to_contain_text("some of what you typed isn’t in it")
    assert wait_for(has_no_copies(again), 20)
    assert is_saved(ann, "Tea")()
    expect(not_saved(again).locator(".texts ins").first).to_contain_text("Coffee")
    nobody_writes(ann)
    not_saved(again).get_by_role("button", name="Apply to the draft").click()
    expect(again.get_by_role("region", name="Unsaved changes")).to_have_count(0)
    assert is_saved(ann, "Coffee")()


def test_what_was_typed_on_a_closed_page_is_in_what_is_published(editor: Page, ann: Character) -> None:
    editor.goto("/characters/ann/edit/")
    editor.context.set_offline(True)
    editor.get_by_label("Comes first in every prompt").fill("You are the keeper.")
    again = closed_after(editor, offline=True)
    reopened(again, "/characters/ann/publish/preview/")
    expect(again.locator("#main")).to_contain_text("keeper.")
    assert drafts.draft_of(ann).sheet.identity == "You are the keeper."


def test_a_tab_leaves_the_waiting_text_of_one_that_lives_alone(editor: Page, ann: Character) -> None:
    def refuse(route: Route) -> None:
        route.abort()

    editor.route("**/edit/save/", refuse)
    editor.get_by_role("textbox", name=RAIN).fill("Cof")
    expect(editor.locator("#saved")).to_contain_text("Not saved yet")
    other = editor.context.new_page()
    other.goto(FACTS)
    expect(other.get_by_role("textbox", name=RAIN)).to_have_value("Rain on a tin roof")
    editor.unroute("**/edit/save/", refuse)
    editor.get_by_role("textbox", name=RAIN).fill("Coffee")
    expect(editor.locator("#saved")).to_have_text("Saved")
    assert is_saved(ann, "Coffee")()
    expect(other.locator("#writer")).to_contain_text("You are editing this in another tab")
    expect(other.get_by_role("textbox", name=RAIN)).not_to_be_editable()


def test_a_fact_that_could_not_be_added_stands_in_its_field(editor: Page, ann: Character) -> None:
    field = editor.get_by_role("textbox", name="Fact about")
    editor.context.set_offline(True)
    field.fill("Owns a telescope")
    field.press("Enter")
    expect(editor.locator("#saved")).to_contain_text("Not added: no connection")
    expect(field).to_have_value("Owns a telescope")
    reopened(editor, FACTS)
    expect(field).to_have_value("Owns a telescope")
    field.press("Enter")
    expect(field).to_have_value("")
    expect(editor.locator("tr.fact textarea", has_text="Owns a telescope").first).to_be_visible()
    assert is_saved(ann, "Owns a telescope")()
    editor.reload()
    expect(field).to_have_value("")


def test_a_pasted_list_is_kept_until_its_facts_are_there(editor: Page, ann: Character) -> None:
    box = editor.get_by_label("Facts to paste")
    editor.locator("#paste summary").click()
    box.fill("- Owns a telescope\n- Sails")
    reopened(editor, PROMPT)
    reopened(editor, FACTS)
    expect(box).to_have_value("- Owns a telescope\n- Sails")
    editor.get_by_role("button", name="Preview").click()
    editor.context.set_offline(True)
    editor.get_by_role("button", name="Add 2").click()
    expect(editor.locator("#saved")).to_contain_text("Not added: no connection")
    editor.context.set_offline(False)
    editor.get_by_role("button", name="Add 2").click()
    expect(editor.locator("#messages")).to_contain_text("2 facts were added")
    expect(box).to_have_value("")
    assert is_saved(ann, "Sails")()


def test_a_second_tab_reads_and_takes_over_and_what_the_first_had_typed_is_kept(editor: Page, ann: Character) -> None:
    mine = editor.get_by_role("textbox", name=RAIN)
    mine.fill("Coffee")
    expect(editor.locator("#saved")).to_have_text("Saved")
    second = editor.context.new_page()
    second.goto(FACTS)
    theirs = second.get_by_role("textbox", name=RAIN)
    expect(theirs).to_have_value("Coffee")
    expect(theirs).not_to_be_editable()
    second.get_by_role("button", name="Take over").click()
    expect(theirs).to_be_editable()
    mine.fill("Tea")
    expect(editor.locator("#saved")).to_contain_text("What you typed is saved under Revisions")
    expect(mine).not_to_be_editable()
    assert is_saved(ann, "Coffee")()
    theirs.fill("Milk")
    expect(second.locator("#saved")).to_have_text("Saved")
    nobody_writes(ann)
    expect(mine).to_have_value("Milk")  # it shows what was written since
    expect(mine).to_be_editable()
    expect(not_saved(editor).locator(".texts ins")).to_have_text("Tea")


def test_a_tab_that_types_nothing_learns_by_itself_that_another_writes(
    editor: Page, ann: Character, other_author: User
) -> None:
    editor.get_by_role("textbox", name=RAIN).fill("Coffee")
    expect(editor.locator("#saved")).to_have_text("Saved")
    editor.reload()
    expect(editor.get_by_role("textbox", name=RAIN)).to_be_editable()
    expect(editor.get_by_role("button", name="Take over")).to_be_hidden()
    changed(ann, other_author, f3="Tea")
    expect(editor.locator("#writer")).to_contain_text("other is editing this draft")
    expect(editor.get_by_role("textbox", name=RAIN)).not_to_be_editable()
    expect(editor.get_by_role("button", name="Take over")).to_be_visible()


def test_every_page_of_a_tab_is_its_writer_and_a_copy_of_the_tab_is_not(editor: Page, ann: Character) -> None:
    suggestions.suggest(ann, "Ann hates eels.", source="description")
    editor.get_by_role("textbox", name=RAIN).fill("Coffee")
    expect(editor.locator("#saved")).to_have_text("Saved")
    with editor.expect_popup() as copy:
        editor.evaluate("open(location.href)")  # the browser gives it what this tab has stored
    expect(copy.value.get_by_role("textbox", name=RAIN)).not_to_be_editable()
    editor.get_by_role("link", name="Suggested").click()
    editor.get_by_role("button", name="Accept HATES eels").click()
    expect(editor.get_by_role("button", name=re.compile("^Undo"))).to_have_count(1)
    editor.goto("/characters/ann/publish/preview/")
    editor.get_by_role("button", name="Publish revision 2").click()
    expect(editor.locator("#messages")).to_contain_text("is live")
    editor.goto("/characters/ann/compare/?from=live&to=1")
    editor.get_by_role("button", name="Make revision 1 live again").click()
    expect(editor.locator("#messages")).to_contain_text("Revision 3 is live")
