"""What waits for an operator in the demo: something of each kind that the gate finds."""

from characters.review.models import Proposal
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
