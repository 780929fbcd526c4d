"""The stages about the person, as the trace shows them; their evidence is made by hand."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from characters.conversations import services
from characters.conversations.models import Message, Person, Stage, Turn
from characters.profiles.models import Character
from characters.turn.ambient import Ambient, Connection, NamedEntity, Node, ScoreParts
from characters.turn.memory import Memory, Qualification, Recollection
from characters.turn.trace import Evidence, as_json
from characters.turn.user_facts import ScoredUserFact, Shared, UserFacts
from kgadmin.accounts.models import User
from playground.chat.pages import TurnItem
from playground.inspector.trace import trace_in
from tests.turns import asked_in

LUNA = NamedEntity("entity:7", "Luna", "Luna's", "person")
TOWN = NamedEntity("character:1/fact:ab", "Krosno", "Krosno", "character")
NODES = (
    Node("person:1", "Mark", "person"),
    Node("character:1", "Tomasz", "character"),
    Node("entity:7", "Luna", "pet", named=True),
    Node("entity:8", "vet", "thing"),
    Node("character:1/fact:ab", "Krosno", "place", named=True),
)


def connection(
    id_: str, sentence: str, subject: str, predicate: str, object_: str, *, score: float | None = None, why: str = ""
) -> Connection:
    parts = ScoreParts(direct=1.0, recency=0.9, frequency=0.25, trust=0.675, novelty=1.0, anchor=0.11)
    score = parts.score if score is None else score
    return Connection(id_, sentence, subject, predicate, object_, score, parts, why)


HAS_CAT = connection("user_fact:1", "Mark has a cat called Luna.", "person:1", "HAS_PET", "entity:7")
GREW_UP = connection("fact:ab", "I grew up in Krosno.", "character:1", "GREW_UP_IN", "character:1/fact:ab")
FEARS = connection("user_fact:2", "Luna fears the vet.", "entity:7", "FEARS", "entity:8", score=0.43, why="below 0.50")
REPEATED = connection(
    "user_fact:3",
    "Luna likes him.",
    "entity:7",
    "LIKES",
    "entity:8",
    score=0.7,
    why="shown in the last three turns",
)


@pytest.fixture
def turn(tester: User, mark: Person, resting: Character) -> Turn:
    """An ended turn without a trace."""
    conversation = services.start_conversation(character=resting, by=tester, person=mark)
    turn = asked_in(conversation, "How's Luna's leg?")
    turn.finish(Turn.State.DONE, "Better, I hope.", assembled_ms=12.0)
    return turn


def left(turn: Turn, name: str, evidence: Evidence, **more: Any) -> Stage:
    """What a stage left behind."""
    status = "skipped" if evidence.skipped else "ok"
    fields = {"status": status, "reason": evidence.skipped, "started_ms": 1.0, "elapsed_ms": 2.0, "position": 5} | more
    return Stage.objects.create(turn=turn, name=name, evidence=as_json(evidence), **fields)


def page_of(client: Client, turn: Turn, stage: str) -> tuple[str, str]:
    """HTML and text of one stage on its page."""
    answer = client.get(f"/playground/turns/{turn.pk}/{stage}/")
    assert answer.status_code == 200
    html = answer.content.decode().split(f'id="stage-{stage}"')[1].split("Link to this stage")[0]
    return html, " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def fact(id_: str, predicate: str, sentence: str, score: float, why: str = "") -> ScoredUserFact:
    return ScoredUserFact(id_, predicate, sentence, score, 0.4, 0.7, 0.9, why)


def test_user_facts_stand_as_sentences_with_their_scores_and_common_ground_is_marked(
    tester_client: Client, turn: Turn
) -> None:
    left(
        turn,
        "user_facts",
        UserFacts(
            used=(fact("user_fact:1", "LIVES_IN", "Mark lives in Seattle.", 0.81),),
            dropped=(fact("user_fact:2", "DRIVES", "Mark drives a van.", 0.31, "below the threshold"),),
            common=(Shared("glass", "entity:9", "user_fact:3", "fact:ab", "You and Mark have glass in common."),),
            common_dropped=(Shared("tea", "entity:4", "user_fact:4", "fact:cd", "You and Mark have tea.", "x"),),
            total=12,
            gate="it asks what is known about the person",
        ),
    )
    html, text = page_of(tester_client, turn, "user_facts")
    assert "User facts: what is known about the person, and what do both share?" in text
    assert "1 of 12 facts known about Mark, 1 in common" in text
    assert "Mark lives in Seattle.LIVES_IN" in text.replace(" LIVES_IN", "LIVES_IN")
    assert "--value: 0.81; --threshold: 0.40" in html
    assert "You and Mark have glass in common. common ground" in text
    assert "2 near misses: below the threshold (1), x (1)" in text
    assert 'data-source="user-facts"' in html


def test_connections_are_drawn_and_their_scores_stand_by_parts(tester_client: Client, turn: Turn) -> None:
    left(turn, "ambient", Ambient((LUNA, TOWN), (HAS_CAT, GREW_UP), (FEARS, REPEATED), NODES))
    html, text = page_of(tester_client, turn, "ambient")
    assert "2 connections of Luna, Krosno, 2 left out" in text
    assert "Luna's Luna, known about Mark" in text
    assert "Krosno known to Tomasz" in text
    for words in ("has pet", "grew up in", "Mark", "Tomasz"):
        assert words in html.split("<svg")[1].split("</svg>")[0]
    assert html.count('class="line dropped') == 2
    for label in ("Named × 0.35", "Recent × 0.20", "Often × 0.15", "Trust × 0.10", "New × 0.10", "Anchor × 0.10"):
        assert label in text
    row = text.split("Anchor × 0.10 ")[1].removeprefix("Mark has a cat called Luna.").strip()
    assert re.match(r"HAS_PET 0\.75 1\.00 0\.90 0\.25 0\.68 1\.00 0\.11 ", row), row[:80]
    assert "2 near misses: below 0.50 (1), shown in the last three turns (1)" in text
    assert f'href="/people/{turn.conversation.person_id}/explore/?character=tomasz&amp;about=7"' in html
    assert "What does Tomasz Wilk remember about Luna?" in text
    assert "remember about Krosno" not in text


@pytest.fixture
def earlier(turn: Turn) -> tuple[Turn, Message]:
    """A turn of another conversation, and an imported message."""
    conversation = services.start_conversation(
        character=turn.conversation.character, by=turn.conversation.owner, person=turn.conversation.person
    )
    remembered = asked_in(conversation, "Luna hurt her leg.")
    return remembered, Message.objects.create(conversation=conversation, role="user", text="Her leg is fine now.")


def recollection(message: Message | int, text: str, **more: Any) -> Recollection:
    key = message if isinstance(message, int) else message.pk
    return Recollection(f"message:{key}", text, "on 1 May", 0.61, 0.61, 0.55, 7.3, 0.0, **more)


def test_an_earlier_message_is_quoted_with_when_its_reply_and_what_came_later(
    tester_client: Client, turn: Turn, earlier: tuple[Turn, Message]
) -> None:
    remembered, later = earlier
    qualified = (
        Qualification(later.graph_id, "Contrast", later.text, "on 3 May"),
        Qualification(later.graph_id, "Unrelated", later.text, "on 4 May"),
    )
    used = recollection(remembered.message, "Luna hurt her leg.", reply="Poor cat.", qualified=qualified)
    left(
        turn,
        "memory",
        Memory((used,), (recollection(99_999, "My leg hurts.", why="others fit better"),), 83, threshold=0.42),
    )
    html, text = page_of(tester_client, turn, "memory")
    assert "1 of 83 earlier messages, 1 with what came later" in text
    assert f'href="/playground/turns/{remembered.pk}/"' in html
    assert f'/conversations/{later.conversation_id}/?message={later.pk}#message-{later.pk}"' in html
    assert "but later, on 3 May: Her leg is fine now." in text
    assert "unrelated, on 4 May: Her leg is fine now." in text
    assert "Tomasz Wilk answered: Poor cat." in text
    assert "--value: 0.61; --threshold: 0.42" in html
    assert "1 near miss: others fit better (1)" in text
    assert "turns/None" not in html


def test_what_people_said_is_shown_and_never_executed(tester_client: Client, turn: Turn) -> None:
    script = "<script>alert(1)</script>"
    left(turn, "memory", Memory((recollection(99_999, script, reply=script),), (), 1))
    evil = NamedEntity("entity:7", script, script, "person")
    node = Node("entity:7", script, "pet", named=True)
    left(
        turn,
        "ambient",
        Ambient((evil,), (connection("user_fact:1", script, "person:1", script, "entity:7"),), (), (node, NODES[0])),
    )
    left(turn, "user_facts", UserFacts(used=(fact("user_fact:1", "LIVES_IN", script, 0.8),), total=1))
    page = tester_client.get(f"/playground/turns/{turn.pk}/").content.decode()
    assert script not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_reader_who_may_not_see_the_person_is_led_to_nothing_of_theirs(
    tester_client: Client, tester: User, resting: Character
) -> None:
    priya = Person.objects.create(namespace="import", outside_id="priya", name="Priya")
    conversation = services.start_conversation(character=resting, by=tester, person=priya)
    message = Message.objects.create(conversation=conversation, role="user", text="I have a cat.")
    turn = asked_in(conversation, "What do you remember about Luna?")
    turn.finish(Turn.State.DONE, "A cat.", assembled_ms=12.0)
    left(turn, "ambient", Ambient((LUNA,), (HAS_CAT,), (), NODES, explored=True))
    left(turn, "memory", Memory((recollection(message, message.text),), (), 1))
    page = tester_client.get(f"/playground/turns/{turn.pk}/").content.decode()
    assert "I have a cat." in page
    assert f"/people/{priya.pk}/" not in page
    tester.groups.add(Group.objects.get(name="operator"))
    page = tester_client.get(f"/playground/turns/{turn.pk}/").content.decode()
    for address in re.findall(rf'href="(/people/{priya.pk}/[^"]*)"', page):
        assert tester_client.get(address.replace("&amp;", "&")).status_code in {200, 404}  # Luna is no row here
    assert page.count(f"/people/{priya.pk}/") >= 3


def test_a_turn_that_ended_while_it_was_read_is_shown_as_ended(turn: Turn) -> None:
    Stage.objects.create(turn=turn, position=99, name="reply", status="ok", started_ms=12.0, elapsed_ms=5.0)
    read = Turn.objects.with_trace().get(pk=turn.pk)
    read.state, read.reply_ms = Turn.State.REPLYING, None
    Turn.objects.filter(pk=turn.pk).update(reply_ms=5.0)
    trace = trace_in([TurnItem(1, read, 1, current=True)])
    assert trace is not None
    assert (trace.turn.state, trace.turn.reply_ms, trace.turn.is_running) == ("done", 5.0, False)
