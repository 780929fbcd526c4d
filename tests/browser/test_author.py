"""An author's day in the editor: a card imported, facts accepted and written by keyboard, YAML broken and mended,
questions tried, published, taken back."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import ask, sign_in, stage
from tests.fixtures.program import is_settled
from tests.patience import wait_for
from tests.program import Run

pytestmark = pytest.mark.timeout(300)

FACTS = (("LIKES", "salt on mango"), ("", "I have never been to a desert."), ("has habit", "counting waves"))
MIRA = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mira Holt",
        "description": (
            "{{char}} is a bookbinder. She lives in Porto. She was born in Utrecht. She has a brother named Tomas. "
            "She loves old maps. She is afraid of moths."
        ),
        "personality": "",
        "scenario": "",
        "first_mes": "Mind the wet glue, {{user}}.",
        "mes_example": "",
    },
}


@pytest.fixture
def copy(page: Page, program: Run) -> Iterator[str]:
    """The editor of a copy of Elena, published; the address of the copy."""
    sign_in(page, "demo")
    page.goto("/characters/elena/edit/settings/")
    page.get_by_role("button", name="Create a copy").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("(copy)")
    slug = page.url.split("/characters/")[1].split("/")[0]
    publish(page, slug, "As Elena is")
    assert wait_for(lambda: is_settled(program), 60)
    yield slug
    archive(page, slug)


def archive(page: Page, slug: str) -> None:
    page.goto(f"/characters/{slug}/edit/settings/")
    page.get_by_role("button", name="Archive").click()
    expect(page.get_by_role("heading", level=1, name="Characters")).to_be_visible()


def publish(page: Page, slug: str, note: str) -> None:
    page.goto(f"/characters/{slug}/edit/")
    page.get_by_role("link", name="Publish", exact=True).click()
    page.get_by_label("Reason, in a few words").fill(note)
    page.get_by_role("button", name=re.compile("^Publish revision")).click()
    expect(page.locator(".toast")).to_contain_text("is live: the next turn uses it.")


def imported(page: Page, card: dict[str, Any]) -> str:
    """Import a card; the slug of its character."""
    page.goto("/characters/import/")
    page.get_by_label("File to upload").set_input_files(
        files={"name": "card.json", "mimeType": "application/json", "buffer": json.dumps(card).encode()}
    )
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("card.json")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("6 facts are suggested")
    return page.url.split("/characters/")[1].split("/")[0]


def accept_suggestions(page: Page, *facts: str) -> None:
    page.get_by_role("link", name="Suggested").click()
    for count, fact in enumerate(facts, start=1):
        page.get_by_role("button", name=f"Accept {fact}").click()
        expect(page.get_by_role("button", name=re.compile("^Undo"))).to_have_count(count)


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text("Saved")


def test_an_authors_day(page: Page, program: Run) -> None:
    sign_in(page, "demo")
    mira = imported(page, MIRA)
    accept_suggestions(page, "LIVES_IN Porto", "BORN_IN Utrecht", "HAS_BROTHER Tomas", "LOVES old maps")
    publish(page, mira, "As the card says")
    assert wait_for(lambda: is_settled(program), 60)
    expect(ask(page, "Where do you live?", character=mira).locator(".reply")).to_contain_text("Porto")

    page.goto(f"/characters/{mira}/edit/facts/")
    page.keyboard.press("n")
    for count, (predicate, text) in enumerate(FACTS, start=1):
        expect(page.get_by_label("Predicate of a new fact")).to_be_focused()
        page.keyboard.type(predicate)
        page.keyboard.press("Tab")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(page.locator("tr.fact[data-state=good]")).to_have_count(count)
        expect(page.get_by_label("Fact about")).to_have_value("")
    home = page.get_by_role("textbox", name="Object of LIVES_IN")
    home.fill("a houseboat in Ghent")
    saved(page)
    page.reload()
    expect(home).to_have_value("a houseboat in Ghent")
    expect(page.locator("#draft summary")).to_contain_text("~1")

    page.get_by_role("link", name="YAML").click()
    yaml = page.get_by_label("Background as YAML")
    text = "# The sea first.\n" + yaml.input_value()
    yaml.fill(text.replace("    object: salt on mango", "    objects: salt on mango"))
    expect(page.locator("#unfit")).to_contain_text(re.compile(r"line \d+, column 5: a fact needs"))
    page.reload()
    expect(yaml).to_have_value(re.compile("objects: salt on mango"))
    yaml.fill(text)
    expect(page.locator("#unfit")).to_be_empty()
    saved(page)

    for question, fact in (("What habits do you have?", "counting waves"), ("Where do you live?", "houseboat")):
        page.get_by_label("Question to").fill(question)
        page.get_by_role("button", name="Try", exact=True).click()
        expect(page.locator("#tryit .found").first).to_contain_text(fact)
    page.get_by_label("Use the live revision").check()
    expect(page.locator("#tryit .found").first).to_contain_text("Porto")
    expect(ask(page, "Where do you live?", character=mira).locator(".reply")).to_contain_text("Porto")

    publish(page, mira, "She moved to Ghent")
    assert wait_for(lambda: is_settled(program), 60)
    expect(ask(page, "Where do you live?", character=mira).locator(".reply")).to_contain_text("houseboat in Ghent")
    expect(stage(page, "background")).not_to_contain_text("Porto")

    page.goto(f"/characters/{mira}/revisions/")
    expect(page.get_by_role("row", name=re.compile("She moved to Ghent"))).to_contain_text("demo")
    page.get_by_role("link", name="Compare with live, or revert").click()
    expect(page.locator(".diff")).to_contain_text("LIVES_IN")
    page.get_by_role("button", name="Make revision 1 live again").click()
    expect(page.locator(".toast")).to_contain_text("with the sheet of revision 1")
    assert wait_for(lambda: is_settled(program), 60)
    expect(ask(page, "Where do you live?", character=mira).locator(".reply")).to_contain_text("Porto")
    archive(page, mira)


def test_rows_are_moved_and_removed_by_keyboard(page: Page, copy: str) -> None:
    page.goto(f"/characters/{copy}/edit/facts/?order=sheet")
    first = page.locator("tr.fact").nth(0)
    text = first.locator("textarea").first.input_value()
    first.locator("textarea").first.focus()
    page.keyboard.press("Alt+ArrowDown")
    saved(page)
    page.reload()
    second = page.locator("tr.fact").nth(1)
    expect(second.locator("textarea").first).to_have_value(text)
    second.locator("textarea").first.focus()
    page.keyboard.press("Alt+Delete")
    expect(page.locator("tr.fact").nth(1).locator("textarea").first).not_to_have_value(text)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("tr.fact").nth(1).locator("textarea").first).to_have_value(text)
