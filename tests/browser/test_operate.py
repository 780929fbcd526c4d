"""Operating: a base is registered, files are dropped in, and the next turn finds them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import ask, sign_in, stage

BEES = """# The hives on the roof

## Varroa treatment

The apiary on the roof of Sverdrup Hall was treated with oxalic acid on 3 January. Hive Marguerite had eleven mites per
hundred bees before the treatment and one after it.

## Honey

Hive Marguerite gave nine kilograms of eucalyptus honey in the summer.
"""
KEYS = "The key of the apiary hangs behind the autoclave. Whoever opens a hive signs the beekeeper's book."

WEATHER = "\n\n".join(
    f"Day {day}. " + "Wind from the west, no bees before ten, a heavy dew. " * 20 for day in range(60)
)
"""Long enough to watch it being embedded."""


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    (tmp_path / "hives.md").write_text(BEES)
    (tmp_path / "keys.txt").write_text(KEYS)
    (tmp_path / "weather.txt").write_text(WEATHER)
    (tmp_path / "broken.txt").write_bytes("Größe".encode() + b"\xe2\x28")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\0\0\0")
    return sorted(tmp_path.iterdir())


def test_a_new_base_is_filled_and_the_next_turn_finds_it(page: Page, files: list[Path]) -> None:
    sign_in(page, "demo")
    page.goto("/knowledge/")
    page.get_by_role("link", name="Register base").click()
    page.get_by_label("Name").evaluate("(field) => (field.required = false)")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("alert")).to_contain_text("Fill in: Name.")
    expect(page.get_by_label("Name")).to_be_focused()
    expect(page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Name").fill("Apiary book")
    expect(page.get_by_label("Name")).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Register").click()
    expect(page.locator("#messages")).to_contain_text("Apiary book is registered")

    page.get_by_label(re.compile("Files to upload")).set_input_files(files)
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.locator("#messages")).to_contain_text("photo.png: This kind of file can't be read")
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_role("row", name="hives.md")).to_contain_text("Done")  # without a reload
    expect(page.get_by_role("row", name="keys.txt")).to_contain_text("Done")
    broken = page.get_by_role("row", name="broken.txt")
    expect(broken).to_contain_text("Failed")
    expect(broken.locator("small").last).to_have_text(re.compile(".{20,}"))
    expect(page.get_by_role("row", name="weather.txt")).to_contain_text("Done", timeout=120_000)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    base = page.url

    ask(page, "How many mites did Hive Marguerite have before the varroa treatment?")
    probe = stage(page, "probe")
    expect(probe.get_by_role("row", name=re.compile("Apiary book primary"))).to_be_visible()
    expect(page.locator(".turn .reply")).to_contain_text("eleven mites")

    page.goto(base)
    page.get_by_label("Used in conversations").click()
    expect(page.locator("#messages")).to_contain_text("no longer used in conversations")
    ask(page, "How many mites did Hive Marguerite have before the varroa treatment?")
    expect(page.locator("#stage-probe")).not_to_contain_text("Apiary book")
