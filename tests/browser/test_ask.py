"""Asking: what the issue's examples bring, and the trace that shows why."""

import re

import pytest
from playwright.sync_api import Page, expect

from characters.turn.trace import STAGES
from kgadmin.embedded.servers import wait_for
from tests.browser.pages import ask, say, sign_in, stage
from tests.fixtures.program import is_in_the_graph
from tests.program import Run

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240), pytest.mark.xdist_group("browser")]

QUESTIONS = {
    "probe": "which knowledge base is this about?",
    "persona": "which hat",
    "intent": "what kind of message is this?",
    "background": "which facts",
    "user_facts": "what is known of the person",
    "ambient": "what comes to mind by itself?",
    "memory": "what did they say before?",
    "documents": "what do the knowledge bases say?",
    "prompt": "what is the model sent?",
    "reply": "what did it answer?",
}
FAMILY = "How has your family influenced your decision to be a marine biologist?"
ROGUES_END = "What happened at Rogue's End after the Tower Faction arrived?"
LAB_LOG = "Check the lab log for when Rupert's character sheet was last updated"


@pytest.fixture
def tester_page(page: Page) -> Page:
    sign_in(page, "tester")
    return page


def test_a_question_about_her_family_shows_the_facts_that_answer_it(tester_page: Page, program: Run) -> None:
    page = tester_page
    assert wait_for(lambda: is_in_the_graph(program), 60, every=0.2), program.output
    turn = ask(page, FAMILY)
    expect(turn.locator(".reply")).to_contain_text("My father is a commercial fisherman")
    background = stage(page, "background")
    used = background.get_by_role("table", name=re.compile("Facts used"))
    expect(used.get_by_role("row", name=re.compile("HAS_FATHER"))).to_contain_text(re.compile("High|Medium|Low"))
    expect(used.locator("tbody tr").first.locator(".score")).to_have_count(4)
    background.get_by_text("near misses").click()
    expect(background.get_by_role("table", name=re.compile("not used"))).to_be_visible()
    expect(background).to_contain_text("read from the graph")


def test_the_prompt_stands_in_sections_with_tokens_and_budgets(tester_page: Page) -> None:
    page = tester_page
    ask(page, FAMILY)
    prompt = stage(page, "prompt")
    expect(prompt.get_by_role("list", name="Tokens per section").get_by_role("link")).not_to_have_count(0)
    section = prompt.locator("#section-background")
    expect(section.locator("summary")).to_contain_text(re.compile(r"\d+\s*/\s*\d+"))
    expect(section).to_contain_text("[RELEVANT BACKGROUND]")
    expect(section).to_contain_text("My father is a commercial fisherman")
    expect(section).not_to_contain_text("HAS_FATHER")


def test_the_waterfall_shows_every_stage_against_its_budget(tester_page: Page) -> None:
    page = tester_page
    ask(page, FAMILY)
    waterfall = page.get_by_role("list", name="Stage times and their budgets")
    names = waterfall.locator("li a").all_inner_texts()
    assert names == [name.capitalize().replace("_", " ") for name in STAGES]
    expect(waterfall.locator("#bar-probe .time")).to_contain_text("of 75 ms")
    expect(waterfall.locator("#bar-prompt .time")).to_contain_text("of 10 ms")


def test_each_heading_says_what_its_stage_is_for(tester_page: Page) -> None:
    ask(tester_page, "Hi there")
    for name, question in QUESTIONS.items():
        expect(tester_page.locator(f"#stage-{name} h3")).to_contain_text(question)


def test_each_stage_has_an_address_that_opens_it(tester_page: Page) -> None:
    page = tester_page
    ask(page, "Where are you from?")
    turn = page.url.rstrip("/")
    for name in STAGES:
        page.goto(f"{turn}/{name}/#stage-{name}")
        expect(page.locator(f"#stage-{name}")).to_have_attribute("open", "")
        expect(page.locator(f"#stage-{name}")).to_be_in_viewport()
    page.get_by_role("link", name="Link to this stage").first.click()
    expect(page.locator(".turn")).to_have_attribute("aria-current", "true")


def test_a_question_about_the_campaign_brings_its_persona_and_its_documents(tester_page: Page) -> None:
    page = tester_page
    ask(page, ROGUES_END)
    probe = stage(page, "probe")
    expect(probe.get_by_label("Phrases")).to_contain_text("Rogue's End")
    expect(probe.get_by_label("Phrases")).to_contain_text("Tower Faction")
    hit = probe.locator(".hit").first
    expect(hit).to_contain_text("dnd_campaign")
    assert "--threshold" in str(hit.locator(".score").get_attribute("style"))
    expect(probe.get_by_role("row", name=re.compile("dnd_campaign primary"))).to_be_visible()
    persona = stage(page, "persona")
    expect(persona).to_contain_text("Game night")
    expect(persona).to_contain_text("goes with dnd_campaign")
    expect(persona).to_contain_text("margin")
    expect(stage(page, "documents")).to_contain_text("session_11_the_tower_at_the_gate.md")
    expect(stage(page, "prompt")).to_contain_text("[PRIMARY CONTEXT - dnd_campaign]")


def test_a_question_with_a_second_subject_brings_a_supplemental_base(tester_page: Page) -> None:
    page = tester_page
    ask(page, LAB_LOG)
    probe = stage(page, "probe")
    expect(probe.get_by_role("row", name=re.compile("lab_handbook primary"))).to_be_visible()
    expect(probe.get_by_role("row", name=re.compile("dnd_campaign supplemental"))).to_be_visible()
    expect(page.locator("#stage-prompt")).to_contain_text("[SUPPLEMENTAL - dnd_campaign]")


def test_a_greeting_brings_nothing_and_says_why(tester_page: Page) -> None:
    page = tester_page
    ask(page, "Hi there")
    for name in ("probe", "background", "documents"):
        expect(page.locator(f"#stage-{name} .outcome")).to_have_text(re.compile("^Nothing: .{5,}"))
    sources = page.locator(".turn .sources")
    expect(sources).to_have_attribute("aria-label", re.compile("identity"))
    expect(sources).not_to_have_attribute("aria-label", re.compile("background|primary"))


@pytest.mark.parametrize(
    ("question", "predicates"),
    [
        ("Where are you from?", "GREW_UP_IN|BORN_IN|HAS_HERITAGE"),
        ("How's your family?", "HAS_FATHER|HAS_MOTHER|HAS_BROTHER|HAS_SISTER"),
        ("Were you born near the ocean?", "BORN_IN"),
        ("What do you like?", "LIKES|LOVES"),
        ("Tell me about yourself", "IS_A"),
    ],
)
def test_short_questions_are_answered_from_her_facts(tester_page: Page, question: str, predicates: str) -> None:
    ask(tester_page, question)
    facts = stage(tester_page, "background").get_by_role("table", name=re.compile("Facts used"))
    expect(facts.get_by_role("row", name=re.compile(predicates)).first).to_be_visible()


def test_familiar_does_not_find_family_and_your_job_finds_at_most_the_occupation(tester_page: Page) -> None:
    page = tester_page
    ask(page, "Is that song familiar?")
    used = page.locator("#stage-background table.signals:not(.near)")
    expect(used.get_by_role("row", name=re.compile("HAS_FATHER|HAS_MOTHER|HAS_FAMILY"))).to_have_count(0)
    say(page, "Your job?")
    predicates = used.locator(".predicate").all_text_contents()
    assert [predicate for predicate in predicates if not predicate.startswith("IS_A")] == []


def test_a_conversation_goes_on_and_its_turns_can_be_walked(tester_page: Page) -> None:
    page = tester_page
    ask(page, "Where are you from?")
    first = page.url
    say(page, "What do you like?")
    expect(page).not_to_have_url(first)
    expect(page.get_by_role("heading", name="Trace of turn 2")).to_be_visible()
    expect(page.get_by_label(re.compile("^Message to"))).to_have_value("")
    page.get_by_role("link", name="Previous turn").click()
    expect(page.get_by_role("heading", name="Trace of turn 1")).to_be_visible()
    expect(page.locator(".turn").first).to_have_attribute("aria-current", "true")
    page.goto("/playground/")
    expect(page.get_by_role("region", name="Your conversations").get_by_role("link").first).to_have_text(
        "Where are you from?"
    )


def test_what_a_tester_types_is_shown_and_never_executed(tester_page: Page) -> None:
    page = tester_page
    typed = '<script>document.title="gone"</script> {{char}} {{7*7}} MATCH (n) DETACH DELETE n'
    turn = ask(page, typed)
    expect(turn.locator(".said").first).to_contain_text(typed)
    expect(page).not_to_have_title("gone")
