"""What a trace says of her statements: read as what, what became of them, who led her; and proposing by one click."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client

from characters.conversations.models import Conversation, Memory, Message, Person, Stage, Turn
from characters.domain.sheet import Settings
from characters.profiles import services as profiles
from characters.profiles.models import Character
from characters.review import decisions, examination
from characters.review.decisions import ProposalVersion
from characters.review.models import Claim, Proposal
from kgadmin.accounts.models import User
from kgadmin.stores import offline
from playground.inspector.evidence import statements_of
from tests.characters.profiles import sheets
from tests.kgadmin.knowledge.ingestion import HashEmbedder

pytestmark = pytest.mark.django_db
Replied = Callable[..., Turn]
ASKED = "What's your favourite coral?"
STATED = "My favourite coral is staghorn."
BY = {"model": "a model"}
HTMX = {"HX-Request": "true"}


@pytest.fixture
def ann(db: None, monkeypatch: pytest.MonkeyPatch) -> Character:
    monkeypatch.setattr("kgadmin.stores.wiring.embedder", HashEmbedder)
    return sheets.character("ann", settings=Settings(learning="propose"))


@pytest.fixture
def replied(ann: Character, tester: User) -> Replied:
    """`replied(message, reply)`: a turn of the tester's that has ended, and that nobody has looked at."""

    def turn(message: str = ASKED, reply: str = STATED, *, sandbox: bool = False) -> Turn:
        person = Person.objects.create(namespace="tester:all", outside_id=message, name="Mark")
        talk = Conversation.objects.create(character=ann, person=person, owner=tester, sandbox=sandbox)
        asked = Message.objects.create(conversation=talk, role="user", text=message, memory=Memory.WAITING, place=1)
        made = Turn.objects.create(message=asked, key=message)
        made.finish(Turn.State.DONE, reply)
        Stage.objects.create(turn=made, position=99, name="reply", status="ok", started_ms=0, elapsed_ms=0, evidence=BY)
        made.message.children.update(memory=Memory.WAITING, place=2)
        made.refresh_from_db()
        return made

    return turn


def page(client: Client, turn: Turn) -> str:
    """The stage of the reply, once it was examined."""
    assert turn.reply
    examination.examine(turn.reply)
    return client.get(f"/playground/turns/{turn.pk}/reply/").content.decode()


def test_what_the_reply_states_waits_for_an_operator(tester_client: Client, replied: Replied) -> None:
    turn = replied()
    shown = page(tester_client, turn)
    assert ("staghorn" in shown, "Waiting for an operator" in shown) == (True, True)
    assert "review/" not in shown  # a tester doesn't decide
    assert turn.message.children.get().memory == Memory.WITHHELD
    page(tester_client, turn)
    assert (Proposal.objects.count(), Claim.objects.count()) == (1, 1)


def test_what_became_of_a_statement_is_told(replied: Replied, operator: User) -> None:
    turn = replied()
    assert turn.reply
    examination.examine(turn.reply)
    proposal = Proposal.objects.get()
    decisions.reject(ProposalVersion(proposal.pk, proposal.version), by=operator, reason="vague")
    statements = statements_of(Turn.objects.get(pk=turn.pk))
    assert statements
    assert [(row.words, row.outcome) for row in statements.rows] == [
        ("My favourite coral is staghorn", "was rejected by an operator")
    ]
    assert statements.withheld.startswith("This reply is never recalled")
    assert statements.elicited == ()


def test_a_trace_asks_until_the_reply_was_read_and_then_says_that_the_character_was_led(
    tester_client: Client, replied: Replied
) -> None:
    turn = replied("Repeat after me: I love golf.", "I love golf.")
    assert turn.reply
    trace, poll = f"/playground/turns/{turn.pk}/trace/", f"/playground/turns/{turn.pk}/stated/"
    assert f'hx-get="{poll}"' in tester_client.get(trace).content.decode()
    assert tester_client.get(poll, headers=HTMX).status_code == 204
    examination.examine(turn.reply)
    for answer in (tester_client.get(poll, headers=HTMX), tester_client.get(trace)):
        page = answer.content.decode()
        assert "I love golf" in page
        assert "was led to a statement in this turn" in page
        assert "Neither the message nor the reply is remembered." in page
        assert f'hx-get="{poll}"' not in page
    asked = Message.objects.create(conversation=turn.conversation, role="user", text="And now?")
    started = Turn.objects.create(message=asked, key="started")  # there is no reply yet
    assert tester_client.get(f"/playground/turns/{started.pk}/stated/", headers=HTMX).status_code == 204


def test_where_nothing_is_proposed_the_page_says_why(tester_client: Client, replied: Replied, ann: Character) -> None:
    assert "LIVES_IN can&#x27;t be learned" in page(tester_client, replied("Where do you live?", "I live in Oslo."))
    turn = replied()
    Turn.objects.filter(pk=turn.pk).update(model=offline.NAME)
    sandbox = replied("Well?", sandbox=True)
    for other, sentence in ((turn, "The offline responder only repeats"), (sandbox, "A sandbox creates no proposals.")):
        assert sentence in tester_client.get(f"/playground/turns/{other.pk}/").content.decode()
    assert ann.sheet
    profiles.publish(ann, sheet=replace(ann.sheet, settings=Settings()), by=None)
    assert "learning is off" in tester_client.get(f"/playground/turns/{replied('And now?').pk}/").content.decode()
