"""Importing: an operator looks at what a file holds, puts it in, and a longer export adds only what is new."""

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.pages import sign_in

HEAD = {"user_name": "Kaspar", "character_name": "Elena", "create_date": "2025-03-01@20h00m00s"}
MESSAGES = [
    ("Elena", "Hola. Who is at the door?"),
    ("Kaspar", "I'm Kaspar, and I live in Trondheim."),
    ("Elena", "Come in, mind the net."),
    ("Kaspar", "I have a dog called Tue."),
    ("Elena", "Then mind the dog, net."),
    ("Kaspar", "She minds herself."),
]


def chat(count: int) -> dict[str, Any]:
    """A chat of SillyTavern, cut off in the middle of a line after so many messages."""
    lines = [
        {"name": name, "is_user": name == "Kaspar", "send_date": f"March 1, 2025 8:{place:02}pm", "mes": text}
        for place, (name, text) in enumerate(MESSAGES[:count])
    ]
    text = "\n".join(json.dumps(each) for each in [HEAD, *lines]) + '\n{"name": "Kas'
    return {"name": "Elena - 2025.jsonl", "mimeType": "application/jsonl", "buffer": text.encode()}


def upload(page: Page, count: int) -> None:
    page.goto("/import/")
    page.get_by_label(re.compile("^File to upload")).set_input_files(chat(count))  # type: ignore[arg-type]
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_text("nothing is imported yet")).to_be_visible()


def figure(page: Page, name: str) -> str:
    return page.locator(f".figures div:has(dt:text-is('{name}')) dd").first.inner_text()


def test_a_chat_is_looked_at_put_in_and_not_doubled(page: Page) -> None:
    sign_in(page, "operator")
    upload(page, 4)
    expect(page.get_by_role("row", name=re.compile("^6 "))).to_contain_text("Not JSON")
    expect(page.get_by_label("The character")).to_contain_text("Elena Rodriguez")
    expect(page.get_by_label("Name")).to_have_value("Kaspar")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("See what is known about")).to_be_visible()  # without a reload
    assert (figure(page, "New"), figure(page, "Already there")) == ("4", "0")

    upload(page, 6)
    expect(page.get_by_label("The person").locator("option:checked")).to_have_text("Kaspar")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("See what is known about")).to_be_visible()
    assert (figure(page, "New"), figure(page, "Already there")) == ("2", "4")

    page.get_by_role("link", name=re.compile("^See what is known about")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Kaspar")
    expect(page.locator("main")).to_contain_text("Trondheim")
