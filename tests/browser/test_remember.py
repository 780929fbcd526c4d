"""Talking as somebody: what is remembered comes up, what is told is learned, and a sandbox leaves nothing."""

import re
from uuid import uuid4

from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import say, stage

NOORS = re.compile("Noor|kitten|balcony|houseplant")
"""What only Noor told, whose cat is called Luna, too."""


def talk_as(page: Page, person: str, character: str = "elena") -> None:
    """Before a new conversation, with the person chosen by their link."""
    page.goto(f"/playground/with/{character}/")
    page.get_by_role("list", name="Talk as").get_by_role("link", name=person, exact=True).click()
    expect(page.locator(".composer")).to_contain_text(f"as {person}, a test person: the conversation is remembered.")


def make_test_person(page: Page, character: str = "elena") -> str:
    """Somebody new, as whom the page talks then; their name."""
    name = f"Robin {uuid4().hex[:6]}"
    page.goto(f"/playground/with/{character}/")
    page.get_by_text("New test person", exact=True).click()
    page.get_by_label("Name of the new test person").fill(name)
    page.get_by_role("button", name="Create and talk as them").click()
    expect(page.locator(".composer")).to_contain_text(f"Talking as {name}, a test person")
    return name


def used(details: Locator, table: str) -> Locator:
    """The rows of what a stage used."""
    return details.get_by_role("table", name=re.compile(table)).locator("tbody tr")


def test_marks_cat_comes_to_mind_as_a_sentence_and_as_a_drawing(tester_page: Page) -> None:
    page = tester_page
    talk_as(page, "Mark")
    say(page, "How's Luna doing in the cold?")
    ambient = stage(page, "ambient")
    first = used(ambient, "Connections used").first
    expect(first).to_contain_text("Mark has a cat called Luna")
    expect(first.locator("td")).to_have_count(7)  # the score and its six parts
    drawing = ambient.get_by_role("figure").or_(ambient.locator("figure")).first
    for name in ("Mark", "Luna", "has pet"):
        expect(drawing.locator("text").filter(has_text=name).first).to_be_visible()
    section = page.locator("#section-connections")
    expect(section).to_contain_text("Mark has a cat called Luna")
    expect(section).not_to_contain_text("HAS_PET")
    expect(page.locator(".turn .sources")).to_have_attribute("aria-label", re.compile("connections"))
    expect(page.locator("#trace")).not_to_contain_text(NOORS)
    ambient.get_by_role("link", name=re.compile("remember about Luna")).first.click()
    expect(page).to_have_url(re.compile(r"/people/\d+/explore/"))
    expect(page.locator("main")).to_contain_text("Luna")


def test_what_is_told_is_learned_within_seconds_and_the_next_turn_uses_it(tester_page: Page) -> None:
    page = tester_page
    name = make_test_person(page)
    line = say(page, "I live in Seattle and I have a cat called Luna").locator("[aria-live]")
    expect(line).to_contain_text("Learned:")
    expect(line).to_contain_text(f"{name} lives in Seattle")
    expect(line).to_contain_text(f"{name} has a cat called Luna")
    line = say(page, "I've moved to Portland, and Luna got a brother called Sol").locator("[aria-live]")
    expect(line).to_contain_text("Learned:")
    expect(line).to_contain_text(f"{name} lives in Portland")
    expect(line).to_contain_text("Luna's brother is Sol")
    expect(line).to_contain_text(f"No longer true: {name} lives in Seattle")
    say(page, "Where do I live?")
    facts = used(stage(page, "user_facts"), "Facts used")
    expect(facts.first).to_contain_text(f"{name} lives in Portland")
    expect(page.locator("#section-memory")).not_to_contain_text(f"{name} lives in Seattle")
    page.locator(".turn").nth(1).get_by_role("link", name=re.compile("^What Elena Rodriguez knows")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def test_a_sandbox_reads_what_is_remembered_and_learns_nothing(tester_page: Page) -> None:
    page = tester_page
    page.goto("/playground/with/elena/")
    page.get_by_text("A real person, in a sandbox").click()
    page.get_by_role("list", name="Real people").get_by_role("link", name="Ingrid Solheim").click()
    expect(page.locator(".composer")).to_contain_text("in a sandbox: memories of Ingrid Solheim are used")
    turn = say(page, "Pelle was happy today. By the way, I have a parrot called Rio.")
    expect(used(stage(page, "ambient"), "Connections used").first).to_contain_text("Pelle")
    expect(page.locator(".bar .tag", has_text="Sandbox")).to_be_visible()
    expect(turn.locator("[aria-live]", has_text=re.compile("Learned|Being read"))).to_have_count(0)
    say(page, "What is my parrot called?")
    expect(page.locator("#section-memory")).not_to_contain_text("Rio")
    page.goto("/playground/")
    expect(page.get_by_role("region", name="Your conversations").locator("li").first).to_contain_text("Sandbox")
