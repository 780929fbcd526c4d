"""On the rows that were written by hand, before and apart from the cues (tests/data/README.md)."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from characters.domain.relations import CLASSES
from characters.memory.enrichment import cues
from characters.memory.enrichment.cues import Rule, confidence, rule_for
from characters.memory.enrichment.traits import Both, Message
from kgadmin.config import ROOT
from kgadmin.stores.local_embedder import LocalEmbedder

pytestmark = pytest.mark.timeout(400)  # 550 texts are embedded, beside whatever else runs

Row = dict[str, Any]
ROWS: list[Row] = [json.loads(line) for line in (ROOT / "tests/data/relations.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def found(embedder: LocalEmbedder) -> list[tuple[Row, Rule | None]]:
    texts = sorted({row[side] for row in ROWS for side in ("earlier", "later") if row[side]}, key=len)
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))

    def rule(row: Row) -> Rule | None:
        cosine = float(vectors[row["earlier"]] @ vectors[row["later"]]) if row["earlier"] else None
        return rule_for(Both(Message(row["earlier"]), Message(row["later"]), cosine))

    return [(row, rule(row)) for row in ROWS]


def f1(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    right = Counter(wanted for wanted, got in pairs if wanted == got)
    said, there = Counter(got for _, got in pairs), Counter(wanted for wanted, _ in pairs)
    return {name: 2 * right[name] / (said[name] + there[name]) for name in CLASSES}


def test_the_classes_are_found_without_a_model(found: list[tuple[Row, Rule | None]]) -> None:
    for split, least in (("dev", 0.90), ("held", 0.65)):
        pairs = [(row["relation"], rule.relation if rule else "") for row, rule in found if row["split"] == split]
        scores = f1(pairs)
        assert sum(scores.values()) / len(CLASSES) >= least, scores


def test_each_rule_was_counted_as_it_is(found: list[tuple[Row, Rule | None]]) -> None:
    counted = {
        rule.name: (
            sum(each is rule and row["relation"] == rule.relation for row, each in found if row["split"] == "dev"),
            sum(each is rule for row, each in found if row["split"] == "dev"),
        )
        for rule in cues.RULES
    }
    assert counted == cues.COUNTED


def test_what_reaches_the_usual_threshold_is_right_as_often_as_it_says(
    found: list[tuple[Row, Rule | None]],
) -> None:
    drawn = [
        (row["relation"] == rule.relation, confidence(rule))
        for row, rule in found
        if row["split"] == "held" and rule and confidence(rule) >= 0.6
    ]
    right = sum(ok for ok, _ in drawn) / len(drawn)
    said = sum(sure for _, sure in drawn) / len(drawn)
    assert right >= said - 0.1


def test_a_very_long_message_is_quick(benchmark: Any) -> None:
    long = Message("not never don't " * 500)
    assert benchmark(lambda: rule_for(Both(long, Message(long.text + "any more")))) is not None
