"""What a person let be said again, edited or deleted: memory takes it back, and going back brings it back."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytest_django.fixtures import Settings as DjangoSettings

from characters.conversations import clients, services
from characters.conversations.clients import Line, Sent
from characters.conversations.models import Conversation, Memory, Message, Turn
from characters.domain.sheet import Settings
from characters.memory.models import UserFact
from characters.profiles.models import Character
from characters.review import decisions, reply_reader
from characters.review.decisions import ProposalVersion
from characters.review.models import Proposal
from characters.talk import say as talk
from characters.talk.progress import Progress
from characters.talk.requests import branch_of, follow_branch, follow_newest
from kgadmin.accounts.models import Client, User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.projection import services as projecting
from kgadmin.stores import wiring
from tests.characters.profiles import sheets
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.servers import GraphServer, VectorServer

LUNA, REX = "I have a cat called Luna.", "I have a dog called Rex."


@pytest.fixture
def ann(db: None, monkeypatch: pytest.MonkeyPatch) -> Character:
    embedder = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder", lambda: embedder)
    return sheets.character("ann", settings=Settings(learning="propose"))


@pytest.fixture
def hello(ann: Character, tester: User) -> Sent:
    return Sent(Client.objects.create(name="A bot", owner=tester), ann, "Hello there", person="7", name="Mark")


def say(sent: Sent, reply: str) -> Line:
    """What a program sends is answered, remembered and read; the reply's line of the next history."""
    digests = clients.digests_of(sent.history)
    lines = [(*line, digest) for line, digest in zip(sent.history, digests, strict=True)]
    turn = clients.begin(replace(sent, asked={"client": {"history": lines}}))
    follow_branch(turn, branch_of(turn.message))
    Turn.objects.filter(pk=turn.pk).update(assembled_ms=1.0)
    turn.finish(Turn.State.DONE, reply)
    assert turn.reply
    services.enqueue_for_memory(conversation=turn.conversation, messages=[turn.message, turn.reply])
    follow_newest(turn)
    for job in Job.objects.open():
        runner.run(job.pk)
    return Line("assistant", reply)


def then(sent: Sent, answer: Line, text: str) -> Sent:
    return replace(sent, history=(*sent.history, Line("user", sent.text), answer), text=text)


def known() -> set[str]:
    return {fact.object.name for fact in UserFact.objects.current().select_related("object")}


def held() -> set[str]:
    return set(Message.objects.filter(place__isnull=False).values_list("text", flat=True))


def test_an_edited_message_is_known_no_longer_and_again_after_going_back(hello: Sent) -> None:
    first = say(hello, "Hi Mark.")
    before = {"Hello there", "Hi Mark."}
    cat, edited = then(hello, first, LUNA), then(hello, first, REX)
    luna = say(cat, "How lovely.")
    assert known() >= {"Luna"}
    rex = say(edited, "A dog!")
    assert (known() & {"Luna", "Rex"}, held()) == ({"Rex"}, before | {REX, "A dog!"})
    say(then(cat, luna, "She sleeps a lot."), "As cats do.")
    assert known() & {"Luna", "Rex"} == {"Luna"}
    assert held() == before | {LUNA, "How lovely.", "She sleeps a lot.", "As cats do."}
    say(then(edited, rex, "He barks."), "As dogs do.")
    assert held() == before | {REX, "A dog!", "He barks.", "As dogs do."}


def test_what_a_rejected_reply_proposed_goes_and_comes_back_with_it(hello: Sent) -> None:
    asked = replace(hello, text="What do you love?")
    fog = say(asked, "I love fog.")
    assert Proposal.objects.get().object == "fog"
    rain = say(asked, "I love rain.")
    assert list(Proposal.objects.values_list("object", flat=True)) == ["rain"]
    say(then(asked, fog, "Me too."), "Good.")
    assert list(Proposal.objects.values_list("object", flat=True)) == ["fog"]
    say(then(asked, rain, "Me, too."), "Well.")
    assert list(Proposal.objects.values_list("object", flat=True)) == ["rain"]


def test_what_an_operator_approved_stays_and_is_flagged(
    hello: Sent, operator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = replace(hello, text="What do you love?")
    fog = say(asked, "I love fog.")
    proposal = Proposal.objects.get()
    decisions.approve(ProposalVersion(proposal.pk, proposal.version), by=operator)
    say(asked, "The sea, I suppose.")
    proposal.refresh_from_db()
    assert (proposal.state, proposal.is_taken_back, proposal.claims.count()) == ("approved", True, 1)
    monkeypatch.setattr(reply_reader, "_extracted", lambda *_: ([], 0, ""))  # a model may find nothing the second time
    say(then(asked, fog, "Me too."), "Good.")
    assert not proposal.is_taken_back
    assert Message.objects.get(text="I love fog.").memory == Memory.WITHHELD


def test_what_is_still_sent_behind_a_deleted_exchange_stands_and_the_exchange_comes_back(hello: Sent) -> None:
    hi = say(hello, "Hi Mark.")
    lovely = say(cat := then(hello, hi, LUNA), "How lovely.")
    dog = say(more := then(cat, lovely, REX), "A dog!")
    last = then(more, dog, "I live in Rome.")
    rome = say(last, "Ah, Rome.")
    gone = then(replace(last, history=last.history[:2] + last.history[4:]), rome, "And you?")
    here = say(gone, "By the sea.")
    assert known() & {"Luna", "Rex", "Rome"} == {"Rex", "Rome"}
    assert LUNA not in held()
    say(then(gone, here, "I see."), "Good.")
    assert known() & {"Luna", "Rex", "Rome"} == {"Rex", "Rome"}
    assert [each.text for each in Conversation.objects.get().path()][:4] == ["Hello there", "Hi Mark.", REX, "A dog!"]
    say(then(last, rome, "And you?"), "Still by the sea.")
    assert known() & {"Luna", "Rex", "Rome"} == {"Luna", "Rex", "Rome"}


def test_a_reply_of_an_older_branch_that_goes_on_stands(hello: Sent) -> None:
    hi = say(hello, "Hi Mark.")
    cat = then(hello, hi, LUNA)
    say(cat, "How lovely")
    say(then(hello, hi, REX), "A dog!")
    turn = clients.begin(replace(cat, prefill="How lovely"))
    assert Turn.objects.order_by("created_at").last() == turn
    follow_branch(turn, branch_of(turn.message))
    talk._finish(turn, Turn.State.DONE, Progress("How lovely she is."))
    assert LUNA in held()
    assert REX not in held()


def test_what_follows_a_reply_in_other_words_stands(hello: Sent) -> None:
    hi = say(hello, "Hi Mark.")
    lovely = say(cat := then(hello, hi, LUNA), "How lovely.")
    edited = (*cat.history[:1], Line("assistant", "Good evening, sailor."), Line("user", LUNA), lovely)
    say(replace(hello, history=edited, text="And you?"), "By the sea.")
    assert "Luna" in known()
    assert held() == {"Hello there", LUNA, "How lovely.", "And you?", "By the sea."}


@pytest.mark.parametrize(("shown", "stands"), [("**Hi**, Mark!", True), ("Go away.", False)])
def test_a_reply_stands_in_the_programs_own_form_and_not_in_other_words(hello: Sent, shown: str, stands: bool) -> None:
    say(hello, "Hi Mark.")
    say(then(hello, Line("assistant", shown), "How are you?"), "Well.")
    assert ("Hi Mark." in held()) is stands


def test_a_program_that_sends_less_takes_nothing_back(hello: Sent) -> None:
    named = replace(hello, conversation="room 5")
    say(named, "Hi Mark.")
    say(replace(named, text=LUNA), "How lovely.")
    say(replace(named, text="And now?"), "Now tea.")
    assert len(held()) == 6


@pytest.mark.engine
def test_graph_and_vectors_follow(
    transactional_db: None,
    hello: Sent,
    wire: Callable[..., None],
    graph_server: GraphServer,
    vector_server: VectorServer,
    settings: DjangoSettings,
) -> None:
    settings.PROJECTORS = ["characters.memory.projection.PersonProjector"]
    wire(graph_server, vector_server)
    first = say(hello, "Hi Mark.")
    cat = then(hello, first, LUNA)
    luna = say(cat, "How lovely.")
    asleep = then(cat, luna, "She sleeps.")
    without = then(
        replace(asleep, history=(asleep.history[0], *asleep.history[2:])), Line("assistant", "*As cats do*"), "?"
    )
    for sent, reply in ((then(hello, first, REX), "A dog!"), (asleep, "As cats do."), (without, "Well.")):
        projecting.sweep()
        say(sent, reply)
        projecting.sweep()
        assert (projecting.waiting(), projecting.drift()) == ([], [])
        rows = wiring.graph().read("MATCH (m:Message) RETURN m.text AS text")
        assert {row["text"] for row in rows} == held()


def test_an_edit_whose_turn_broke_off_is_followed_by_the_next_turn(hello: Sent) -> None:
    first = say(hello, "Hi Mark.")
    cat, edited = then(hello, first, LUNA), then(hello, first, REX)
    say(cat, "How lovely.")
    assert known() >= {"Luna"}
    broken = clients.begin(edited)
    assert broken.assembled_ms is None
    say(then(edited, Line("assistant", "A dog!"), "He barks."), "As dogs do.")
    assert "Luna" not in known()
    assert LUNA not in held()


def test_a_turn_that_ends_after_its_message_was_edited_leaves_nothing_of_it(hello: Sent) -> None:
    first = say(hello, "Hi Mark.")
    late = clients.begin(then(hello, first, LUNA))
    follow_branch(late, branch_of(late.message))
    edited = then(hello, first, REX)
    rex = say(edited, "A dog!")
    talk._finish(late, Turn.State.DONE, Progress("How lovely."))
    say(then(edited, rex, "He barks."), "As dogs do.")
    assert known() & {"Luna", "Rex"} == {"Rex"}
    assert LUNA not in held()
