"""On the rows that were written by hand, before and apart from the cues (tests/data/README.md)."""

import json
import time
from collections.abc import Sequence
from typing import Any

import pytest

from characters.memory.enrichment import cues
from characters.memory.enrichment.cues import Rule, rule_for
from characters.memory.enrichment.pairs import MessageText, Pair
from kgadmin.config import ROOT
from kgadmin.stores.embedder import LocalEmbedder
from tests.characters.memory.enrichment.chats import BEGIN

pytestmark = pytest.mark.timeout(400)  # 550 texts are embedded, beside whatever else runs

Row = dict[str, Any]
Labelled = Sequence[tuple[Row, Rule | None]]
ROWS: list[Row] = [json.loads(line) for line in (ROOT / "tests/data/relations.jsonl").read_text().splitlines()]


def pair(earlier: str, later: str, cosine: float | None = None) -> Pair:
    return Pair(MessageText(earlier, 1, BEGIN), MessageText(later, 2, BEGIN), cosine)


@pytest.fixture(scope="module")
def labelled(embedder: LocalEmbedder) -> Labelled:
    texts = sorted({row[side] for row in ROWS for side in ("earlier", "later") if row[side]}, key=len)
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))

    def rule(row: Row) -> Rule | None:
        cosine = float(vectors[row["earlier"]] @ vectors[row["later"]]) if row["earlier"] else None
        return rule_for(pair(row["earlier"], row["later"], cosine))

    return [(row, rule(row)) for row in ROWS]


def test_each_rule_was_counted_as_it_is(labelled: Labelled) -> None:
    for rule in cues.RULES:
        fits = [row["relation"] == rule.relation for row, each in labelled if each is rule and row["split"] == "dev"]
        assert (rule.right, rule.fits) == (sum(fits), len(fits)), rule.evidence


def test_what_is_classified_of_unseen_rows_is_right_as_often_as_it_says(labelled: Labelled) -> None:
    held = [(row, rule) for row, rule in labelled if row["split"] == "held"]
    classified = [(row["relation"] == rule.relation, rule.confidence) for row, rule in held if rule]
    right = sum(ok for ok, _ in classified) / len(classified)
    assert right >= sum(sure for _, sure in classified) / len(classified) - 0.1
    assert len(classified) >= 0.5 * len(held)


def test_what_no_word_shows_is_not_classified() -> None:
    assert cues.classify(pair("The boiler leaks again.", "And the valve drips.", 0.5)) is None
    assert cues.classify(pair("", "", None)) is None


def test_a_very_long_message_is_quick() -> None:
    long = "not never don't " * 5_000
    began = time.perf_counter()
    assert rule_for(pair(long, f"{long}any more")) is None
    assert time.perf_counter() - began < 1
