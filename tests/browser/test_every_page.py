"""Every page, in light and dark, on a desk and on a phone: it fits, and axe finds nothing."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.pages import ask, assert_good_everywhere, say, sign_in, sign_in_with_password, stay_signed_in
from tests.characters.cards.examples import V2, as_json
from tests.program import Run

LEARN = """
from django.utils import timezone
from characters.profiles.learned import services as learned
from characters.profiles.models import Character
from characters.review import batches, decisions
from characters.review.models import Proposal
from kgadmin.accounts.models import User

livio = Character.objects.get(slug="livio")
demo = User.objects.get(username="demo")
seen = []
for predicate, object in [("ADMIRES", "tall ships"), ("LOVES", "the smell of old books"), ("ENJOYS", "chess in parks")]:
    meaning = f"{predicate}|{object}"
    row = Proposal.objects.create(
        character=livio, predicate=predicate, object=object, meaning=meaning, confidence=0.93
    )
    seen.append(decisions.ProposalVersion(row.pk, 1))
batches.decide(seen, verb="approved", by=demo, note="Said twice.")
first, second, third = livio.learned.order_by("pk")
learned.pin(first, pinned=True, by=demo)
learned.change(second, "archived", by=demo)
learned.count_uses([third.fact.id], timezone.now())
User.objects.create_user("outsider", password="outside")
refused = Proposal.objects.create(character=livio, predicate="LOVES", object="war", meaning="LOVES|war")
decisions.reject(decisions.ProposalVersion(refused.pk, 1), by=demo, reason="elicited", note="He was asked to say so.")
"""
"""What one of the demo's characters learned, and who decided it; and somebody without a role."""


@pytest.fixture(scope="module", autouse=True)
def learned(program: Run) -> None:
    """Something on the pages of learned facts and of the audit log."""
    program.shell(LEARN)


def at(account: str, path: str, status: int = 200) -> Callable[[Page], None]:
    def go(page: Page) -> None:
        stay_signed_in(page, account)
        response = page.goto(path)
        assert response is not None
        assert response.status == status
        unfold(page)

    return go


def unfold(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")


def login(page: Page) -> None:
    page.context.clear_cookies()
    page.goto("/login/")


def refused_login(page: Page) -> None:
    page.context.clear_cookies()
    sign_in_with_password(page, "demo", "wrong")
    expect(page.get_by_role("alert")).to_be_visible()


def trace(page: Page) -> None:
    stay_signed_in(page, "demo")
    ask(page, "Check the lab log for when Rupert's character sheet was last updated")
    unfold(page)


def memories(page: Page) -> None:
    stay_signed_in(page, "demo")
    page.goto("/playground/with/elena/")
    page.get_by_role("list", name="Talk as").get_by_role("link", name="Mark", exact=True).click()
    say(page, "What do you remember about Luna?")
    unfold(page)


def previewed_card(page: Page) -> None:
    stay_signed_in(page, "demo")
    page.goto("/characters/import/")
    file: FilePayload = {"name": "ann.json", "mimeType": "application/json", "buffer": as_json(V2)}
    page.get_by_label("File to upload").set_input_files(file)
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("heading", name="Preview")).to_be_visible()
    unfold(page)


def previewed_import(page: Page) -> None:
    stay_signed_in(page, "operator")
    page.goto("/import/")
    chat = b'{"role": "user", "text": "Hi", "person": "p7", "name": "Bea"}\n{"role": "wizard", "text": "Hi"}\n{"role'
    page.get_by_label(re.compile("^File to upload")).set_input_files(
        {"name": "bea.jsonl", "mimeType": "application/jsonl", "buffer": chat}
    )
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("heading", name="Refused")).to_be_visible()


def facts_table(page: Page) -> None:
    stay_signed_in(page, "demo")
    page.goto("/characters/elena/edit/facts/?q=family")
    page.get_by_label("Question to Elena Rodriguez").fill("How is your family?")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.locator("#tryit .found").first).to_be_visible()
    unfold(page)


def suggested_facts(page: Page) -> None:
    stay_signed_in(page, "demo")
    page.goto("/characters/elena/edit/suggestions/")
    page.get_by_role("button", name="Read the identity text").click()
    expect(page.get_by_role("button", name=re.compile("^Accept")).first).to_be_visible()


def checked_draft(page: Page) -> None:
    stay_signed_in(page, "demo")
    page.goto("/characters/elena/edit/")
    page.get_by_role("link", name="Check the draft").click()
    expect(page.locator("#lint-title + .count")).to_contain_text("remark")


def unsaved_texts(page: Page) -> None:
    """A second tab reads, and what it typed before it learned that lies under Revisions."""
    stay_signed_in(page, "demo")
    page.goto("/characters/elena/edit/")
    other = page.context.new_page()
    other.goto("/characters/elena/edit/")
    for tab, word in ((page, "patient"), (other, "calm")):
        tab.get_by_label("Comes first in every prompt").fill(f"You are {{{{char}}}}, {word}.")
        expect(tab.locator("#saved")).to_contain_text("aved")
    other.close()
    page.goto("/characters/elena/revisions/")
    expect(page.get_by_role("region", name="Unsaved changes")).to_be_visible()


def document(page: Page) -> None:
    stay_signed_in(page, "demo")
    page.goto("/knowledge/dnd_campaign/")
    page.get_by_role("link", name="session_12_the_night_of_two_fires.md").click()
    expect(page.locator(".chunk").first).to_be_visible()


def previewed_chunks(page: Page) -> None:
    stay_signed_in(page, "demo")
    page.goto("/knowledge/dnd_campaign/")
    page.get_by_text("See the chunks first").click()
    file = {"name": "tides.md", "mimeType": "text/markdown", "buffer": b"# Tides\n\nHigh water at noon."}
    page.get_by_label(re.compile("Files to upload")).set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview .chunk")).to_be_visible()


def without_a_role(page: Page) -> None:
    page.context.clear_cookies()
    sign_in_with_password(page, "outsider", "outside")
    expect(page.get_by_role("heading", level=1)).to_have_text("No role yet")


def routing_run(page: Page) -> None:
    sign_in(page, "demo")
    page.goto("/routing/lab/")
    for text, base in (("Who holds the tower?", "D&D campaign"), ("Luna knocked my tea over again.", "no base")):
        page.get_by_label("Message", exact=True).fill(text)
        page.get_by_label("The base that the message is about").select_option(base)
        page.get_by_role("button", name="Label", exact=True).click()
        expect(page.locator("#labels")).to_contain_text(text)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("heading", name="How often right")).to_be_visible()
    unfold(page)


PAGES: dict[str, Callable[[Page], None]] = {
    "login": login,
    "refused login": refused_login,
    "playground": at("demo", "/playground/"),
    "new conversation": at("demo", "/playground/with/elena/"),
    "conversation": trace,
    "conversation that remembers": memories,
    "as whom to talk": at("demo", "/playground/with/elena/?find=a"),
    "characters": at("demo", "/characters/"),
    "sheet": at("demo", "/characters/elena/"),
    "new character": at("demo", "/characters/new/"),
    "identity": at("demo", "/characters/elena/edit/"),
    "facts": facts_table,
    "yaml": at("demo", "/characters/elena/edit/yaml/"),
    "personas": at("demo", "/characters/elena/edit/personas/"),
    "suggested facts": suggested_facts,
    "greetings and lore": at("demo", "/characters/elena/edit/prompt/"),
    "lint": checked_draft,
    "unsaved texts": unsaved_texts,
    "try": at("demo", "/characters/elena/edit/try/?question=How+is+your+family%3F"),
    "anchors and concepts": at("demo", "/characters/elena/edit/themes/"),
    "settings": at("demo", "/characters/elena/edit/settings/"),
    "learned facts": at("demo", "/characters/livio/learned/"),
    "learned facts to read": at("operator", "/characters/livio/learned/"),
    "where learned facts come from": at("demo", "/review/origins/livio/"),
    "revisions": at("demo", "/characters/elena/revisions/"),
    "comparison": at("demo", "/characters/elena/compare/?from=1&to=draft"),
    "publishing": at("demo", "/characters/elena/publish/preview/"),
    "import of a character": at("demo", "/characters/import/"),
    "preview of a card": previewed_card,
    "exports": at("demo", "/characters/elena/exports/"),
    "knowledge": at("demo", "/knowledge/"),
    "base": at("demo", "/knowledge/dnd_campaign/"),
    "trying a message": at("demo", "/routing/?q=Who+holds+the+tower%3F&character=elena"),
    "routing lab": at("demo", "/routing/lab/"),
    "routing run": routing_run,
    "use of bases": at("demo", "/knowledge/use-of-bases/"),
    "use of a base": at("demo", "/knowledge/dnd_campaign/use/"),
    "turns of a base": at("demo", "/knowledge/dnd_campaign/turns/"),
    "document": document,
    "settings of a base": at("demo", "/knowledge/dnd_campaign/settings/"),
    "preview of chunks": previewed_chunks,
    "registration": at("demo", "/knowledge/register-a-base/"),
    "imports": at("demo", "/import/"),
    "preview of an import": previewed_import,
    "import": at("demo", "/import/1/"),
    "dashboard": at("demo", "/dashboard/?period=7d"),
    "drift": at("demo", "/dashboard/drift/"),
    "audit log": at("demo", "/audit/"),
    "health": at("demo", "/health/"),
    "language model": at("demo", "/language-model/"),
    "decisions": at("demo", "/review/decisions/"),
    "an empty queue": at("demo", "/review/?shown=deferred&q=nothing+like+it"),
    "somebody without a role": without_a_role,
    "not allowed": at("author", "/playground/", 403),
    "nothing here": at("demo", "/nothing/", 404),
}


@pytest.mark.timeout(400)
def test_every_page_fits_and_is_accessible(page: Page) -> None:
    wrong = {}
    for name, go in PAGES.items():
        try:
            go(page)
            assert_good_everywhere(page)
        except AssertionError as error:
            wrong[name] = str(error)
    assert wrong == {}


def test_the_theme_button_overrides_the_system_and_is_remembered(page: Page) -> None:
    sign_in(page, "demo")
    page.emulate_media(color_scheme="light")
    button = page.get_by_role("button", name=re.compile("Theme"))
    for theme in ("light", "dark"):
        button.click()
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == dark
