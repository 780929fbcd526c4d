"""What is remembered of people, in real engines: written where it changed, compared whole."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from characters.conversations.models import Message, Person
from characters.domain.relations import CLASSES
from characters.memory import erasure
from characters.memory.models import Entity
from characters.memory.projection import PersonProjector, person_pass, statements
from characters.profiles.models import Character
from kgadmin.projection import services as projecting
from kgadmin.projection.models import LEASE_SECONDS, Lease, LeaseLostError
from kgadmin.stores.graph import Graph
from tests.characters.memory import people
from tests.characters.memory.people import World, changed

Meanwhile = Callable[[Callable[[], object]], None]
EDGES = "MATCH (a)-[e]->(b) RETURN type(e) AS type, a.id AS start, b.id AS end, properties(e) AS properties"


@pytest.fixture
def known(mark: Person, ann: Character) -> World:
    """Mark, with a bit of everything, projected."""
    made = people.world(mark, ann)
    sweep()
    return made


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """`meanwhile(act)`: once, when the projector is about to write, `act` happens before it does."""

    def patch(act: Callable[[], object]) -> None:
        projecting.ensure_schema()
        write = Graph.write_all

        def overtaken(graph: Graph, writing: Sequence[tuple[str, dict[str, Any]]]) -> Any:
            monkeypatch.setattr(Graph, "write_all", write)
            act()
            return write(graph, writing)

        monkeypatch.setattr(Graph, "ensure_schema", lambda *_: None)
        monkeypatch.setattr(Graph, "write_all", overtaken)

    return patch


def lose_lease() -> None:
    raise LeaseLostError("somebody")


def sweep() -> None:
    """What beat does; everything must be projected after it."""
    projecting.sweep()
    assert projecting.waiting() == [], list(Lease.objects.values_list("error", flat=True))


def edges(graph: Graph, type_: str) -> list[tuple[str, str, dict[str, Any]]]:
    rows = (row for row in graph.scan(EDGES) if row["type"] == type_)
    return sorted(((row["start"], row["end"], row["properties"]) for row in rows), key=repr)


def test_nothing_waits_and_nothing_differs_after_a_sweep(known: World) -> None:
    assert (projecting.waiting(), projecting.drift()) == ([], [])
    counts = {each.kind: each.stored.count for store in projecting.STORES for each in projecting.compare(store)}
    assert counts["messages"] == 24
    assert counts["people"] == 1
    assert all(counts.values()), counts


def test_a_message_says_who_said_what_to_whom_and_when_and_what_nobody_remembers_is_not_there(
    projected: Graph, mark: Person, ann: Character
) -> None:
    where = people.conversation(mark, ann)
    Message.objects.create(conversation=where, role="user", text="/help")
    message = people.message(where, "Luna sleeps.", answer="Good for her.")
    sweep()
    asked, answer = message.graph_id, message.children.get().graph_id
    nodes = {row["m"]["id"]: row["m"] for row in projected.read("MATCH (m:Message) RETURN properties(m) AS m")}
    assert nodes.keys() == {asked, answer}
    assert nodes[asked] == {
        "id": asked,
        "owner": mark.graph_id,
        "character": ann.graph_id,
        "role": "user",
        "text": "Luna sleeps.",
        "at": "2026-01-01T12:00:00+00:00",
        "conversation": f"conversation:{where.pk}",
    }
    assert edges(projected, "SAID") == [(mark.graph_id, asked, {"character": ann.graph_id})]
    assert edges(projected, "ANSWERED") == [(answer, asked, {})]


def test_a_fact_about_the_person_goes_out_from_them_and_one_about_an_entity_from_it(
    projected: Graph, mark: Person, ann: Character
) -> None:
    luna, cat = people.entity(mark, "Luna", "pet"), people.entity(mark, "cat")
    has, is_a = people.fact(ann, "HAS_PET", luna), people.fact(ann, "IS_A", cat, subject=luna)
    sweep()
    drawn = {(start, end, each["id"], each["predicate"]) for start, end, each in edges(projected, "FACT")}
    assert drawn == {
        (mark.graph_id, luna.graph_id, has.graph_id, "HAS_PET"),
        (luna.graph_id, cat.graph_id, is_a.graph_id, "IS_A"),
    }
    assert edges(projected, "FACT")[0][2].keys() == {
        *("id", "character", "predicate", "object", "confidence", "mentions", "first_seen", "last_seen")
    }


def test_what_changed_since_stands_there_as_it_is_now(known: World, projected: Graph) -> None:
    ended, corrected = known.facts[1], known.facts[0]
    portland = people.entity(known.person, "Portland", "place")
    reply = known.messages[0].children.get()
    changed(ended, state="closed", closed_at=people.BEGIN)
    changed(corrected, object=portland, text="Portland", confidence=1.0)
    changed(known.person, name="Marcus")
    changed(known.entities[0], name="Lulu", kind="pet")
    changed(reply, parent=known.messages[1])
    sweep()
    facts = {each["id"]: end for _, end, each in edges(projected, "FACT")}
    assert ended.graph_id not in facts
    assert facts[corrected.graph_id] == portland.graph_id
    assert projected.read("MATCH (u:User) RETURN u.name AS name") == [{"name": "Marcus"}]
    assert projected.read("MATCH (e:Entity {name: 'Lulu'}) RETURN e.kind AS kind") == [{"kind": "pet"}]
    answered = {start: end for start, end, _ in edges(projected, "ANSWERED")}
    assert answered[reply.graph_id] == known.messages[1].graph_id
    assert projecting.drift() == []


def test_a_relation_is_drawn_in_the_direction_of_its_class(projected: Graph, mark: Person, ann: Character) -> None:
    where = people.conversation(mark, ann)
    first, *later = [people.message(where, f"Number {number}.") for number in range(len(CLASSES) + 1)]
    rows = {name: people.relation(first, each, name) for name, each in zip(CLASSES, later, strict=True)}
    sweep()
    drawn = {each["relation"]: (start, end) for start, end, each in edges(projected, "RELATES")}
    ends = {name: (first.graph_id, row.later.graph_id) for name, row in rows.items() if name != "Unrelated"}
    assert drawn == {name: pair if CLASSES[name].forward else pair[::-1] for name, pair in ends.items()}
    for name, row in rows.items():
        if name != "Causal":
            changed(row, status="rejected")
    changed(rows["Causal"], relation="Contrast", status="relabelled")
    sweep()
    turned = [(start, end, each["relation"]) for start, end, each in edges(projected, "RELATES")]
    assert turned == [(*ends["Causal"][::-1], "Contrast")]
    assert projecting.drift() == []


def test_a_turn_writes_only_what_changed(
    projected: Graph, mark: Person, ann: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = people.world(mark, ann, messages=60)
    sweep()
    written: Counter[str] = Counter()
    write = Graph.write_all

    def write_all(graph: Graph, statements: Sequence[tuple[str, dict[str, Any]]]) -> Any:
        lists = [value for _, params in statements for value in params.values() if isinstance(value, list)]
        written["graph"] += sum(map(len, lists))
        return write(graph, statements)

    monkeypatch.setattr(Graph, "write_all", write_all)
    portland = people.entity(mark, "Portland", "place")
    message = people.message(known.conversation, "I've moved to Portland with Luna.", answer="How is it?")
    people.mentions(message, portland, *known.entities[:2])
    people.fact(ann, "LIVES_IN", portland, message=message)
    changed(known.facts[2], state="closed", closed_at=people.BEGIN)
    sweep()
    assert 0 < written["graph"] <= 40
    assert projecting.drift() == []


def test_a_row_that_changes_while_it_is_written_is_written_again(known: World, monkeypatch: pytest.MonkeyPatch) -> None:
    luna = known.entities[0]
    changed(luna, name="Lulu")
    write = Graph.write_all

    def overtaken(graph: Graph, writing: Sequence[tuple[str, dict[str, Any]]]) -> Any:
        rows = write(graph, writing)
        if writing[0][0] == statements.WRITE_ENTITIES:
            monkeypatch.setattr(Graph, "write_all", write)
            changed(luna, name="Lou")
        return rows

    monkeypatch.setattr(Graph, "write_all", overtaken)
    projecting.sweep()
    sweep()
    assert projecting.drift() == []


def test_a_row_that_is_deleted_while_it_is_written_is_deleted_again(known: World, meanwhile: Meanwhile) -> None:
    """The deletion was projected by another worker before this one wrote what it had read."""
    loose = people.entity(known.person, "Portland")

    def delete() -> None:
        Entity.objects.filter(pk=loose.pk).delete()
        PersonProjector().project(known.person.graph_id)

    meanwhile(delete)
    PersonProjector().project(known.person.graph_id)
    assert projecting.waiting() == []
    assert projecting.drift() == []


def test_who_lost_the_lease_while_writing_lets_it_be_written_again(known: World, meanwhile: Meanwhile) -> None:
    """Asleep for longer than the lease, it wakes up and writes over what another one wrote since."""
    owner, message = known.person.graph_id, known.messages[0]
    changed(message, text="I take it back.")

    def write_newer() -> None:
        changed(message, text="Or don't.")
        PersonProjector().project(owner)

    meanwhile(write_newer)
    with pytest.raises(LeaseLostError):
        PersonProjector().project(owner, lose_lease)
    assert projecting.drift() != []
    sweep()
    assert projecting.drift() == []


def test_who_lost_the_lease_and_writes_of_somebody_forgotten_since_has_it_deleted_again(
    known: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asleep before it writes; meanwhile the person is forgotten, and another projector deletes what there is."""
    owner = known.person.graph_id
    changed(known.person, name="Marcus")
    write = Graph.write

    def slept(graph: Graph, cypher: str, **params: Any) -> Any:
        monkeypatch.setattr(Graph, "write", write)
        erasure.forget_person(known.person, by=None)
        PersonProjector().project(owner)
        assert projecting.waiting() == []
        return write(graph, cypher, **params)

    monkeypatch.setattr(Graph, "write", slept)
    with pytest.raises(LeaseLostError):
        PersonProjector().project(owner, lose_lease)
    assert projecting.drift() != []
    assert projecting.waiting() == [owner]
    sweep()
    assert projecting.drift() == []


def test_who_is_forgotten_while_they_are_written_is_gone_from_the_graph(
    known: World, projected: Graph, meanwhile: Meanwhile
) -> None:
    changed(known.messages[0], text="I take it back.")
    meanwhile(lambda: erasure.forget_person(known.person, by=None))
    PersonProjector().project(known.person.graph_id)
    sweep()
    assert projected.read("MATCH (n) WHERE n.owner STARTS WITH 'person:' RETURN n.id AS id") == []
    PersonProjector().project(known.person.graph_id)  # a sweep that listed them before


def test_long_work_keeps_its_lease(
    projected: Graph, mark: Person, ann: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each batch takes a third of a lease: the work as a whole several."""
    people.world(mark, ann, messages=10)
    monkeypatch.setattr(person_pass, "BATCH", 20)
    projecting.ensure_schema()
    write = Graph.write_all
    taken: list[Lease | None] = []
    with time_machine.travel(timezone.now(), tick=False) as clock:

        def slow(*args: Any) -> Any:
            clock.shift(LEASE_SECONDS / 3)
            taken.append(Lease.take(mark.graph_id))
            return write(*args)

        monkeypatch.setattr(Graph, "write_all", slow)
        assert projecting.sweep() == 1
    assert len(taken) > 4
    assert set(taken) == {None}
    assert projecting.drift() == []


BY_HAND = {
    "a message's text": ("MATCH (m:Message {role: 'user'}) SET m.text = 'x'", ["messages"]),
    "a fact's character": ("MATCH ()-[f:FACT]->() SET f.character = 'character:9'", ["facts about people"]),
    "a doubled fact": (
        "MATCH (a)-[f:FACT {predicate: 'OWNS'}]->(b) CREATE (a)-[g:FACT]->(b) SET g = properties(f)",
        ["facts about people"],
    ),
    "missing edges": ("MATCH ()-[e:IS_SIMILAR|RELATES]->() DELETE e", ["similar messages", "relations"]),
    "a stranger": ("MERGE (m:Message {id: 'message:999'}) SET m.owner = 'person:999'", ["messages"]),
}


def test_drift_finds_what_was_changed_by_hand_and_a_rebuild_repairs_it(known: World, projected: Graph) -> None:
    for what, (cypher, kinds) in BY_HAND.items():
        projected.write(cypher)
        assert [each.what for each in projecting.drift()] == kinds, what
        projecting.rebuild("graph")
        sweep()
        assert projecting.drift() == [], what
