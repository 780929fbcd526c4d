import pytest

from characters.memory.enrichment import services
from characters.memory.models import EnrichmentRun
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused
from tests.characters.memory.enrichment.chats import YOGA, finish, messages, person, run_over


def test_an_estimate_counts_people_and_messages_and_the_pairs_that_the_run_will_have(
    elena: Character, by: User
) -> None:
    messages(YOGA, to=elena, by=person("Noor", "noor"), owner=by)
    messages([f"Message {n}" for n in range(80)], to=elena, by=person(), owner=by)
    estimate = services.estimate(run_over(elena, None))
    assert (estimate.people, estimate.messages, estimate.to_embed, estimate.calls, estimate.tokens) == (2, 83, 0, 0, 0)
    assert finish(run_over(elena, None), by).pairs == estimate.pairs


def test_one_run_at_a_time_works_on_the_same_messages(elena: Character, dotty: Character, by: User) -> None:
    messages(YOGA, to=elena, by=person(), owner=by)
    services.start(run_over(elena, person()), by=by)
    for again in (run_over(elena, person()), run_over(elena, None)):
        with pytest.raises(Refused, match="Run 1 is working on these messages"):
            services.start(again, by=by)
    services.start(run_over(elena, person("Noor", "noor")), by=by)
    services.start(run_over(dotty, None), by=by)
    assert Job.objects.open().count() == 3
    assert EnrichmentRun.objects.count() == 3
