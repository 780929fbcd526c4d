"""What one person told one character reaches no other person and no other character.

Ten people and three characters share most of their names, aliases and sentences; each pair has a marker of its own, and
whatever a turn, a page or the graph gives out is searched for everybody else's.
"""

import itertools
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from characters.conversations import services as conversations
from characters.conversations.models import Acquaintance, Conversation, Message, Person, Turn
from characters.domain.entities import key
from characters.domain.sheet import Fact, Sheet
from characters.memory import graph as memory_graph
from characters.memory.models import Alias, Entity, Mention, Relation, UserFact
from characters.profiles import services as profiles
from characters.profiles.models import Character
from characters.turn.request import TurnRequest
from kgadmin.accounts.models import User
from kgadmin.projection import services as projection
from kgadmin.stores.embedder import LocalEmbedder
from kgadmin.stores.graph import Graph
from tests.fixtures.talk import register_predicates
from tests.turns import answered, asked_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

PEOPLE, CHARACTERS = 10, 3
SHARED_MESSAGES = (
    "Luna hid under the stove when the first snow came",
    "The boat of my father leaks again",
    "I want to start yoga on Mondays",
    "I changed my mind, no yoga for me",
)
QUESTIONS = (
    "How's Luna doing in the cold?",
    "Tell me about myself",
    "Your family values vs. my family values",
    "What do you remember about Luna?",
    "Shall I take the boat or go to yoga?",
    "Hello!",
)


def marker(person: int, character: int) -> str:
    """A word that only this pair's data holds."""
    return f"zq{'abcdefghij'[person]}{'xyz'[character]}vok"


ALL_MARKERS = {(p, c): marker(p, c) for p, c in itertools.product(range(PEOPLE), range(CHARACTERS))}


def foreign(text: str, person: int, character: int) -> list[str]:
    """Markers of others in `text`."""
    return [word for pair, word in ALL_MARKERS.items() if pair != (person, character) and word in text]


@pytest.fixture
def operator_of_all(transactional_db: None) -> User:
    return User.objects.create_superuser("overseer", password="a password of tests")


@pytest.fixture
def crowd(
    transactional_db: None, wired: None, embedder: LocalEmbedder, operator_of_all: User
) -> Iterator[tuple[list[Person], list[Character]]]:
    """Everybody, projected."""
    register_predicates()
    characters = [_character(number) for number in range(CHARACTERS)]
    people = [
        Person.objects.create(namespace="tester:all", outside_id=str(number), name=f"Kim {'ABCDEFGHIJ'[number]}")
        for number in range(PEOPLE)
    ]
    for (p, person), (c, character) in itertools.product(enumerate(people), enumerate(characters)):
        _fill(person, character, marker(p, c), operator_of_all)
    while projection.sweep():
        continue
    assert projection.drift() == []
    yield people, characters


def _character(number: int) -> Character:
    facts = (
        Fact("pet", "HAS_PET", "Luna, a parrot"),
        Fact("father", "HAS_FATHER", "Repairs boats"),
        Fact("value", "CARES_ABOUT", "family"),
    )
    sheet = Sheet(f"Vera {'XYZ'[number]}", "You are {{char}}.", facts)
    return profiles.create_character(slug=f"vera{number}", sheet=sheet, by=None)


def _fill(person: Person, character: Character, mark: str, by: User) -> None:
    """The names that everybody has, and the marker in facts, entities, aliases, messages and relations."""
    now = timezone.now()
    luna = _entity(person, "Luna", "pet")
    for name, text in (("HAS_PET", "Luna"), ("LIVES_IN", "Harbour Town"), ("VALUES", "family")):
        _fact(person, character, name, _entity(person, text, "topic"), text, now)
    _fact(person, character, "OWNS", _entity(person, f"boat {mark}", "thing"), f"boat {mark}", now, subject=luna)
    _fact(person, character, "LIKES", _entity(person, f"{mark} soup", "topic"), f"{mark} soup", now)
    of_pair = _entity(person, f"Sol {mark}", "pet")
    Alias.objects.create(entity=of_pair, key=key(f"Lulu {mark}"), text=f"Lulu {mark}")
    _fact(person, character, "HAS_BROTHER", of_pair, f"Sol {mark}", now, subject=luna)
    conversation = Conversation.objects.create(person=person, character=character, owner=by, title=f"About {mark}")
    messages = [
        Message.objects.create(conversation=conversation, role="user", text=text, at=now - timedelta(days=9 - place))
        for place, text in enumerate((*SHARED_MESSAGES, f"Luna and the boat and yoga, says {mark}"))
    ]
    reply = Message.objects.create(
        conversation=conversation, parent=messages[0], role="assistant", text=f"Poor {mark}."
    )
    with transaction.atomic():
        conversations.enqueue_for_memory(conversation=conversation, messages=[*messages, reply])
    for message in (messages[0], messages[4]):
        Mention.objects.create(message=message, entity=luna)
    Relation.objects.create(
        person=person,
        character=character,
        earlier=messages[2],
        later=messages[4],
        relation="Contrast",
        confidence=0.9,
        evidence=f"because {mark}",
        status=Relation.Status.CLASSIFIED,
    )
    Acquaintance.objects.filter(person=person, character=character).update(facts_version=1)


def _entity(person: Person, name: str, kind: str) -> Entity:
    return Entity.objects.get_or_create(person=person, key=key(name), defaults={"name": name, "kind": kind})[0]


def _fact(
    person: Person,
    character: Character,
    predicate: str,
    entity: Entity,
    text: str,
    now: Any,
    subject: Entity | None = None,
) -> None:
    UserFact.objects.create(
        person=person,
        character=character,
        subject=subject,
        predicate=predicate,
        object=entity,
        text=text,
        confidence=0.9,
        origin="pattern",
        mentions=5,
        first_seen=now,
        last_seen=now,
    )


def everything_of(turn: Turn) -> str:
    """What a turn saved and said: every stage's evidence, the prompt, the reply."""
    stages = {stage.name: [stage.evidence, stage.error, stage.reason] for stage in turn.stages.all()}
    return json.dumps([stages, turn.prompt, turn.text, turn.carried, turn.request], ensure_ascii=False)


def test_no_turn_of_one_pair_holds_anything_of_another(
    crowd: tuple[list[Person], list[Character]], operator_of_all: User, strict_turns: None
) -> None:
    people, characters = crowd
    of_pair = 0
    for p, c in itertools.product(range(PEOPLE), range(CHARACTERS)):
        person = people[p]
        conversation = conversations.start_conversation(
            character=characters[c], by=operator_of_all, person=person, first="Hello"
        )
        for question in QUESTIONS:
            text = everything_of(answered(asked_in(conversation, question)))
            assert foreign(text, p, c) == [], (p, c, question)
            of_pair += marker(p, c) in text
    assert of_pair >= PEOPLE * CHARACTERS * 4  # the search finds what it should find: the pair's own data


def test_no_page_about_a_person_holds_anything_of_another(
    crowd: tuple[list[Person], list[Character]], operator_of_all: User
) -> None:
    people, characters = crowd
    client = Client()
    client.force_login(operator_of_all)
    for p, c in itertools.product((0, 4, 9), range(CHARACTERS)):
        person, slug = people[p], characters[c].slug
        full = page(client, reverse("people:person", args=[person.pk]) + f"?character={slug}")
        assert marker(p, c) in full
        assert [word for (other, _), word in ALL_MARKERS.items() if other != p and word in full] == []
        luna = person.entities.get(key="luna")
        address = reverse("people:explore", args=[person.pk])
        explored = page(client, f"{address}?character={slug}&about={luna.pk}&hops=3")
        assert marker(p, c) in explored
        assert foreign(explored, p, c) == []


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_sandbox_shows_its_person_and_nobody_else(
    crowd: tuple[list[Person], list[Character]], strict_turns: None
) -> None:
    people, characters = crowd
    Person.objects.filter(pk=people[3].pk).update(namespace="import")
    stranger = User.objects.create_user("stranger")
    conversation = conversations.start_conversation(
        character=characters[1], by=stranger, person=Person.objects.get(pk=people[3].pk)
    )
    assert conversation.sandbox
    text = everything_of(answered(asked_in(conversation, "What do you remember about Luna?")))
    assert marker(3, 1) in text
    assert foreign(text, 3, 1) == []


# Random graphs, wrong ones too: edges that lead from one owner to another one


OWNERS = ("person:1", "person:2", "person:3")
OF_VERA = ("character:1", "character:2")

EDGES = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 11), st.sampled_from(OF_VERA), st.booleans()), min_size=1, max_size=40
)

MAKE_NODES = "UNWIND $rows AS row CREATE (e:Entity {id: row.id, owner: row.owner, key: row.id, name: row.id})"
MAKE_USERS = "UNWIND $rows AS row CREATE (u:User {id: row.id, owner: row.id, name: row.id})"
MAKE_FACTS = """
UNWIND $rows AS row
MATCH (a {id: row.start}) MATCH (b {id: row.end})
CREATE (a)-[:FACT {id: row.id, character: row.character, confidence: 0.9, mentions: 1, last_seen: row.at}]->(b)
"""


def owner_of(number: int) -> str:
    return OWNERS[number % len(OWNERS)]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edges=EDGES, seeds=st.sets(st.integers(0, 11), min_size=1, max_size=5), hops=st.integers(1, 3))
def test_no_walk_through_any_graph_leaves_its_owner_and_character(
    graph: Graph, edges: list[tuple[int, int, str, bool]], seeds: set[int], hops: int
) -> None:
    graph.write("MATCH (n) DETACH DELETE n")
    graph.write(MAKE_NODES, rows=[{"id": f"entity:{n}", "owner": owner_of(n)} for n in range(12)])
    graph.write(MAKE_USERS, rows=[{"id": owner} for owner in OWNERS])
    at = timezone.now().isoformat()
    rows = [
        {
            "id": f"user_fact:{place}",
            "start": owner_of(a) if from_user else f"entity:{a}",
            "end": f"entity:{b}",
            "character": character,
            "at": at,
        }
        for place, (a, b, character, from_user) in enumerate(edges)
    ]
    graph.write(MAKE_FACTS, rows=rows)
    owners = {f"entity:{n}": owner_of(n) for n in range(12)} | {owner: owner for owner in OWNERS}
    right = {
        row["id"]
        for row in rows
        if owners[row["start"]] == owners[row["end"]] == "person:1" and row["character"] == "character:1"
    }
    request = TurnRequest("", "character:1", Sheet("", ""), 1, "", timezone.now(), person_id="person:1")
    walked = memory_graph.walk(request, [f"entity:{n}" for n in sorted(seeds)], hops, 50)
    assert {edge.fact for edge in walked} <= right
    near = {row["id"] for row in rows if row["id"] in right and _touches(row, seeds)}
    assert near <= {edge.fact for edge in walked}


def test_what_is_fresh_of_one_name_does_not_push_out_what_is_known_of_another(graph: Graph) -> None:
    graph.write("MATCH (n) DETACH DELETE n")
    graph.write(MAKE_NODES, rows=[{"id": f"entity:{n}", "owner": OWNERS[0]} for n in range(2)])
    graph.write(MAKE_USERS, rows=[{"id": OWNERS[0]}])
    now = timezone.now()
    ages = [*((0, age) for age in range(20)), (1, 400), (1, 300)]
    rows = [
        {
            "id": f"user_fact:{place}",
            "start": OWNERS[0],
            "end": f"entity:{n}",
            "character": "character:1",
            "at": (now - timedelta(days=age)).isoformat(),
        }
        for place, (n, age) in enumerate(ages)
    ]
    graph.write(MAKE_FACTS, rows=rows)
    request = TurnRequest("", "character:1", Sheet("", ""), 1, "", now, person_id=OWNERS[0])
    walked = memory_graph.walk(request, ["entity:0", "entity:1"], 1, 8)
    assert sorted(edge.object for edge in walked) == ["entity:0"] * 4 + ["entity:1"] * 2
    assert {edge.fact for edge in walked} >= {"user_fact:0", "user_fact:3", "user_fact:20"}


def _touches(row: dict[str, Any], seeds: set[int]) -> bool:
    named = {f"entity:{n}" for n in seeds if owner_of(n) == "person:1"}
    return bool({row["start"], row["end"]} & named)
