"""Writing: published from a folder, and gone from the next turn what was removed there."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from kgadmin.embedded.servers import wait_for
from tests.browser.pages import ask, sign_in, stage
from tests.fixtures.program import is_settled
from tests.program import Run

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240), pytest.mark.xdist_group("browser")]

PICKUPS = "MATCH (c:Character {name: $name})-[f:FACT]->(e) WHERE f.predicate = 'DRIVES' RETURN e.name AS name"
QUESTION = "What do you drive?"


def test_a_fact_that_is_removed_is_gone_from_the_next_turn_and_from_the_graph(
    page: Page, program: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "marina"
    program.manage("export_character", "elena", str(folder))
    sheet = (folder / "background.yaml").read_text().replace("Elena Rodriguez", "Marina Ortega")
    (folder / "background.yaml").write_text(sheet)
    program.manage("publish_character", "marina", str(folder), "--create")
    assert wait_for(lambda: is_settled(program), 60)
    sign_in(page, "demo")
    turn = ask(page, QUESTION, character="marina")
    expect(turn.locator(".reply")).to_contain_text("2004 pickup")

    without = re.sub(r"  - predicate: DRIVES\n    object: .*2004 pickup.*\n", "", sheet)
    (folder / "background.yaml").write_text(without)
    assert "- DRIVES" in program.manage("publish_character", "marina", str(folder))
    assert wait_for(lambda: is_settled(program), 60)
    ask(page, QUESTION, character="marina")
    expect(stage(page, "background")).to_contain_text("from the graph")
    expect(page.locator("#trace")).not_to_contain_text("2004 pickup")
    graph = program.graph()
    assert graph.read(PICKUPS, name="Marina Ortega") == []
    assert len(graph.read(PICKUPS, name="Elena Rodriguez")) == 1
    graph.close()
    page.goto("/characters/marina/")
    expect(page.get_by_role("region", name="Revisions")).to_contain_text("Revision 2 live")
    expect(page.get_by_role("region", name="Facts")).not_to_contain_text("DRIVES")
