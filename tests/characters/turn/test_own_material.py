"""The questions of `topics.txt` and `asking.txt` are this program's own: none is a row of a public evaluation set."""

import json
import os
from pathlib import Path

import pytest

from characters.domain import lexicon, topics, words
from characters.turn import weights

EVALS = Path(os.environ.get("EVALS", ""))
SETS = ("a_rosie", "a_clinc_we", "a_locomo")
FILES = (topics.FILE, weights.FILE.with_name("asking.txt"))


def plain(text: str) -> str:
    """Without case and punctuation."""
    return " ".join(words.tokens(text))


@pytest.mark.skipif(not os.environ.get("EVALS"), reason="EVALS names no folder")
def test_no_line_is_a_question_of_the_evaluation_sets() -> None:
    rows = [line for each in SETS for line in (EVALS / each / "dev.jsonl").read_text().splitlines()]
    asked = {plain(json.loads(row)["q"]) for row in rows}
    assert len(asked) > 1_000
    lines_here = [line for file in FILES for _, lines in lexicon.read_blocks(file) for line in lines]
    assert [line for line in lines_here if plain(line) in asked] == []
