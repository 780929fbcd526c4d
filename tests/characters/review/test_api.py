"""The review queue through the API: what waits and why, who reads it, and what is decided."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.review.proposals import proposal, state, stated
from tests.rest import call, get

pytestmark = pytest.mark.django_db
STATED = "My favorite coral is staghorn."


@pytest.fixture
def other_client(client: Client, other: User) -> Client:
    client.force_login(other)
    return client


def listed(client: Client, query: str = "") -> list[str]:
    return [row["object"] for row in get(client, f"/proposals{query}")["items"]]


def post(client: Client, path: str, **body: Any) -> Any:
    answer = call(client, "POST", path, body)
    assert answer.status == 200, answer.body
    return answer.body


def test_the_queue_is_filtered_and_counted(operator_client: Client, ann: Character) -> None:
    proposal(ann, priority=2.0)
    proposal(ann, "LOVES", "fog", priority=1.0)
    proposal(ann, "LOVES", "old rope", state="rejected", decided_at=timezone.now())
    assert listed(operator_client) == ["staghorn", "fog"]
    assert listed(operator_client, "?shown=rejected") == ["old rope"]
    assert listed(operator_client, "?verdict=duplicate:warn&age=day&limit=1&offset=1") == ["fog"]
    counts = {"waiting": 1, "deferred": 0, "approved": 0, "rejected": 1}
    assert get(operator_client, "/proposals/counts?predicate=LOVES") == counts
    assert call(operator_client, "GET", "/proposals?verdict=taste:bad").status == 422


def test_one_proposal_has_what_an_operator_goes_by(operator_client: Client, tester: User, ann: Character) -> None:
    row = proposal(ann)
    for sentence, name in ((STATED, "Mark"), ("I love staghorn coral most.", "Bea")):
        stated(row, sentence, by=tester, to=name)
    detail = get(operator_client, f"/proposals/{row.pk}")
    assert [detail[name] for name in ("sentence", "claims", "people")] == ["My favorite coral: staghorn.", 2, 2]
    assert [each["sentence"] for each in detail["occurrences"]] == ["I love staghorn coral most.", STATED]
    assert detail["occurrences"][1]["person_name"] == "Mark"
    assert detail["verdicts"] == {"taint": "good", "duplicate": "warn"}


def test_it_is_approved_in_other_words_deferred_or_rejected_and_that_undone(
    operator_client: Client, ann: Character
) -> None:
    row = proposal(ann)
    body = {"version": 1, "predicate": "LOVES", "object": "staghorn  coral", "note": "Said twice."}
    done = post(operator_client, f"/proposals/{row.pk}/approve", **body)
    assert (done["state"], done["object"], done["version"]) == ("approved", "staghorn coral", 2)
    assert str(ann.learned.active().get()) == "LOVES staghorn coral"
    (decision,) = done["decisions"]
    assert (decision["verb"], decision["by"], decision["note"]) == ("approved", "operator", "Said twice.")
    back = post(operator_client, f"/decisions/{decision['id']}/undo")
    assert (back["state"], back["object"], ann.learned.active().count()) == ("open", "staghorn", 0)
    assert back["decisions"][0]["undone_at"]
    assert call(operator_client, "POST", f"/decisions/{decision['id']}/undo").status == 409
    until = (timezone.now() + timedelta(days=1)).isoformat()
    later = post(operator_client, f"/proposals/{row.pk}/defer", version=back["version"], until=until)
    assert later["deferred_until"]
    done = post(operator_client, f"/proposals/{row.pk}/reject", version=later["version"], reason="vague")
    assert (done["state"], done["decisions"][0]["reason"]) == ("rejected", "vague")


def test_what_one_operator_reads_another_does_not_decide_until_the_first_lets_go(
    operator_client: Client, other_client: Client, ann: Character
) -> None:
    reserve = f"/proposals/{proposal(ann).pk}/reserve"
    assert post(other_client, reserve)["reserved_by"] == "other"
    for path, body in ((reserve, {}), (reserve.replace("reserve", "approve"), {"version": 1})):
        answer = call(operator_client, "POST", path, body)
        assert (answer.status, answer.detail[:28]) == (409, "other is reviewing this now.")
    for client, holder in ((operator_client, "other"), (other_client, None)):
        assert call(client, "DELETE", reserve, {}).status == 204
        assert get(operator_client, reserve.removesuffix("/reserve"))["reserved_by"] == holder


def test_many_are_decided_at_once_and_taken_back_at_once(operator_client: Client, ann: Character) -> None:
    good, father, gone = proposal(ann), proposal(ann, "HAS_FATHER", "a pilot"), proposal(ann, "LOVES", "fog", version=3)
    targets = [{"id": each, "version": 1} for each in (good.pk, father.pk, gone.pk, 999)]
    report = post(operator_client, "/proposals/decide", verb="approve", proposals=targets)
    assert report["done"] == [good.pk]
    assert [row["id"] for row in report["left"]] == [father.pk, gone.pk, 999]
    decisions = get(operator_client, f"/decisions?batch={report['batch']}&by=operator&verb=approved")
    assert [row["proposal"] for row in decisions["items"]] == [good.pk]
    undone = post(operator_client, f"/batches/{report['batch']}/undo")
    assert (undone["done"], state(good)) == ([good.pk], "open")
    assert post(operator_client, f"/batches/{report['batch']}/undo") == undone


def test_a_character_that_an_operator_may_not_know_of_has_no_proposals(operator_client: Client, ann: Character) -> None:
    row = proposal(ann)
    Character.objects.filter(pk=ann.pk).update(live_revision=None)
    assert listed(operator_client) == []
    assert call(operator_client, "GET", f"/proposals/{row.pk}").status == 404
    report = post(operator_client, "/proposals/decide", verb="defer", proposals=[{"id": row.pk, "version": 1}])
    assert report["left"] == [{"id": row.pk, "why": "There is no such proposal."}]
