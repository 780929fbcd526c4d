"""What is decided of a learned fact reaches the graph and the turns, also where the process that did it was killed."""

import io
import signal
from dataclasses import replace
from itertools import product

import pytest
from django.core.management import call_command

from characters.conversations import services as conversations
from characters.conversations.models import Conversation, Turn
from characters.domain.sheet import Settings
from characters.profiles import projection, snapshot, vectors
from characters.profiles import services as profiles
from characters.profiles.models import Character, LearnedFact
from characters.review.models import Proposal
from characters.talk import requests
from characters.turn.request import Snapshot
from kgadmin.accounts.models import User
from kgadmin.projection import services as projecting
from kgadmin.projection.models import Lease
from kgadmin.stores import wiring
from tests.characters.profiles import sheets
from tests.characters.review.dying_decider import WORKS, main
from tests.characters.review.replayed import assert_consistent
from tests.fixtures.talk import register_predicates
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.processes import Dying
from tests.processes import sweep_until_nothing_waits as sweep

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(240)]

LEARNED = ("FAVORITE_CORAL", "staghorn", "learned", 0.95)
GONE_AND_BACK = [("decay", "restore"), ("archive", "restore"), ("suspend", "resume"), ("undo", "approve")]
"""Decay is the first: what was restored lately doesn't."""
DECISIONS = ["approve", "archive", "undo", "decay", "suspend"]
NOT_YET = ["before the log", "in the log", "before the commit"]
LIFE = ["approve", "archive", "restore", "suspend", "resume", "undo"]
THERE_AFTER = {"approve", "restore", "resume"}
PROJECTING = [
    "before the graph",
    "after the deletes",
    "before the graph's commit",
    "before the vectors",
    "before the mark",
    "after the mark",
]


@pytest.fixture
def ann(
    transactional_db: None, wired: None, monkeypatch: pytest.MonkeyPatch, operator: User, tester: User
) -> Character:
    """A character in the graph, of whom a proposal waits."""
    register_predicates()
    monkeypatch.setattr(wiring, "embedder", HashEmbedder)
    character = sheets.character()
    Proposal.objects.create(
        character=character, predicate="FAVORITE_CORAL", object="staghorn", meaning="staghorn", confidence=0.95
    )
    conversations.start_conversation(character=character, by=tester)
    sweep()
    return character


def do(*works: str) -> None:
    for work in works:
        WORKS[work]()


def assert_there(ann: Character) -> None:
    """In the graph below the core, in what a turn searches, with its vectors, and nothing differs."""
    assert_whole(ann, [LEARNED])


def assert_gone(ann: Character) -> None:
    assert_whole(ann, [])


def assert_whole(ann: Character, learned: list[tuple[str, str, str, float]]) -> None:
    """The graph and a turn hold the sheet and these learned facts."""
    rows = wiring.graph().read(projection.FACTS, character=ann.graph_id)
    edges = [(row["predicate"], row["object"], row["tier"], row["confidence"]) for row in rows]
    ann.refresh_from_db()
    assert ann.sheet
    core = [(fact.predicate, fact.object, "core", 1.0) for fact in ann.sheet.facts]
    assert sorted(edges) == sorted([*core, *learned])
    read = asked(ann)
    assert (read.source, read.full.missing) == ("graph", 0), (read.reason, read.full.facts)
    assert [str(fact.object) for fact in read.full.facts] == [each[1] for each in [*core, *learned]]
    for fact in LearnedFact.objects.active():
        assert vectors.read(fact)
    out = io.StringIO()
    call_command("drift", stdout=out)
    assert "No drift." in out.getvalue()
    assert_consistent()


def asked(ann: Character) -> Snapshot:
    """What a turn of hers searches now."""
    conversation = Conversation.objects.get(character=ann)
    turn, _ = conversations.start_turn(conversation=conversation, text="What's your favourite coral?")
    read = snapshot.read(requests.request_for(turn))
    turn.finish(Turn.State.STOPPED, "")
    return read


def test_what_is_approved_is_an_edge_below_the_core_and_its_vectors_are_read(ann: Character) -> None:
    assert_gone(ann)
    do("approve")
    assert asked(ann).source == "document"
    sweep()
    assert_there(ann)


def test_what_goes_is_gone_from_graph_and_turns_and_what_comes_back_is_there(ann: Character) -> None:
    do("approve")
    sweep()
    for leave, back in GONE_AND_BACK:
        do(leave)
        sweep()
        assert_gone(ann)
        do(back)
        sweep()
        assert_there(ann)


def test_what_is_above_the_cap_is_in_no_turn_and_not_in_the_graph(ann: Character) -> None:
    do("approve")
    assert ann.sheet
    for most, expect in ((0, assert_gone), (1, assert_there)):
        profiles.publish(ann, sheet=replace(ann.sheet, settings=Settings(most_learned=most)), by=None)
        sweep()
        expect(ann)


def test_what_left_before_it_was_projected_leaves_nothing_behind_and_a_graph_written_anew_has_the_rest(
    ann: Character,
) -> None:
    do("approve", "archive", "restore", "undo")
    sweep()
    assert_gone(ann)
    do("approve")
    sweep()
    projecting.rebuild("graph")
    sweep()
    assert_there(ann)


def killed(work: str, point: str) -> None:
    assert Dying(main, work, point).wait() == -signal.SIGKILL, f"{work} was never {point}"


@pytest.mark.parametrize(
    ("work", "point"),
    [
        pytest.param(work, point, marks=[] if (work, point) == ("approve", "before the commit") else pytest.mark.faults)
        for work, point in product(DECISIONS, NOT_YET)
    ],
)
def test_what_was_killed_before_its_commit_was_not_done(ann: Character, work: str, point: str) -> None:
    if work != "approve":
        do("approve")
        sweep()
    killed(work, point)
    sweep()
    assert_whole(ann, [] if work == "approve" else [LEARNED])


@pytest.mark.parametrize("work", ["approve", *(pytest.param(work, marks=pytest.mark.faults) for work in DECISIONS[1:])])
def test_what_was_killed_after_its_commit_is_projected(ann: Character, work: str) -> None:
    if work != "approve":
        do("approve")
        sweep()
    killed(work, "after the commit")
    assert ann.waits_for_graph
    sweep()
    assert_whole(ann, [LEARNED] if work == "approve" else [])


@pytest.mark.parametrize(
    "points",
    [PROJECTING, *(pytest.param([point] * len(LIFE), marks=pytest.mark.faults) for point in PROJECTING)],
    ids=["each once", *PROJECTING],
)
def test_a_projection_killed_anywhere_is_finished(ann: Character, points: list[str]) -> None:
    for work, point in zip(LIFE, points, strict=True):
        do(work)
        killed("sweep", point)
        assert ann.waits_for_graph == (point != "after the mark"), work
        Lease.objects.update(held_until=None)  # that of the dead runs out
        sweep()
        (assert_there if work in THERE_AFTER else assert_gone)(ann)
