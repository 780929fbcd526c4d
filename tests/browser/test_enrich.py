"""An operator enriches a person's messages, and has the last word on how two of them relate."""

from playwright.sync_api import Page, expect

from tests.browser.pages import assert_good_everywhere, sign_in


def start_run(page: Page) -> None:
    page.goto("/enrichment/")
    page.get_by_label("Character").select_option(label="Elena Rodriguez")
    page.get_by_label("Similarity floor").fill("0.4")
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("heading", name="Progress")).to_be_visible()
    expect(page.locator("#progress .state").first).to_have_text("Done")


def test_an_operator_runs_an_enrichment_and_relabels_what_it_found(page: Page) -> None:
    sign_in(page, "operator")
    start_run(page)
    expect(page.locator("#progress")).to_contain_text("No language model was asked")
    assert_good_everywhere(page)
    page.get_by_role("link", name="Enrichment", exact=True).first.click()
    page.get_by_role("link", name="Browse relations").click()
    page.get_by_label("Class", exact=True).select_option("Contrast")
    page.get_by_role("button", name="Filter").click()
    relation = page.locator(".relation").filter(has_text="I want to start yoga").filter(has_text="I changed my mind")
    expect(relation).to_have_count(1)
    assert_good_everywhere(page)
    relation.get_by_label("Class of this pair").select_option("Reframe/Correction")
    relation.get_by_role("button", name="Relabel").click()
    expect(relation).to_contain_text("Decided by operator")
    relation.get_by_role("button", name="Reject").click()
    expect(relation).to_contain_text("Rejected")
    relation.get_by_label("Class of this pair").select_option("Contrast")
    relation.get_by_role("button", name="Relabel").click()
    expect(relation).to_contain_text("Relabelled")
