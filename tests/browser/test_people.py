"""What is known about people: corrected, forgotten, merged, explored, and forgotten entirely."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import assert_good_everywhere, sign_in
from tests.program import Run

# As the services save it: the worker writes it into the graph. NAME is filled in.
REMEMBERED = """
from characters.conversations.models import Acquaintance, Conversation, Message, Person
from characters.memory import facts
from characters.memory.models import Evidence, Mention
from characters.profiles.models import Character
from kgadmin.accounts.models import User
person = Person.objects.create(namespace="tester:all", outside_id="NAME", name="NAME")
elena = Character.objects.get(slug="elena")
Acquaintance.objects.create(person=person, character=elena)
tester = User.objects.get(username="tester")
talk = Conversation.objects.create(person=person, character=elena, owner=tester, title="The tide pool")
text = "My cat Miso fell into the tide pool"
remembered = {"place": 1, "memory": "quotable", "facts_read_at": talk.created_at}
said = Message.objects.create(conversation=talk, role="user", text=text, **remembered)
def add(predicate, text, subject=None):
    return facts.add(person=person, character=elena, predicate=predicate, text=text, subject=subject, by=None)
pet = add("HAS_PET", "Miso")
miso = pet.object
Evidence.objects.create(fact=pet, message=said, start=0, end=11)
add("IS_A", "cat", miso)
sister = add("HAS_SISTER", "Juno", miso).object
pool = add("LIKES", "the tide pool").object
add("LIKES", "shrimp", sister)
double = add("HAS_PET", "Miso the cat").object
Mention.objects.bulk_create([Mention(message=said, entity=each) for each in (miso, pool)])
print("PERSON", person.pk)
"""


class Remembered:
    """Somebody of whom Elena knows a cat, its sister and a tide pool."""

    def __init__(self, program: Run) -> None:
        self.name = f"Wren {uuid4().hex[:6]}"
        self.pk = int(program.shell(REMEMBERED.replace("NAME", self.name)).rpartition("PERSON")[2])

    def path(self, part: str = "") -> str:
        return f"/people/{self.pk}/{part}"


@pytest.fixture
def wren(program: Run, page: Page) -> Remembered:
    sign_in(page, "demo")
    return Remembered(program)


def node(page: Page, hint: str) -> Locator:
    """A node of the drawing by what it does."""
    return page.get_by_role("link", name=hint, exact=True)


def open_drawing(page: Page, wren: Remembered) -> None:
    """Open Miso's drawing with all that is known in it: the worker writes it into the graph a change at a time."""
    for about, hint in (("Juno", "Open shrimp"), ("Miso", "Open Juno")):
        for _ in range(30):
            page.goto(wren.path(f"explore/?about={about}"))
            if node(page, hint).count():
                break
            page.wait_for_timeout(500)
        expect(node(page, hint)).to_be_visible()


def test_a_fact_is_added_corrected_and_forgotten(page: Page, wren: Remembered) -> None:
    page.goto(wren.path())
    page.get_by_label("Says").select_option("LIVES_IN")
    page.get_by_label("What", exact=True).fill("Porto")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("link", name=f"Correct: {wren.name} lives in Porto").click()
    page.get_by_label("What", exact=True).fill("Lisbon")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name=f"{wren.name} lives in Lisbon")).to_be_visible()
    page.goto(wren.path())
    expect(page.locator("#facts")).not_to_contain_text("Porto")
    page.get_by_role("button", name=f"Forget: {wren.name} lives in Lisbon").click()
    page.get_by_role("dialog", name="Forget a fact").get_by_role("button", name="Forget").click()
    expect(page.locator("#facts")).not_to_contain_text("Lisbon")


def test_the_graph_opens_node_by_node_with_the_messages_behind_an_edge(page: Page, wren: Remembered) -> None:
    open_drawing(page, wren)
    page.evaluate("window.untouched = true")
    node(page, "Open Juno").focus()
    page.keyboard.press("Enter")
    expect(node(page, "Close Juno")).to_be_focused()
    expect(node(page, "Open shrimp")).to_be_visible()
    page.locator("#explored").get_by_role("link", name=f"{wren.name} has a cat called Miso").last.click()
    expect(page.locator("#behind mark")).to_have_text("My cat Miso")
    assert page.evaluate("window.untouched")
    address = page.url
    assert "open=entity:" in address
    page.goto(address)
    expect(page.locator("#behind mark")).to_have_text("My cat Miso")
    expect(node(page, "Close Juno")).to_be_visible()


def test_a_person_is_forgotten_entirely_and_the_page_says_when_it_is_done(page: Page, wren: Remembered) -> None:
    page.goto(wren.path())
    page.get_by_role("link", name=f"Forget {wren.name}").click()
    page.get_by_label(f"Type {wren.name} to confirm").fill("Somebody else")
    page.get_by_role("button", name="Forget permanently").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was forgotten")
    page.get_by_label(f"Type {wren.name} to confirm").fill(wren.name)
    page.get_by_role("button", name="Forget permanently").click()
    expect(page.locator("#state")).to_contain_text("Graph and vectors: gone")
    expect(page.locator("#state")).to_contain_text("make purge")
    response = page.goto(wren.path())
    assert response is not None
    assert response.status == 404


def test_the_pages_fit_and_are_accessible(page: Page, wren: Remembered) -> None:
    open_drawing(page, wren)
    parts = ["", "entities/", "conversations/", "explore/", "explore/?about=Miso&hops=3", "forget/"]
    for path in ["/people/", *(wren.path(part) for part in parts)]:
        page.goto(path)
        assert_good_everywhere(page)


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_without_script_facts_are_forgotten_and_nodes_open(page: Page, wren: Remembered) -> None:
    page.goto(wren.path())
    page.get_by_role("button", name="Forget: Miso is a cat").click()
    page.get_by_role("dialog", name="Forget a fact").get_by_role("button", name="Forget").click()
    expect(page.locator("#facts")).not_to_contain_text("Miso is a cat")
    open_drawing(page, wren)
    node(page, "Open Juno").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("open=entity"))
    expect(node(page, "Close Juno")).to_be_visible()
