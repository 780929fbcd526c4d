"""What a turn leaves to be remembered, and what its metrics count."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from characters.conversations import services
from characters.conversations.models import (
    Acquaintance,
    BaseUse,
    Conversation,
    Message,
    Person,
    Turn,
    TurnMetrics,
)
from characters.profiles.learned import services as learning
from characters.profiles.models import Character
from characters.talk.recorder import metrics_of, save_metrics
from characters.turn import prompt as prompt_stage
from characters.turn.ambient import Ambient, Connection, NamedEntity, ScoreParts
from characters.turn.assemble import Assembled
from characters.turn.background import Background, ScoredFact
from characters.turn.choice import BaseScore
from characters.turn.documents import Documents, Passage
from characters.turn.memory import Memory, Recollection
from characters.turn.probe import Probe
from characters.turn.prompt import Gathered, Prompt
from characters.turn.request import Base, Budgets
from characters.turn.sections import Section
from characters.turn.user_facts import ScoredUserFact, Shared, UserFacts
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from tests.characters.profiles import sheets
from tests.characters.turn import world
from tests.scripted_model import ScriptedModel
from tests.turns import answered, asked, asked_in, evidence, fresh


def remembered(turn: Turn) -> list[tuple[str, int | None, bool]]:
    rows = Message.objects.filter(conversation=turn.conversation).order_by("pk")
    return [(row.role, row.place, row.is_unread) for row in rows]


@pytest.fixture
def kirsten(tomasz: Character) -> Person:
    """A real person, whom no tester plays."""
    return Person.objects.create(namespace="import", outside_id="kirsten", name="Kirsten")


def test_a_live_turn_leaves_its_message_to_be_read_and_both_to_be_projected(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    turn = answered(asked(tester, tomasz, "I have a cat called Luna"))
    assert remembered(turn) == [("user", 1, True), ("assistant", 2, False)]
    assert Job.objects.filter(kind="remember", subject=turn.conversation.person.graph_id).count() == 1
    met = Acquaintance.objects.get(person=turn.conversation.person, character=tomasz)
    assert (met.places, met.trust) == (2, 0.5)
    assert TurnMetrics.objects.filter(turn=turn).exists()
    reasons = {stage.name: stage.reason for stage in turn.stages.all()}
    assert reasons["user_facts"] == "nothing is known about Tester yet"
    elsewhere = answered(asked(tester, tomasz, "I have a dog, too"))
    assert [each[1] for each in remembered(elsewhere)] == [3, 4], "places go on, whatever the conversation"


def test_a_sandbox_reads_a_memory_and_writes_none(
    tester: User, tomasz: Character, kirsten: Person, model: ScriptedModel
) -> None:
    conversation = services.start_conversation(character=tomasz, by=tester, person=kirsten)
    turn = answered(asked_in(conversation, "I have a cat called Luna"))
    assert turn.state == "done"
    assert remembered(turn) == [("user", None, False), ("assistant", None, False)]
    assert not Job.objects.filter(kind="remember").exists()
    assert not Acquaintance.objects.exists()
    follow_up = answered(asked_in(conversation, "And what is her name?"))
    assert follow_up.request["history"] == 2  # within itself a sandbox remembers


def test_what_was_said_is_remembered_without_an_answer_and_the_answer_of_another_try_is_added(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    model.refuses(400)
    turn = answered(asked(tester, tomasz, "I have a cat called Luna"))
    assert turn.state == "failed"
    assert remembered(turn) == [("user", 1, True)]
    Message.objects.filter(pk=turn.message_id).update(facts_read_at=timezone.now())
    answered(services.try_again(turn)[0])
    assert remembered(turn) == [("user", 1, False), ("assistant", 2, False)]


def test_what_was_said_lately_is_carried_to_the_follow_up(
    tester: User, tomasz: Character, model: ScriptedModel
) -> None:
    first = answered(asked(tester, tomasz, "What is your brother called?"))
    used = [f"fact:{fact['id']}" for fact in evidence(first, "background")["used"]]  # type: ignore[attr-defined]
    assert used
    assert fresh(first).carried["shown"] == {item: [1] for item in used}
    second = answered(asked_in(first.conversation, "Thank you, good night"))
    assert set(used) <= fresh(second).carried["shown"].keys()


# Metrics

PARTS = ScoreParts(1.0, 1.0, 0.25, 0.675, 1.0, 0.0)
LUNA = NamedEntity("entity:1", "Luna", "Luna's", "person")
CAT = Connection("user_fact:9", "Mark has a cat called Luna", "person:1", "HAS_PET", "entity:1", 0.7, PARTS)
FACT = ScoredUserFact("user_fact:1", "HAS_PET", "Mark has a cat called Luna", 0.8, 0.5, 0.6, 0.9)
OTHER = replace(FACT, id="user_fact:3")
SHARED = Shared("ocean conservation", "entity:2", "user_fact:2", "f7", "Both care about ocean conservation")
RECALLED = Recollection("message:4", "Luna gets stiff", "in October", 0.7, 0.7, 0.6, 0.5, 0.0)


@pytest.fixture
def conversation(tester: User) -> Conversation:
    return services.start_conversation(character=sheets.character(), by=tester)


@pytest.fixture
def turn(conversation: Conversation) -> Turn:
    return services.start_turn(conversation=conversation, text="How's Luna doing in the cold?")[0]


def assembled(**budgets: int) -> Assembled:
    """With the prompt that these budgets leave of it."""
    theirs = UserFacts(used=(FACT, OTHER), dropped=(FACT,), common=(SHARED,))
    ambient = Ambient(named=(LUNA,), used=(CAT,), dropped=(CAT,))
    memory = Memory(used=(RECALLED,), dropped=(RECALLED, RECALLED))
    asked = world.request("How's Luna doing in the cold?", budgets=Budgets(**budgets))
    background = Background((ScoredFact("learned:4", "LIKES", "", "I like rain.", 0.6, "medium", 0, 0, 0),))
    gathered = Gathered(background=background, user_facts=theirs, ambient=ambient, memory=memory)
    prompt = prompt_stage.build(asked, gathered, world.count)
    return Assembled(background=background, user_facts=theirs, ambient=ambient, memory=memory, prompt=prompt)


def test_what_the_prompt_shows_is_counted_by_stage() -> None:
    assert metrics_of(assembled()) == {
        "background": 1,
        "user_facts": 2,
        "common_ground": 1,
        "ambient": 1,
        "memory": 1,
        "documents": 0,
        "named": 1,
        "knew": True,
        "hits": 0,
    }


def test_what_the_prompt_cut_is_not_counted(monkeypatch: pytest.MonkeyPatch, turn: Turn) -> None:
    counted: list[str] = []
    monkeypatch.setattr(learning, "count_uses", lambda ids, at: counted.extend(ids))
    tight = assembled(background=5, memory=5)
    metrics = metrics_of(tight)
    assert {metrics[stage] for stage in ("background", "user_facts", "common_ground", "memory")} == {0}
    save_metrics(turn, tight, ())
    assert counted == []
    TurnMetrics.objects.all().delete()
    save_metrics(turn, assembled(), ())
    assert counted == ["learned:4"]


def test_a_turn_is_counted_once_in_its_hour(turn: Turn) -> None:
    Turn.objects.filter(pk=turn.pk).update(created_at=datetime(1970, 1, 2, 1, 59, tzinfo=UTC))
    turn.refresh_from_db()
    for _ in range(2):
        save_metrics(turn, Assembled(), ())
    assert TurnMetrics.objects.get().hour == 25


def score(base: str, hits: int) -> BaseScore:
    return BaseScore(base, 0.2, 0.5, 1.0, hits)


def passage(base: str, chunk: str) -> Passage:
    return Passage(base, "primary", "a.md", "", "curated", "the cold", 0.5, (chunk,), 0, 0, "Text", "Text", 9, "a hit")


def test_what_each_base_was_asked_for_and_gave_is_counted_once(turn: Turn) -> None:
    bases = [Base(slug, "curated", 0.4, 1, slug, key=key) for key, slug in enumerate("abcd", start=1)]
    made = Assembled(
        probe=Probe(
            scores=(score("c", 0), score("b", 2), score("a", 4), score("d", 1)), primary="a", supplemental=("b",)
        ),
        documents=Documents(used=(passage("a", "1"), passage("a", "2"), passage("b", "3"))),
        prompt=Prompt(sections=(Section("primary", "", "", "", 0, 0, items=("chunk:1", "chunk:3")),)),
    )
    for _ in range(2):
        save_metrics(turn, made, bases)
    metrics = TurnMetrics.objects.get()
    assert (metrics.asked, metrics.hits) == ([1, 2, 3, 4], 7)
    rows = BaseUse.objects.order_by("base").values_list("base", "hour", "hits", "passages", "section")
    hour = metrics.hour
    assert list(rows) == [(1, hour, 4, 1, "primary"), (2, hour, 2, 1, "supplemental"), (4, hour, 1, 0, "")]


def test_sandboxes_second_tries_and_fixed_replies_are_not_counted(conversation: Conversation, turn: Turn) -> None:
    bases, made = [Base("a", "curated", 0.4, 1, "a", key=1)], Assembled(probe=Probe(scores=(score("a", 1),)))
    save_metrics(turn, Assembled(fixed_reply="Goodbye."), bases)
    turn.finish(Turn.State.FAILED, "", error="No answer.")
    save_metrics(services.try_again(turn)[0], made, bases)
    Conversation.objects.filter(pk=conversation.pk).update(sandbox=True)
    save_metrics(Turn.objects.with_trace().get(pk=turn.pk), made, bases)
    assert not TurnMetrics.objects.exists()
    assert not BaseUse.objects.exists()
