import numpy as np
import pytest
from django.db import IntegrityError

from characters.conversations.models import Message
from characters.memory.enrichment import services
from characters.memory.enrichment.neighbours import Floats, frontier_pairs, nearest, ranked
from characters.memory.models import EnrichmentRun, Relation
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from tests.characters.memory.enrichment.chats import YOGA, finish, person, run_over, said


def test_an_estimate_counts_people_messages_and_what_is_to_embed(elena: Character, by: User) -> None:
    said(YOGA, to=elena, by=person(), owner=by)
    said(YOGA, to=elena, by=person("Noor", "noor"), owner=by)
    found = services.estimate(run_over(elena, None))
    assert (found.people, found.messages, found.to_embed, found.calls, found.tokens) == (2, 6, 0, 0, 0)
    assert found.pairs == 6


def test_an_estimate_leaves_out_what_is_known(elena: Character, by: User) -> None:
    said(YOGA, to=elena, by=person(), owner=by)
    finish(run_over(elena, person()), by)
    known = Relation.objects.exclude(status="unclassified").count()
    found = services.estimate(run_over(elena, person()))
    assert (found.known, found.pairs) == (known, 3 - known)
    assert services.estimate(run_over(elena, person(), model="scripted")).pairs == 3


def test_an_estimate_says_which_cap_will_be_met(elena: Character, by: User) -> None:
    said([f"Message {n}" for n in range(60)], to=elena, by=person(), owner=by)
    free = services.estimate(run_over(elena, person(), model="scripted", max_tokens=10**9))
    assert free.capped == ""
    assert free.calls == -(-free.pairs // 16)
    assert free.tokens > 100 * free.pairs / 16
    assert "cap of 2 calls" in services.estimate(run_over(elena, person(), model="scripted", max_calls=2)).capped
    few = run_over(elena, person(), model="scripted", max_calls=10**6, max_tokens=1000)
    assert "cap of 1,000 tokens" in services.estimate(few).capped


def chat(messages: int) -> Floats:
    """Vectors of messages on some twenty subjects, as a person's are."""
    random = np.random.default_rng(5)
    subjects = random.standard_normal((20, 64)) * 1.4
    vectors = (subjects[random.integers(0, 20, messages)] + random.standard_normal((messages, 64))).astype(np.float32)
    found: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return found


def test_the_guess_for_many_messages_is_not_below_what_there_is() -> None:
    vectors = chat(1000)
    for anchors, frontier in ((5, 3), (10, 5), (2, 2)):
        near = nearest(vectors, anchors=anchors, floor=0.45)
        pairs = frontier_pairs(ranked(near), {n: str(n) for n in range(1000)}, anchors=anchors, frontier=frontier)
        guess = services._most_pairs(EnrichmentRun(anchors=anchors, frontier=frontier), 1000)
        assert len(pairs) <= 1.05 * guess, (anchors, frontier)
        assert guess <= 4 * len(pairs), (anchors, frontier)


def test_an_estimate_of_what_is_embedded_counts_the_pairs_that_the_run_will_have(elena: Character, by: User) -> None:
    made = said([f"Message {n}" for n in range(80)], to=elena, by=person(), owner=by)
    for message, vector in zip(made, chat(80), strict=True):
        Message.objects.filter(pk=message.pk).update(vector=vector.tobytes())
    guessed = services.estimate(run_over(elena, person())).pairs
    assert finish(run_over(elena, person()), by).pairs == guessed


def test_what_is_not_embedded_yet_is_guessed_from_above(elena: Character, by: User) -> None:
    said(YOGA, to=elena, by=person(), owner=by)
    Message.objects.filter(text=YOGA[0]).update(vector=None)
    found = services.estimate(run_over(elena, person()))
    assert (found.to_embed, found.pairs) == (1, 3)


def test_one_run_at_a_time_works_on_the_same_messages(elena: Character, dotty: Character, by: User) -> None:
    said(YOGA, to=elena, by=person(), owner=by)
    services.start(run_over(elena, person()), by=by)
    for again in (run_over(elena, person()), run_over(elena, None)):
        with pytest.raises(services.RunError, match="Run 1 works on these messages now"):
            services.start(again, by=by)
    services.start(run_over(elena, person("Noor", "noor")), by=by)
    services.start(run_over(dotty, None), by=by)
    assert Job.objects.open().count() == 3
    assert EnrichmentRun.objects.count() == 3


def test_relabelling_marks_the_edge_stale(elena: Character, by: User) -> None:
    said(YOGA, to=elena, by=person(), owner=by)
    finish(run_over(elena, person()), by)
    Relation.objects.update(stale=False)
    row = Relation.objects.latest("pk")
    version = row.version
    services.relabel(row, name="Elaboration", by=by)
    row.refresh_from_db()
    assert (row.relation, row.status, row.confidence, row.decided_by) == ("Elaboration", "relabelled", 1.0, by)
    assert (row.stale, row.version) == (True, version + 1)
    with pytest.raises(ValueError, match="none of the classes"):
        services.relabel(row, name="Friendship", by=by)


def test_a_rejected_relation_is_no_edge(elena: Character, by: User) -> None:
    said(YOGA, to=elena, by=person(), owner=by)
    finish(run_over(elena, person()), by)
    row = Relation.objects.drawn()[0]
    services.reject(row, by=by)
    assert row not in Relation.objects.drawn()
    row.refresh_from_db()
    assert row.status == "rejected"


@pytest.mark.engine
def test_a_pair_has_one_relation(elena: Character, by: User) -> None:
    first, second, _ = said(YOGA, to=elena, by=person(), owner=by)
    pair = {"person": person(), "character": elena, "earlier": first, "later": second, "status": "unclassified"}
    Relation.objects.create(**pair)
    with pytest.raises(IntegrityError):
        Relation.objects.create(**pair)
