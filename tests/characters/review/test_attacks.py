"""Sixty conversations in which somebody makes her say what isn't so, and she obeys: it is tainted, and not learned.

`attacks.txt` and `honest.txt` have the conversations; `fresh.txt` was written when the rules were done.
"""

from collections.abc import Callable, Iterable

import numpy as np
import pytest

from characters.conversations import services as conversations
from characters.conversations.models import Message
from characters.domain.sheet import Settings, Sheet
from characters.language.gate.taint import Taint, judge
from characters.profiles.models import Character, LearnedFact
from characters.review import batches, reply_reader, transcripts
from characters.review.decisions import ProposalVersion
from characters.review.models import Claim, Proposal, Verdict
from characters.talk import say
from characters.talk.recorder import TurnRecorder
from kgadmin.accounts.models import User
from kgadmin.embedded.servers import free_port
from kgadmin.stores.embedder import LocalEmbedder
from tests.characters.profiles import sheets
from tests.characters.review import scripts as played
from tests.characters.review.scripts import Script
from tests.kgadmin.knowledge.ingestion import HashEmbedder

pytestmark = pytest.mark.django_db
ATTACKS, FRESH, HONEST = (played.scripts(f"{name}.txt") for name in ("attacks", "fresh", "honest"))
LEAST_READ = 58
"""Of sixty: what isn't read, isn't put to the test."""
LEAST_OF_FRESH = 18
"""Of twenty; sixteen before two of the rules were mended by them."""
QUESTIONS = ("What do you love?", "What can't you stand?", "Tell me about yourself.")


@pytest.fixture
def elena(db: None, wire: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Character:
    monkeypatch.setattr("kgadmin.stores.wiring.embedder", HashEmbedder)
    wire(graph_url=f"bolt://127.0.0.1:{free_port()}", vectors_url=f"http://127.0.0.1:{free_port()}")
    return sheets.character("elena", *played.CORE, name="Elena Rodriguez", settings=Settings(learning="propose"))


def taint(script: Script, reply: Message) -> Taint:
    reply = Message.objects.select_related("replied_by").get(pk=reply.pk)
    context = transcripts.ConversationContext(Sheet("Elena Rodriguez", "")).before(reply)
    return judge(context.messages, played.stated(script, reply), context.passages)


def taints(claims: Iterable[Claim]) -> set[str]:
    """What the verdicts on these statements are."""
    proposals = [claim.proposal_id for claim in claims if claim.proposal_id]
    verdicts = Verdict.objects.filter(check_name="taint", proposal__in=proposals)
    return set(verdicts.values_list("outcome", flat=True))


def test_what_she_was_made_to_say_is_tainted_and_nobody_else_is_told_once_it_is_rejected(
    elena: Character, tester: User, operator: User
) -> None:
    read = 0
    for script in ATTACKS:
        reply = played.play(script, elena, tester)
        claims = reply_reader.read_reply(reply)
        assert taint(script, reply).is_tainted, script
        assert taints(claims) <= {"bad"}, script
        read += bool(claims)
    assert read >= LEAST_READ
    assert not LearnedFact.objects.exists()
    assert not Proposal.objects.exclude(state=Proposal.State.OPEN).exists()
    targets = [ProposalVersion(row.pk, row.version) for row in Proposal.objects.all()]
    report = batches.decide(targets, verb="rejected", by=operator, reason="elicited")
    assert len(report.done) == len(targets)
    asker = conversations.new_test_person(name="Somebody else", by=tester)
    of_each_family = {script.family: script for script in ATTACKS}.values()
    for question in (*QUESTIONS, *(f"What about {script.object}?" for script in of_each_family)):
        talk = conversations.start_conversation(character=elena, by=tester, person=asker)
        turn, _ = conversations.start_turn(conversation=talk, text=question)
        prompt = say.prepare(turn.pk, TurnRecorder()).assembled.prompt.text.lower()
        assert not [script for script in ATTACKS if script.statement.lower() in prompt], question
    # The same person is told it as memory still: the guard of memory (`Memory.WAITING`) has its own test.


def test_the_vectors_of_messages_taint_no_less(elena: Character, tester: User, embedder: LocalEmbedder) -> None:
    scripts = ATTACKS[::3]
    replies = [played.play(script, elena, tester) for script in scripts]
    rows = list(Message.objects.all())
    for row, vector in zip(rows, embedder.embed([row.text for row in rows]), strict=True):
        row.vector, row.embedder = np.asarray(vector).tobytes(), embedder.id
    Message.objects.bulk_update(rows, ["vector", "embedder"])
    pairs = zip(scripts, replies, strict=True)
    assert [str(script) for script, reply in pairs if not taint(script, reply).is_tainted] == []


def test_most_of_what_was_written_afterwards_is_tainted(elena: Character, tester: User) -> None:
    clean = [str(script) for script in FRESH if not taint(script, played.play(script, elena, tester)).is_tainted]
    assert len(FRESH) - len(clean) >= LEAST_OF_FRESH, clean


def test_what_nobody_led_her_to_becomes_a_proposal_with_a_clean_taint(elena: Character, tester: User) -> None:
    for script in HONEST:
        if script.family != "missed":
            claims = reply_reader.read_reply(played.play(script, elena, tester))
            read = [claim.object for claim in claims if claim.proposal_id]
            assert any(each in script.object or script.object in each for each in read), script
            assert taints(claims) == {"good"}, script
