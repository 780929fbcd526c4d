"""Forgetting: a marker in every text of a person, and a search through every store afterwards."""

import pytest
from django.db.models import F

from characters.conversations.models import Acquaintance, Conversation, ConversationImport, Message, Stage, Turn
from characters.memory import erasure
from characters.memory.models import Alias, EnrichmentRun, RunProblem, UserFact
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.projection import services as projecting
from kgadmin.projection.models import Change, Lease
from kgadmin.stores.graph import Graph
from tests.characters.memory import people
from tests.characters.memory.people import World
from tests.characters.profiles import sheets
from tests.stores_search import found_anywhere, found_in_graph, found_in_rows

MARKER, OTHER = "zanzibar", "quetzal"


@pytest.fixture
def known(projected: Graph, ann: Character, operator: User) -> World:
    """A person all of whose texts hold the marker, in every store; and somebody else."""
    made = people.world(people.person(f"Mark {MARKER}"), ann, marker=MARKER)
    people.world(people.person(f"Marie {OTHER}"), ann, marker=OTHER)
    leave_traces(made, operator)
    projecting.sweep()
    assert projecting.drift() == []
    return made


def leave_traces(made: World, operator: User) -> None:
    """What turns, runs, imports and jobs leave behind."""
    Alias.objects.create(entity=made.entities[0], key=MARKER, text=MARKER)
    Conversation.objects.filter(pk=made.conversation.pk).update(title=f"About {MARKER}")
    turn = Turn.objects.create(message=made.messages[0], key="k", prompt={"text": MARKER}, carried={"shown": [MARKER]})
    Stage.objects.create(
        turn=turn, position=1, name="memory", status="ok", started_ms=0, elapsed_ms=1, evidence={"used": [MARKER]}
    )
    for person in (made.person, None):
        run = EnrichmentRun.objects.create(character=made.character, person=person)
        RunProblem.objects.create(run=run, kind="answer", detail=f"The model said {MARKER}")
        Job.objects.create(kind="enrich", subject=f"run:{run.pk}", state="failed", note=MARKER, error=MARKER)
    Job.objects.filter(kind="remember", subject=made.person.graph_id).update(note=MARKER)
    import_ = ConversationImport.objects.create(
        name=f"{MARKER}.jsonl",
        format="jsonl",
        content=MARKER.encode(),
        preview={"people": [], "users": [made.person.name], "characters": []},
        person=made.person,
        created_by=operator,
    )
    Job.objects.create(kind="import", subject=import_.subject, state="paused", note=MARKER)
    Lease.objects.create(owner=made.person.graph_id, error=f"The graph refused {MARKER}")


def assert_every_trace_is_found(known: World) -> None:
    Lease.objects.filter(owner=known.person.graph_id).update(error=MARKER)
    columns = {place.partition(":")[0] for place in found_in_rows(MARKER)}
    assert columns >= {
        "conversations.Person.name",
        "conversations.Conversation.title",
        "conversations.Message.text",
        "conversations.Turn.prompt",
        "conversations.Turn.carried",
        "conversations.Stage.evidence",
        "conversations.ConversationImport.name",
        "conversations.ConversationImport.content",
        "memory.Entity.name",
        "memory.Entity.key",
        "memory.Alias.text",
        "memory.UserFact.text",
        "memory.RunProblem.detail",
        "jobs.Job.note",
        "jobs.Job.error",
        "projection.Lease.error",
    }
    assert len(found_in_graph(MARKER)) > 30


def test_a_forgotten_person_stands_in_no_store(known: World, operator: User) -> None:
    assert_every_trace_is_found(known)
    others = found_anywhere(OTHER)
    erasure.forget_person(known.person, by=operator)
    assert found_in_rows(MARKER) == []
    assert projecting.waiting() == [f"person:{known.person.pk}"]
    projecting.sweep()
    assert found_anywhere(MARKER) == []
    assert sorted(found_anywhere(OTHER)) == sorted(others)
    assert projecting.drift() == []
    assert projecting.waiting() == []
    problem = RunProblem.objects.get(run__person=None)
    assert (problem.kind, problem.detail) == ("answer", erasure.REMOVED)


def test_forgetting_twice_changes_nothing(db: None) -> None:
    person = people.person()
    pk = person.pk
    for _ in range(2):
        person.pk = pk
        erasure.forget_person(person, by=None)
    assert set(Change.objects.values_list("owner", "kind", "row")) == {(f"person:{pk}", "person", pk)}


def test_a_long_chain_of_messages_is_forgotten(db: None) -> None:
    mark = people.person()
    where = people.conversation(mark, sheets.character())
    messages = (Message(conversation=where, role="user", text=f"{MARKER} {number}") for number in range(1500))
    first, *_ = Message.objects.bulk_create(messages)
    Message.objects.exclude(pk=first.pk).update(parent_id=F("pk") - 1)
    erasure.forget_person(mark, by=None)
    assert found_in_rows(MARKER) == []


def test_a_forgotten_conversation_takes_along_what_was_said_there_only(known: World, operator: User) -> None:
    elsewhere = people.conversation(known.person, known.character)
    again = people.message(elsewhere, "My cat again.")
    repeated, by_hand = known.facts[0], known.facts[1]
    repeated.evidence.create(message=again, start=0, end=1)
    UserFact.objects.filter(pk=by_hand.pk).update(origin="operator")
    before = Acquaintance.objects.get(person=known.person, character=known.character)
    erasure.forget_conversation(known.conversation, by=operator)
    projecting.sweep()
    assert projecting.drift() == []
    left = set(UserFact.objects.filter(person=known.person, state="current").values_list("pk", flat=True))
    assert left == {repeated.pk, by_hand.pk}
    after = Acquaintance.objects.get(person=known.person, character=known.character)
    assert after.facts_version > before.facts_version
    assert after.messages_epoch > before.messages_epoch
