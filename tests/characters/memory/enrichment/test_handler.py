"""Whole runs, on rows, with a scripted model over HTTP or with cues."""

import pytest

from characters.conversations.models import Message
from characters.memory.enrichment import handler, second_pass, services
from characters.memory.models import EnrichmentRun, MessageClass, Relation, RunProblem, Similarity
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from tests.characters.memory.enrichment.chats import (
    YOGA,
    answer,
    finish,
    job_of,
    pairs_asked,
    person,
    run_over,
    said,
    verdict,
)
from tests.scripted_model import ScriptedModel


@pytest.fixture
def yoga(elena: Character, by: User) -> list[Message]:
    return said(YOGA, to=elena, by=person(), owner=by)


def relation(earlier: Message, later: Message) -> Relation:
    return Relation.objects.get(earlier=earlier, later=later)


def kinds(run: EnrichmentRun) -> list[str]:
    return list(run.problems.values_list("kind", flat=True))


def full_answer(yoga: list[Message]) -> str:
    first, second, third = yoga
    return answer(
        verdict(third, first),
        verdict(third, second, "Unrelated", confidence=0.3),
        verdict(second, first, "Causal", confidence=0.7, evidence="The wish led to the question."),
    )


@pytest.fixture
def with_model(model: ScriptedModel, yoga: list[Message]) -> ScriptedModel:
    return model


def model_run(elena: Character, **knobs: object) -> EnrichmentRun:
    return run_over(elena, person(), model="scripted", **knobs)


def test_a_run_links_classifies_and_counts(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    with_model.says(full_answer(yoga), usage=(700, 90))
    run = finish(model_run(elena), by)
    first, second, third = yoga
    assert job_of(run).state == "done"
    row = relation(first, third)
    assert (row.relation, row.confidence, row.evidence) == ("Contrast", 0.9, "It says so.")
    assert (row.origin, row.status, row.run) == ("scripted", "classified", run)
    assert (run.messages, run.similar, run.pairs) == (3, 3, 3)
    assert (run.classified, run.unrelated, run.unclassified) == (2, 1, 0)
    assert (run.calls, run.tokens, run.stopped_by) == (1, 790, "")
    assert run.finished_at is not None
    drawn = Relation.objects.drawn()
    assert {(each.earlier_id, each.later_id) for each in drawn} == {(first.pk, second.pk), (first.pk, third.pk)}
    ids = [message.pk for message in yoga]
    assert pairs_asked(with_model.requests[0]) == {(ids[2], ids[0]), (ids[2], ids[1]), (ids[1], ids[0])}
    sent = with_model.requests[0].body
    assert sent["response_format"]["json_schema"]["schema"]["properties"]["results"]["type"] == "array"


def test_a_second_run_asks_and_changes_only_what_is_new(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    with_model.says(full_answer(yoga))
    finish(model_run(elena), by)
    before = list(Relation.objects.values()), list(Similarity.objects.values())
    again = finish(model_run(elena), by)
    assert (list(Relation.objects.values()), list(Similarity.objects.values())) == before
    assert len(with_model.requests) == 1
    assert (again.pairs, again.calls) == (0, 0)
    said(["Yoga is overrated anyway."], to=elena, by=person(), owner=by)
    finish(model_run(elena), by)
    new = Message.objects.latest("pk").pk
    assert {new in pair for pair in pairs_asked(with_model.requests[1])} == {True}


@pytest.mark.parametrize("decision", ["relabelled", "rejected"])
def test_what_an_operator_decided_stays(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message], decision: str
) -> None:
    with_model.says(full_answer(yoga))
    finish(model_run(elena), by)
    row = relation(yoga[0], yoga[2])
    if decision == "relabelled":
        services.relabel(row, name="Reframe/Correction", by=by)
    else:
        services.reject(row, by=by)
    before = Relation.objects.filter(pk=row.pk).values().get()
    with_model.says(full_answer(yoga))
    run = model_run(elena)
    run.model = "scripted"
    Relation.objects.exclude(pk=row.pk).update(status="unclassified", relation="")
    finish(run, by)
    assert (row.later_id, row.earlier_id) not in pairs_asked(with_model.requests[1])
    assert Relation.objects.filter(pk=row.pk).values().get() == before


def test_what_is_decided_while_the_model_thinks_stays(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    first, _, third = yoga
    row = Relation.objects.create(
        person=person(), character=elena, earlier=first, later=third, status="unclassified", run=None
    )
    run = model_run(elena)
    run.save()
    services.relabel(row, name="Elaboration", by=by)
    stale = Relation.objects.get(pk=row.pk)
    stale.status = Relation.Status.UNCLASSIFIED
    second_pass._rewrite(run, stale, None)
    row.refresh_from_db()
    assert (row.relation, row.status) == ("Elaboration", "relabelled")


def test_what_stayed_unclassified_is_tried_again_by_the_next_run(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    first, second, third = yoga
    with_model.says(answer(verdict(third, first)))
    finish(model_run(elena), by)
    with_model.says(answer(verdict(third, second, "Causal"), verdict(second, first, "Causal")))
    run = finish(model_run(elena), by)
    assert pairs_asked(with_model.requests[1]) == {(third.pk, second.pk), (second.pk, first.pk)}
    assert (run.pairs, run.classified, run.unclassified) == (2, 2, 0)


def test_an_error_of_the_server_is_tried_once_more_and_then_the_batch_stays_unclassified(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    with_model.refuses(500).refuses(503)
    run = finish(model_run(elena), by)
    assert (run.calls, run.classified, run.unclassified) == (2, 0, 3)
    assert kinds(run) == ["call failed"]
    assert job_of(run).state == "done"
    with_model.refuses(500, "overloaded").says(full_answer(yoga))
    run = finish(model_run(elena), by)
    assert (run.calls, run.classified, kinds(run)) == (2, 2, [])


def test_what_an_answer_leaves_out_is_counted_as_a_problem(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    first, second, third = yoga
    odd = [verdict(first, third), verdict(second, first, "Friendship"), {"source_id": third.pk, "target_id": 999}]
    with_model.says(answer(*odd))
    run = finish(model_run(elena), by)
    assert relation(first, third).relation == "Contrast"
    assert (run.calls, run.classified, run.unclassified) == (1, 1, 2)
    assert run.problems.get().detail == "2 of 3 pairs got no answer that could be used."
    with_model.says("I'm sorry.").says(answer(*odd[1:]))
    run = finish(model_run(elena), by)
    assert (run.calls, run.unclassified, kinds(run)) == (2, 2, ["unusable answer"])


def test_a_refused_key_ends_the_run_at_once_with_a_sentence(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    with_model.refuses(401, "bad key")
    run = finish(model_run(elena), by)
    assert len(with_model.requests) == 1
    assert run.stopped_by


def test_an_endpoint_that_is_down_ends_the_run(
    with_model: ScriptedModel, elena: Character, by: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    said([f"Yoga thought number {n}" for n in range(40)], to=elena, by=person(), owner=by)
    for _ in range(20):
        with_model.refuses(500)
    run = finish(model_run(elena), by)
    assert run.calls == 2 * handler.FAILURES_IN_A_ROW
    assert "left" in run.stopped_by
    assert run.unclassified < run.pairs


def test_a_cap_ends_the_run_early(with_model: ScriptedModel, elena: Character, by: User) -> None:
    said([f"Yoga thought number {n}" for n in range(20)], to=elena, by=person(), owner=by)
    run = finish(model_run(elena, max_calls=2), by)
    assert run.calls == 2
    assert run.stopped_by.startswith("The cap of 2 calls was reached.")
    assert len(run.stopped_by) <= 120
    assert job_of(run).state == "done"
    run = finish(model_run(elena, max_tokens=9000), by)
    assert 0 < run.tokens <= 9000
    assert "cap of 9,000 tokens" in run.stopped_by


def test_a_relation_below_the_threshold_is_kept_and_not_drawn_until_the_threshold_lets_it(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    with_model.says(full_answer(yoga))
    finish(model_run(elena, threshold=0.8), by)
    row = relation(yoga[0], yoga[1])
    assert (row.relation, row.status) == ("Causal", "uncertain")
    assert row not in Relation.objects.drawn()
    finish(model_run(elena, threshold=0.6), by)
    row.refresh_from_db()
    assert row.status == "classified"
    assert len(with_model.requests) == 1


def test_a_class_of_one_message_is_decided_once(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    first, second, third = yoga
    with_model.says(
        answer(
            verdict(third, second, "Identity Expression", confidence=0.8),
            verdict(third, first, "Meta-Prompting", confidence=0.95),
            verdict(second, first, "Causal"),
        )
    )
    finish(model_run(elena), by)
    decided = MessageClass.objects.get()
    assert (decided.message, decided.relation, decided.origin) == (third, "Meta-Prompting", "scripted")
    assert {relation(first, third).relation, relation(second, third).relation} == {"Meta-Prompting"}
    assert relation(first, second).relation == "Causal"


def test_without_a_model_cues_classify_what_they_can(elena: Character, by: User, yoga: list[Message]) -> None:
    run = finish(run_over(elena, person()), by)
    row = relation(yoga[0], yoga[2])
    assert (row.relation, row.origin, row.status) == ("Contrast", "cues", "classified")
    assert row.confidence >= 0.6
    assert run.calls == 0
    assert run.classified + run.unrelated + run.unclassified == run.pairs


def test_a_model_classifies_again_what_cues_did_and_cues_leave_what_a_model_did(
    with_model: ScriptedModel, elena: Character, by: User, yoga: list[Message]
) -> None:
    finish(run_over(elena, person()), by)
    with_model.says(full_answer(yoga))
    finish(model_run(elena), by)
    assert set(Relation.objects.values_list("origin", flat=True)) == {"scripted"}
    before = list(Relation.objects.values())
    finish(run_over(elena, person()), by)
    assert list(Relation.objects.values()) == before


def test_a_model_that_is_gone_is_not_silently_replaced(elena: Character, by: User, yoga: list[Message]) -> None:
    run = finish(model_run(elena), by)
    assert "isn't connected any more" in run.stopped_by
    assert not Relation.objects.exists()
    assert run.similar == 3


def test_a_run_over_everybody_keeps_people_apart(elena: Character, by: User, yoga: list[Message]) -> None:
    said(YOGA[:2], to=elena, by=person("Noor", "noor"), owner=by)
    run = finish(run_over(elena, None), by)
    assert (run.messages, run.similar, run.pairs) == (5, 4, 4)
    for row in Relation.objects.select_related("earlier__conversation", "later__conversation"):
        assert row.earlier.conversation.person_id == row.later.conversation.person_id == row.person_id


def test_a_paused_run_goes_on_where_it_stopped(with_model: ScriptedModel, elena: Character, by: User) -> None:
    said([f"Yoga thought number {n}" for n in range(12)], to=elena, by=person(), owner=by)
    messages = Message.objects.all()
    run = model_run(elena)
    job = services.start(run, by=by)
    with_model.otherwise = answer(
        *(verdict(late, early) for late in messages for early in messages if early.pk < late.pk)
    )
    original = handler.Enrichment._classify_batch

    def pausing(self: handler.Enrichment, *args: object) -> None:
        original(self, *args)  # type: ignore[arg-type]
        Job.objects.get(pk=job.pk).pause()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handler.Enrichment, "_classify_batch", pausing)
        runner.run(job.pk)
    job.refresh_from_db()
    run.refresh_from_db()
    assert (job.state, run.calls) == ("paused", 1)
    done = run.classified
    assert 0 < done < run.pairs
    assert jobs.resume(job)
    runner.run(job.pk)
    run.refresh_from_db()
    job.refresh_from_db()
    assert (job.state, run.classified, run.unclassified) == ("done", run.pairs, 0)
    asked = [pair for request in with_model.requests for pair in pairs_asked(request)]
    assert len(asked) == len(set(asked)) == run.pairs


def test_a_run_of_somebody_who_was_forgotten_does_nothing(elena: Character, by: User, yoga: list[Message]) -> None:
    run = run_over(elena, person())
    job = services.start(run, by=by)
    person().delete()
    runner.run(job.pk)
    assert Job.objects.get(pk=job.pk).state == "done"
    assert not RunProblem.objects.exists()
