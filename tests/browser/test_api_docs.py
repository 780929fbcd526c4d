"""The API's documentation: every operation, with examples, and nothing of it from another site."""

from playwright.sync_api import Page, expect

from tests.browser.pages import sign_in


def test_an_operation_is_found_read_and_tried(page: Page) -> None:
    """The `page` itself notes refused scripts, errors of the console and requests to other sites."""
    sign_in(page, "operator")
    page.goto("/api/docs")
    operation = page.locator("#operations-characters-get_characters_slug")
    operation.get_by_role("button").first.click()
    expect(operation).to_contain_text("Commercial fisherman turned restaurant owner")  # an example
    expect(operation).to_contain_text("For the role author or operator or tester.")
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_placeholder("slug").fill("elena")
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table")
    expect(answer.locator(".response-col_status").last).to_contain_text("200")
    expect(answer).to_contain_text("revision")
