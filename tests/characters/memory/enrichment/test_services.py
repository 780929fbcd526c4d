import pytest

from characters.memory.enrichment import services
from characters.memory.models import EnrichmentRun, Relation
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused
from tests.characters.memory.enrichment.chats import YOGA, finish, person, run_over, said


def test_an_estimate_counts_people_messages_and_what_is_to_embed(elena: Character, by: User) -> None:
    said(YOGA, to=elena, by=person(), owner=by)
    said(YOGA, to=elena, by=person("Noor", "noor"), owner=by)
    found = services.estimate(run_over(elena, None))
    assert (found.people, found.messages, found.to_embed, found.calls, found.tokens) == (2, 6, 0, 0, 0)
    assert found.pairs == 6


def test_an_estimate_of_what_is_embedded_counts_the_pairs_that_the_run_will_have(elena: Character, by: User) -> None:
    said([f"Message {n}" for n in range(80)], to=elena, by=person(), owner=by)
    guessed = services.estimate(run_over(elena, person())).pairs
    assert finish(run_over(elena, person()), by).pairs == guessed


def test_one_run_at_a_time_works_on_the_same_messages(elena: Character, dotty: Character, by: User) -> None:
    said(YOGA, to=elena, by=person(), owner=by)
    services.start(run_over(elena, person()), by=by)
    for again in (run_over(elena, person()), run_over(elena, None)):
        with pytest.raises(Refused, match="Run 1 works on these messages now"):
            services.start(again, by=by)
    services.start(run_over(elena, person("Noor", "noor")), by=by)
    services.start(run_over(dotty, None), by=by)
    assert Job.objects.open().count() == 3
    assert EnrichmentRun.objects.count() == 3


def test_a_relation_is_relabelled(elena: Character, by: User) -> None:
    said(YOGA, to=elena, by=person(), owner=by)
    finish(run_over(elena, person()), by)
    row = Relation.objects.latest("pk")
    services.relabel(row, name="Elaboration", by=by)
    row.refresh_from_db()
    assert (row.relation, row.status, row.confidence, row.decided_by) == ("Elaboration", "relabelled", 1.0, by)
    with pytest.raises(ValueError, match="none of the classes"):
        services.relabel(row, name="Friendship", by=by)
