"""What waits for an operator in the demo, and its graph and vectors made from nothing: as before."""

from io import StringIO

import pytest
from django.core.management import call_command

from characters.review.models import Proposal
from kgadmin.projection import services as projection
from tests.engines.worlds import Ask


def verdicts_of_all() -> dict[str, dict[str, str]]:
    rows = Proposal.objects.prefetch_related("verdicts")
    return {str(row): {each.check_name: each.outcome for each in row.verdicts.all()} for row in rows}


def test_the_queue_begins_with_what_is_worth_most_and_ends_with_what_was_dictated(ask: Ask) -> None:
    waiting = [str(row) for row in Proposal.objects.filter(state="open")]
    assert waiting[0] == "FAVORITE_DRINK hibiscus tea"
    assert waiting[-2:] == ["LIKES oysters", "HATES dolphins"]
    assert set(waiting[1:-2]) == {"LOVES jazz", "HATES jazz", "LOVES paperwork"}


def test_every_kind_of_verdict_is_among_them(ask: Ask) -> None:
    verdicts = verdicts_of_all()
    clean = {"taint": "good", "duplicate": "good", "contradiction": "good", "confidence": "good"}
    assert verdicts["FAVORITE_DRINK hibiscus tea"] == clean | {"validation": "not judged"}
    assert verdicts["HATES dolphins"]["taint"] == verdicts["LIKES oysters"]["taint"] == "bad"
    assert verdicts["LOVES paperwork"]["contradiction"] == "bad"
    assert verdicts["LOVES jazz"]["contradiction"] == verdicts["HATES jazz"]["contradiction"] == "warn"


@pytest.mark.parametrize("store", projection.STORES)
def test_the_demo_from_nothing_is_the_demo(ask: Ask, store: projection.Store) -> None:
    while projection.sweep():  # what other stories said
        continue
    assert projection.waiting() == []
    assert projection.drift() == []
    before = {each.kind: each.stored for each in projection.compare(store)}
    assert sum(each.count for each in before.values()) > 80
    call_command("rebuild", store, stdout=StringIO())
    assert {each.kind: each.stored for each in projection.compare(store)} == before
    assert projection.drift() == []
