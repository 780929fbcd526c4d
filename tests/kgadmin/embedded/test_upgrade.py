"""What was written before stays: a backup of 24 November 2026, put into an empty folder, is started and shown.

It is the demo with a conversation of Mark's, an author's draft, an operator's decisions and a learned fact, and a key
of the scopes read and write (made for this file; it opens nothing else).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kgadmin.config import ROOT
from kgadmin.embedded.servers import wait_for
from tests.kgadmin.embedded.commands import drift, embedded, is_projected
from tests.program import Run, run

pytestmark = [pytest.mark.runner, pytest.mark.timeout(300), pytest.mark.xdist_group("browser")]

BACKUP = ROOT / "tests/data/upgrades/2026-11-24.tar.gz"
KEY = "kg-8VzyuIf7LxCxwUxy5FdhxdXmXeN96ak1QTBB9DXob90"


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    data_dir: Path = tmp_path_factory.mktemp("upgraded") / "data"
    restored = embedded(data_dir, "--restore", str(BACKUP))
    assert (restored.returncode, restored.stderr) == (0, "")
    with run(data_dir, 8700, DEMO="1", LLM_BASE_URL="") as started:
        assert started.is_there(), started.output
        assert "The demo was loaded before" in started.output
        assert wait_for(lambda: is_projected(started), 120, every=0.5), drift(started) + started.output
        yield started


def get(program: Run, path: str) -> Any:
    answer = httpx.get(f"{program.address}api{path}", headers={"Authorization": f"Bearer {KEY}"}, timeout=20)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_conversation_draft_decisions_and_learned_fact_are_there(upgraded: Run) -> None:
    said = get(upgraded, "/conversations/21/messages")["items"]
    assert "My dog is called Tasso and I moved to Trieste last spring." in [each["text"] for each in said]
    assert [each["facts"][-1]["object"] for each in [get(upgraded, "/characters/elena/draft")["sheet"]]] == [
        "an old bicycle named Gaviota"
    ]
    learned = get(upgraded, "/characters/elena/learned")["items"]
    assert ("FAVORITE_DRINK", "hibiscus tea", True) in [(e["predicate"], e["object"], e["pinned"]) for e in learned]
    decided = {each["object"]: each["state"] for each in get(upgraded, "/proposals?shown=rejected")["items"]}
    assert decided == {"jazz": "rejected"}
    known = [each["sentence"] for each in get(upgraded, "/people/2/facts?character=elena")["items"]]
    assert "Mark has a dog called Tasso" in known


def test_she_answers_from_what_was_there(upgraded: Run) -> None:
    asked = {"character": "elena", "message": "What do you like to drink?"}
    headers = {"Authorization": f"Bearer {KEY}"}
    answer = httpx.post(f"{upgraded.address}api/conversations", json=asked, headers=headers, timeout=60)
    assert "hibiscus tea" in answer.json()["reply"]
