"""The questions of `topics.txt` and `asking.txt` are this program's own: none is a row of a public evaluation set."""

import json
import os
from pathlib import Path

import pytest

from characters.domain import topics, words

EVALS = Path(os.environ.get("EVALS", ""))
SETS = ("a_rosie", "a_clinc_we", "a_locomo")


def plain(text: str) -> str:
    """Without case and punctuation."""
    return " ".join(words.tokens(text))


@pytest.mark.skipif(not os.environ.get("EVALS"), reason="EVALS names no folder")
@pytest.mark.parametrize("name", ["topics.txt", "asking.txt"])
def test_no_line_is_a_question_of_the_evaluation_sets(name: str) -> None:
    rows = [line for each in SETS for line in (EVALS / each / "dev.jsonl").read_text().splitlines()]
    asked = {plain(json.loads(row)["q"]) for row in rows}
    own = [line for _, lines in topics.read_blocks(topics.FILE.with_name(name)) for line in lines]
    assert len(asked) > 1_000
    assert [line for line in own if plain(line) in asked] == []


@pytest.mark.parametrize("name", ["topics.txt", "asking.txt"])
def test_no_line_stands_twice_under_one_heading(name: str) -> None:
    for heading, lines in topics.read_blocks(topics.FILE.with_name(name)):
        assert len(lines) == len(set(map(plain, lines))), heading
