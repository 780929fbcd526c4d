"""Whole runs, on rows, with a scripted model over HTTP or with cues."""

from dataclasses import dataclass

import pytest

from characters.conversations.models import Message
from characters.memory.enrichment import handler, second_pass, services
from characters.memory.models import EnrichmentRun, Relation, RunProblem, Similarity
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused
from tests.characters.memory.enrichment.chats import (
    YOGA,
    answer,
    finish,
    job_of,
    messages,
    pairs_asked,
    person,
    run_over,
    verdict,
)
from tests.scripted_model import ScriptedModel


@dataclass
class Chat:
    """Mark's messages on yoga to Elena, an operator, and a language model that says what the test tells it to."""

    model: ScriptedModel
    elena: Character
    by: User
    yoga: list[Message]

    @property
    def full_answer(self) -> str:
        first, second, third = self.yoga
        return answer(
            verdict(third, first),
            verdict(third, second, "Unrelated", confidence=0.3),
            verdict(second, first, "Causal", confidence=0.7, evidence="The wish led to the question."),
        )

    def go_on(self, *texts: str) -> None:
        """Mark says more."""
        messages(texts, to=self.elena, by=person(), owner=self.by)

    def run(self, **fields: object) -> EnrichmentRun:
        """A run with the model, not started."""
        return run_over(self.elena, person(), **{"model": "scripted", **fields})

    def finish(self, **fields: object) -> EnrichmentRun:
        """The same, worked to its end."""
        return finish(self.run(**fields), self.by)


@pytest.fixture
def chat(model: ScriptedModel, elena: Character, by: User) -> Chat:
    return Chat(model, elena, by, messages(YOGA, to=elena, by=person(), owner=by))


def relation(earlier: Message, later: Message) -> Relation:
    return Relation.objects.get(earlier=earlier, later=later)


def kinds(run: EnrichmentRun) -> list[str]:
    return list(run.problems.values_list("kind", flat=True))


def test_a_run_links_classifies_and_counts(chat: Chat) -> None:
    chat.model.says(chat.full_answer, usage=(700, 90))
    run = chat.finish()
    first, second, third = chat.yoga
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
    ids = [message.pk for message in chat.yoga]
    assert pairs_asked(chat.model.requests[0]) == {(ids[2], ids[0]), (ids[2], ids[1]), (ids[1], ids[0])}
    sent = chat.model.requests[0].body
    assert sent["response_format"]["json_schema"]["schema"]["properties"]["results"]["type"] == "array"


def test_a_second_run_asks_and_changes_only_what_is_new(chat: Chat) -> None:
    chat.model.says(chat.full_answer)
    chat.finish()
    before = list(Relation.objects.values()), list(Similarity.objects.values())
    again = chat.finish()
    assert (list(Relation.objects.values()), list(Similarity.objects.values())) == before
    assert len(chat.model.requests) == 1
    assert (again.pairs, again.calls) == (0, 0)
    chat.go_on("Yoga is overrated anyway.")
    chat.finish()
    new = Message.objects.latest("pk").pk
    assert {new in pair for pair in pairs_asked(chat.model.requests[1])} == {True}


@pytest.mark.parametrize("status", [Relation.Status.RELABELLED, Relation.Status.REJECTED])
def test_what_an_operator_decided_stays(chat: Chat, status: Relation.Status) -> None:
    chat.model.says(chat.full_answer)
    chat.finish()
    row = relation(chat.yoga[0], chat.yoga[2])
    services.decide(row, status, name="Reframe/Correction", by=chat.by)
    before = Relation.objects.filter(pk=row.pk).values().get()
    chat.model.says(chat.full_answer)
    Relation.objects.exclude(pk=row.pk).update(status="unclassified", relation="")
    chat.finish()
    assert (row.later_id, row.earlier_id) not in pairs_asked(chat.model.requests[1])
    assert Relation.objects.filter(pk=row.pk).values().get() == before


def test_what_is_decided_while_the_model_thinks_stays(chat: Chat) -> None:
    first, _, third = chat.yoga
    row = Relation.objects.create(
        person=person(), character=chat.elena, earlier=first, later=third, status="unclassified", run=None
    )
    run = chat.run()
    run.save()
    services.decide(row, Relation.Status.RELABELLED, name="Elaboration", by=chat.by)
    stale = Relation.objects.get(pk=row.pk)
    stale.status = Relation.Status.UNCLASSIFIED
    second_pass._rewrite(run, stale, {"relation": "Causal", "status": Relation.Status.CLASSIFIED})
    row.refresh_from_db()
    assert (row.relation, row.status) == ("Elaboration", "relabelled")


def test_what_stayed_unclassified_is_tried_again_by_the_next_run(chat: Chat) -> None:
    first, second, third = chat.yoga
    chat.model.says(answer(verdict(third, first)))
    chat.finish()
    chat.model.says(answer(verdict(third, second, "Causal"), verdict(second, first, "Causal")))
    run = chat.finish()
    assert pairs_asked(chat.model.requests[1]) == {(third.pk, second.pk), (second.pk, first.pk)}
    assert (run.pairs, run.classified, run.unclassified) == (2, 2, 0)


def test_an_error_of_the_server_is_tried_once_more_and_then_the_batch_stays_unclassified(chat: Chat) -> None:
    chat.model.refuses(500).refuses(503)
    run = chat.finish()
    assert (run.calls, run.classified, run.unclassified) == (2, 0, 3)
    assert kinds(run) == ["call failed"]
    assert job_of(run).state == "done"
    chat.model.refuses(500, "overloaded").says(chat.full_answer)
    run = chat.finish()
    assert (run.calls, run.classified, kinds(run)) == (2, 2, [])


def test_what_an_answer_leaves_out_is_counted_as_a_problem(chat: Chat) -> None:
    first, second, third = chat.yoga
    odd = [verdict(first, third), verdict(second, first, "Friendship"), {"source_id": third.pk, "target_id": 999}]
    chat.model.says(answer(*odd))
    run = chat.finish()
    assert relation(first, third).relation == "Contrast"
    assert (run.calls, run.classified, run.unclassified) == (1, 1, 2)
    assert run.problems.get().detail == "2 of 3 pairs got no usable answer."
    chat.model.says("I'm sorry.").says(answer(*odd[1:]))
    run = chat.finish()
    assert (run.calls, run.unclassified, kinds(run)) == (2, 2, ["unusable answer"])


def test_a_refused_key_ends_the_run_at_once_and_an_endpoint_that_is_down_soon(chat: Chat) -> None:
    chat.model.refuses(401, "bad key")
    run = chat.finish()
    assert len(chat.model.requests) == 1
    assert run.stopped_by
    chat.go_on(*(f"Yoga thought number {n}" for n in range(40)))
    for _ in range(20):
        chat.model.refuses(500)
    run = chat.finish()
    assert run.calls == 2 * handler.FAILURES_IN_A_ROW
    assert "left" in run.stopped_by
    assert run.unclassified < run.pairs


def test_a_cap_ends_the_run_early(chat: Chat) -> None:
    chat.go_on(*(f"Yoga thought number {n}" for n in range(20)))
    run = chat.finish(max_calls=2)
    assert run.calls == 2
    assert run.stopped_by.startswith("The cap of 2 calls was reached.")
    assert len(run.stopped_by) <= 120
    assert job_of(run).state == "done"
    run = chat.finish(max_tokens=9000)
    assert 0 < run.tokens <= 9000
    assert "cap of 9,000 tokens" in run.stopped_by


def test_a_relation_below_the_threshold_is_kept_and_not_drawn_until_the_threshold_lets_it(chat: Chat) -> None:
    chat.model.says(chat.full_answer)
    chat.finish(threshold=0.8)
    row = relation(chat.yoga[0], chat.yoga[1])
    assert (row.relation, row.status) == ("Causal", "uncertain")
    assert row not in Relation.objects.drawn()
    chat.finish(threshold=0.6)
    row.refresh_from_db()
    assert row.status == "classified"
    assert len(chat.model.requests) == 1


def test_without_a_model_cues_classify_what_they_can_and_a_model_classifies_it_again_but_not_back(chat: Chat) -> None:
    run = chat.finish(model="")
    row = relation(chat.yoga[0], chat.yoga[2])
    assert (row.relation, row.origin, row.status) == ("Contrast", "cues", "classified")
    assert row.confidence >= 0.6
    assert (run.calls, run.classified + run.unrelated + run.unclassified) == (0, run.pairs)
    chat.model.says(chat.full_answer)
    chat.finish()
    assert set(Relation.objects.values_list("origin", flat=True)) == {"scripted"}
    before = list(Relation.objects.values())
    chat.finish(model="")
    assert list(Relation.objects.values()) == before


def test_a_model_that_is_gone_is_not_silently_replaced(chat: Chat) -> None:
    run = chat.finish(model="another")
    assert "is no longer connected" in run.stopped_by
    assert not Relation.objects.exists()
    assert run.similar == 3


def test_a_run_over_everybody_keeps_people_apart(chat: Chat) -> None:
    messages(YOGA[:2], to=chat.elena, by=person("Noor", "noor"), owner=chat.by)
    run = finish(run_over(chat.elena, None), chat.by)
    assert (run.messages, run.similar, run.pairs) == (5, 4, 4)
    for row in Relation.objects.select_related("earlier__conversation", "later__conversation"):
        assert row.earlier.conversation.person_id == row.later.conversation.person_id == row.person_id


def test_a_paused_run_goes_on_where_it_stopped(chat: Chat) -> None:
    chat.go_on(*(f"Yoga thought number {n}" for n in range(12)))
    stored = Message.objects.all()
    run = chat.run()
    job = services.start(run, by=chat.by)
    chat.model.otherwise = answer(*(verdict(late, early) for late in stored for early in stored if early.pk < late.pk))
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
    asked = [pair for request in chat.model.requests for pair in pairs_asked(request)]
    assert len(asked) == len(set(asked)) == run.pairs


def test_a_run_of_somebody_who_was_forgotten_does_nothing(chat: Chat) -> None:
    run = run_over(chat.elena, person())
    job = services.start(run, by=chat.by)
    person().delete()
    runner.run(job.pk)
    assert Job.objects.get(pk=job.pk).state == "done"
    assert not RunProblem.objects.exists()


def test_one_run_at_a_time_works_on_the_same_messages(chat: Chat, dotty: Character) -> None:
    services.start(run_over(chat.elena, person()), by=chat.by)
    for again in (run_over(chat.elena, person()), run_over(chat.elena, None)):
        with pytest.raises(Refused, match="Run 1 is working on these messages"):
            services.start(again, by=chat.by)
    services.start(run_over(chat.elena, person("Noor", "noor")), by=chat.by)
    services.start(run_over(dotty, None), by=chat.by)
    assert Job.objects.open().count() == 3
    assert EnrichmentRun.objects.count() == 3
