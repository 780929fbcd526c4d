"""What was written before stays: a backup of 24 November 2026, put into an empty folder, is started and shown."""

from typing import Any

import httpx
import pytest

from tests.kgadmin.embedded.commands import drift, is_projected
from tests.patience import wait_for
from tests.program import Run

pytestmark = [
    pytest.mark.runner,
    pytest.mark.begins_program,
    pytest.mark.timeout(300),
    pytest.mark.xdist_group("browser"),
]

KEY = "kg-8VzyuIf7LxCxwUxy5FdhxdXmXeN96ak1QTBB9DXob90"
"""Of the scopes read and write, made for this backup; it opens nothing else."""


def get(program: Run, path: str) -> Any:
    answer = httpx.get(f"{program.address}api{path}", headers={"Authorization": f"Bearer {KEY}"}, timeout=20)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_nothing_differs_from_the_database(program: Run) -> None:
    assert wait_for(lambda: is_projected(program), 60, every=0.5), drift(program)


def test_conversation_draft_decisions_and_learned_fact_are_there(program: Run) -> None:
    messages = get(program, "/conversations/21/messages")["items"]
    assert "My dog is called Tasso and I moved to Trieste last spring." in [each["text"] for each in messages]
    assert [each["facts"][-1]["object"] for each in [get(program, "/characters/elena/draft")["sheet"]]] == [
        "an old bicycle named Gaviota"
    ]
    learned = get(program, "/characters/elena/learned")["items"]
    assert ("FAVORITE_DRINK", "hibiscus tea", True) in [(e["predicate"], e["object"], e["pinned"]) for e in learned]
    decided = {each["object"]: each["state"] for each in get(program, "/proposals?shown=rejected")["items"]}
    assert decided == {"jazz": "rejected"}
    known = [each["sentence"] for each in get(program, "/people/2/facts?character=elena")["items"]]
    assert "Mark has a dog called Tasso" in known


def test_the_character_answers_from_what_was_there(program: Run) -> None:
    asked = {"character": "elena", "message": "What do you like to drink?"}
    headers = {"Authorization": f"Bearer {KEY}"}
    answer = httpx.post(f"{program.address}api/conversations", json=asked, headers=headers, timeout=60)
    assert "hibiscus tea" in answer.json()["reply"]
