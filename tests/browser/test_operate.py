"""Operating: a base is registered, files are dropped in, and the next turn finds them."""

import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import ask, sign_in, stage
from tests.kgadmin.knowledge.made_files import docx, pdf

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
    expect(stage(page, "probe")).to_contain_text("Apiary book is primary")
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


MINUTES = """<html><head><title>Minutes</title><script>alert(1)</script></head><body><h1>Minutes of the choir</h1>
<h2>Robes</h2><p>The robes are washed in Kruger's laundry on the first Monday of a month.</p></body></html>"""
ORGAN = ("The organ of Saint Barbara", "The trumpet stop of the organ sticks in cold weather: warm it with a lamp.")
RULES = (("Heading1", "Rules of the choir"), ("Normal", "Whoever misses three rehearsals sings no solo at Easter."))
KEYS_OF = "voice,singer,locker\nalto,Wanda Berg,17\nbass,Otto Lind,4\n"
PLAN = '{"Easter": {"mass": "Missa Brevis", "conductor": "Hanna Kowal"}}'


def test_an_operators_hour_with_real_files(page: Page, tmp_path: Path) -> None:
    """Files of each kind, a zip and a folder; what a turn would do; a threshold; labels and their run."""
    folder = tmp_path / "choir"
    folder.mkdir()
    (folder / "minutes.html").write_text(MINUTES)
    (folder / "organ.pdf").write_bytes(pdf(*ORGAN))
    (folder / "locked.pdf").write_bytes(pdf(*ORGAN, password="secret"))
    (folder / "rules.docx").write_bytes(docx(*RULES))
    (folder / "lockers.csv").write_text(KEYS_OF)
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("plans/easter.json", PLAN)
        archive.writestr("plans/inner.zip", b"PK\x03\x04")
    sign_in(page, "demo")
    page.goto("/knowledge/register-a-base/")
    page.get_by_label("Name").fill("Choir book")
    page.get_by_role("button", name="Register").click()
    page.get_by_text("A whole folder").click()
    page.get_by_label("A folder to upload").set_input_files(folder)
    page.get_by_label(re.compile("Files to upload")).set_input_files(tmp_path / "more.zip")
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.locator("#messages")).to_contain_text("inner.zip: ")
    there = [f"choir/{name}" for name in ("minutes.html", "organ.pdf", "rules.docx", "lockers.csv")]
    for name in (*there, "more/plans/easter.json"):
        expect(page.get_by_role("row", name=name)).to_contain_text("Done")
    expect(page.get_by_role("row", name="locked.pdf")).to_contain_text("password")
    expect(page.get_by_role("progressbar")).to_have_count(0)
    page.reload()
    expect(page.locator("#threshold")).to_contain_text("Measured when the documents were read")

    page.get_by_label("A message to try").fill("Why does the trumpet stop of the organ stick?")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.locator("#outcome")).to_contain_text("Choir book is primary")
    choir = page.locator("#base-choir_book")
    expect(choir.locator("li").first).to_contain_text("pages 1 to 2")
    expect(choir.locator("mark", has_text="trumpet").first).to_be_visible()
    choir.get_by_role("button", name="Set the threshold here").first.click()
    expect(page.locator("#messages")).to_contain_text("The threshold of Choir book is")
    expect(choir.locator("li.quiet").first).to_contain_text("below the threshold")

    page.get_by_role("button", name="Label").click()
    expect(page.locator("#messages")).to_contain_text("Labelled: Choir book.")
    page.get_by_role("link", name="Routing lab").click()
    page.get_by_label("Message", exact=True).fill("Luna knocked my tea over again.")
    page.get_by_role("button", name="Label", exact=True).click()
    expect(page.locator("#labels")).to_contain_text("Luna knocked my tea over again.")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("heading", name="How often right")).to_be_visible()  # without a reload
    expect(page.locator(".matrix")).to_contain_text("Choir book")
    expect(page.get_by_role("heading", name="Choir book over its threshold")).to_be_visible()
