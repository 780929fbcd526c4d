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

    chosen = page.get_by_label(re.compile("Files to upload"))
    chosen.set_input_files(next(path for path in files if path.name == "hives.md"))
    page.get_by_text("See the chunks first").click()
    page.get_by_label("Chunk size, in tokens").fill("60")
    page.get_by_label("Overlap, in tokens").fill("10")
    page.get_by_role("button", name="Preview").click()
    preview = page.locator("#preview")
    expect(preview).to_contain_text(re.compile(r"hives\.md: \d chunks"))
    expect(preview).to_contain_text("The hives on the roof > Varroa treatment")
    expect(page.get_by_text("No documents yet")).to_be_visible()

    chosen.set_input_files(files)
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
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Remove failed").click()
    expect(page.locator("#messages")).to_contain_text("1 failed document removed.")
    expect(broken).to_have_count(0)

    ask(page, "How many mites did Hive Marguerite have before the varroa treatment?")
    probe = stage(page, "probe")
    expect(probe.get_by_role("row", name=re.compile("Apiary book primary"))).to_be_visible()
    expect(page.locator(".turn .reply")).to_contain_text("eleven mites")

    page.goto(base)
    page.get_by_label("Used in conversations").click()
    expect(page.locator("#messages")).to_contain_text("no longer used in conversations")
    ask(page, "How many mites did Hive Marguerite have before the varroa treatment?")
    expect(page.locator("#stage-probe")).not_to_contain_text("Apiary book")


def test_a_base_is_set_and_deleted(page: Page) -> None:
    sign_in(page, "demo")
    page.goto("/knowledge/register-a-base/")
    page.get_by_label("Name").fill("Tide tables")
    page.get_by_role("button", name="Register").click()
    page.get_by_role("link", name="Settings", exact=True).first.click()
    page.get_by_label("Name").fill("Gezeiten")
    page.get_by_label("Language").select_option("German")
    page.get_by_label("Only these:").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose a character, or all.")
    page.get_by_label("Elena", exact=False).check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#messages")).to_contain_text("The settings of Gezeiten are saved.")
    expect(page.get_by_text("These documents are in German.")).to_be_visible()

    page.get_by_role("link", name="Settings", exact=True).first.click()
    page.get_by_role("button", name="Delete base…").click()
    expect(page.get_by_text("Delete Gezeiten with 0 documents")).to_be_visible()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator("#messages")).to_contain_text("Gezeiten is deleted.")
    expect(page.locator(".kbs")).not_to_contain_text("Gezeiten")
