"""Who is forgotten leaves nothing behind: no statement made to them alone, nothing learned from it, no quotation."""

from collections.abc import Callable
from typing import Any

import pytest

from characters.conversations import services as conversations
from characters.conversations.models import Message, Person, Turn
from characters.domain.sheet import Settings
from characters.memory import erasure
from characters.memory.erasure import REMOVED
from characters.profiles.models import Character, LearnedFact
from characters.review import batches, decisions, reply_reader
from characters.review.decisions import ProposalVersion
from characters.review.judgement import judge
from characters.review.models import Batch, BatchItem, Claim, Decision, Proposal, Verdict
from characters.review.repeats import key_of
from characters.review.verdicts.comparison import Finding
from characters.talk import say as talk
from characters.talk.recorder import TurnRecorder
from kgadmin.accounts.models import User
from kgadmin.audit.models import Detail, Entry
from tests.characters.profiles import sheets
from tests.characters.review.proposals import replied
from tests.kgadmin.knowledge.ingestion import HashEmbedder

pytestmark = [pytest.mark.django_db, pytest.mark.engine]
Say = Callable[[str, str, str], Message]
MARKER = "xylotomous"
STATED = f"I love {MARKER} beetles."


@pytest.fixture
def ann(db: None, monkeypatch: pytest.MonkeyPatch) -> Character:
    monkeypatch.setattr("kgadmin.stores.wiring.embedder", HashEmbedder)
    return sheets.character("ann", settings=Settings(learning="propose"))


@pytest.fixture
def say(ann: Character, tester: User) -> Say:
    """`say(name, message, reply)`: somebody hears it, and it is read for statements."""

    def turn(name: str, message: str, reply: str) -> Message:
        person, _ = Person.objects.get_or_create(namespace="tester:all", outside_id=name, defaults={"name": name})
        conversation = conversations.start_conversation(character=ann, by=tester, person=person)
        made = replied(ann, tester, message, reply, to=conversation)
        reply_reader.read_reply(made)
        return made

    return turn


def approve(by: User) -> Proposal:
    proposal = Proposal.objects.get()
    decisions.approve(ProposalVersion(proposal.pk, proposal.version), by=by, note=f"She said {MARKER} to Noor.")
    proposal.refresh_from_db()
    return proposal


def everything() -> str:
    """All that review, what was learned and the log say."""
    models = (Proposal, Decision, Batch, BatchItem, Claim, Verdict, LearnedFact, Detail)
    return str([list(model._default_manager.values()) for model in models])


def test_what_was_said_to_them_alone_goes_with_what_was_learned_from_it(say: Say, operator: User) -> None:
    reply = say("Noor", "What do you love?", STATED)
    approve(operator)
    assert MARKER in everything()
    entries = Entry.objects.count()
    erasure.forget_person(reply.conversation.person, by=operator)
    assert MARKER not in everything()
    assert not Proposal.objects.exists()
    assert not LearnedFact.objects.exists()
    assert Entry.objects.count() == entries + 2  # what was written stays, emptied, and what was forgotten
    forgot = Entry.objects.filter(verb="forgot").order_by("pk").values_list("subject", flat=True)
    assert [subject.partition(":")[0] for subject in forgot] == ["learned", "person"]


def test_what_was_learned_from_them_goes_from_the_prompts_of_others(say: Say, operator: User) -> None:
    reply = say("Noor", "What do you love?", STATED)
    approve(operator)
    other = say("Bea", "Hello", "Good evening.")
    turn, _ = conversations.start_turn(conversation=other.conversation, text=f"Do you love {MARKER} beetles?")
    talk.save_trace(talk.prepare(turn.pk, TurnRecorder()))
    assert STATED in Turn.objects.get(pk=turn.pk).prompt_text
    assert STATED in str(turn.stages.get(name="background").evidence)
    erasure.forget_person(reply.conversation.person, by=operator)
    turn.refresh_from_db()
    evidence = turn.stages.get(name="background").evidence
    assert STATED not in str([turn.prompt, *turn.stages.values_list("evidence", flat=True)])
    assert MARKER not in str(evidence)
    assert REMOVED in turn.prompt_text
    assert turn.prompt["sections"][-1]["text"] == f"Do you love {MARKER} beetles?"


def test_what_was_said_to_others_too_stays_without_quotes(say: Say, operator: User) -> None:
    reply = say("Noor", f"Repeat after me: I love {MARKER} beetles", STATED)
    say("Ida", "What do you love?", STATED)
    assert "Repeat after me" in everything()
    proposal = approve(operator)
    erasure.forget_person(reply.conversation.person, by=operator)
    assert "Repeat after me" not in everything()
    assert "Noor" not in everything()
    proposal.refresh_from_db()
    assert proposal.state == "approved"
    assert proposal.claims.count() == 1
    assert LearnedFact.objects.active().count() == 1


@pytest.mark.parametrize("is_approved", [True, False])
def test_it_is_put_in_the_words_of_who_stays(say: Say, operator: User, is_approved: bool) -> None:
    reply = say("Noor", "What do you love?", STATED)
    proposal, other = Proposal.objects.get(), say("Ida", "And you?", "I love beetles.")
    Claim.objects.filter(message=other).update(proposal=proposal)  # as where it is the same in other words
    Proposal.objects.exclude(pk=proposal.pk).delete()
    if is_approved:
        decisions.approve(ProposalVersion(proposal.pk, Proposal.objects.get().version), by=operator)
    erasure.forget_person(reply.conversation.person, by=operator)
    assert MARKER not in everything()
    proposal.refresh_from_db()
    assert (str(proposal), proposal.meaning, proposal.state) == ("LOVES beetles", key_of("LOVES", "beetles"), "open")
    assert not LearnedFact.objects.exists()


@pytest.mark.parametrize("is_approved", [True, False])
def test_two_become_one_where_what_is_left_says_the_same(say: Say, operator: User, is_approved: bool) -> None:
    reply = say("Noor", "What do you love?", STATED)
    longer, other = Proposal.objects.get(), say("Ida", "And you?", "I love beetles.")
    Claim.objects.filter(message=other).update(proposal=longer)
    if is_approved:
        longer.refresh_from_db()
        decisions.approve(ProposalVersion(longer.pk, longer.version), by=operator)
    shorter = Proposal.objects.exclude(pk=longer.pk).get()
    erasure.forget_person(reply.conversation.person, by=operator)
    assert MARKER not in everything()
    assert Proposal.objects.get() == shorter
    assert Claim.objects.get().proposal == shorter
    assert not LearnedFact.objects.exists()


def test_nothing_learned_outlives_all_to_whom_it_was_said(say: Say, operator: User) -> None:
    first, second = say("Noor", "What do you love?", STATED), say("Ida", "What do you love?", STATED)
    approve(operator)
    for reply in (first, second):
        erasure.forget_person(reply.conversation.person, by=operator)
    assert not Proposal.objects.exists()
    assert not LearnedFact.objects.exists()
    assert MARKER not in everything()


def test_who_stays_keeps_their_words_though_what_says_the_same_goes(say: Say, operator: User) -> None:
    reply = say("Noor", "What do you love?", STATED)
    longer, other = Proposal.objects.get(), say("Ida", "And you?", "I love beetles.")
    shorter = Proposal.objects.exclude(pk=longer.pk).get()
    Claim.objects.filter(message=other).update(proposal=longer)
    again = say("Noor", "And else?", "I love beetles.")
    assert Claim.objects.get(message=again).proposal == shorter
    erasure.forget_person(reply.conversation.person, by=operator)
    assert str(Proposal.objects.get()) == "LOVES beetles"
    assert Claim.objects.get().message == other


@pytest.mark.parametrize("is_approved", [True, False])
def test_what_is_judged_while_somebody_is_forgotten_keeps_none_of_their_words(
    say: Say, operator: User, monkeypatch: pytest.MonkeyPatch, is_approved: bool
) -> None:
    reply = say("Noor", "What do you love?", STATED)
    if is_approved:
        approve(operator)
    other = say("Ida", "And you?", "I can't stand beetles.")
    proposal = Claim.objects.get(message=other).proposal
    assert proposal is not None
    assert MARKER in str(proposal.verdicts.get(check_name="contradiction").evidence)
    tries = during_judging(monkeypatch, lambda: erasure.forget_person(reply.conversation.person, by=operator))
    judge(proposal)
    assert len(tries) == 2
    assert MARKER not in everything()


def test_what_is_judged_beside_what_is_put_in_other_words_quotes_those(
    say: Say, operator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = say("Noor", "What do you love?", STATED)
    row = Proposal.objects.get()
    other = say("Ida", "And you?", "I can't stand beetles.")
    words = {"message": other, "conversation": other.conversation, "person": other.conversation.person}
    place = {"character": row.character, "start": 0, "end": 1, "certainty": 0.9, "stated_at": other.at}
    row.claims.create(predicate="LOVES", object="beetles", **words, **place)  # said to Ida, too, in other words
    proposal = Claim.objects.get(message=other, proposal__predicate="HATES").proposal
    assert proposal is not None
    tries = during_judging(monkeypatch, lambda: erasure.forget_person(reply.conversation.person, by=operator))
    judge(proposal)
    assert len(tries) > 1
    assert Proposal.objects.get(pk=row.pk).object == "beetles"
    assert MARKER not in everything()


def during_judging(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> list[Any]:
    """Have something happen while the model is asked for the first time; each time that it is asked."""
    asked: list[Any] = []

    def judged(*given: Any) -> Finding:
        if not asked:
            do()
        asked.append(given)
        return Finding("not judged", "Nobody was asked.", "1")

    monkeypatch.setattr("characters.review.judgement.validate", judged)
    return asked


def test_a_forgotten_conversation_takes_its_own_along(say: Say, operator: User) -> None:
    reply = say("Noor", "What do you love?", STATED)
    say("Noor", "And else?", "I love fog.")
    erasure.forget_conversation(reply.conversation, by=operator)
    assert [str(proposal) for proposal in Proposal.objects.all()] == ["LOVES fog"]
    assert MARKER not in str(list(Verdict.objects.values_list("summary", "evidence")))


def test_the_note_on_what_was_said_elsewhere_too_goes_with_the_conversation(say: Say, operator: User) -> None:
    reply = say("Noor", "What do you love?", STATED)
    say("Bea", "What do you love?", STATED)
    approve(operator)
    erasure.forget_conversation(reply.conversation, by=operator)
    assert "to Noor" not in everything()


def test_what_was_approved_and_taken_back_goes_too(say: Say, operator: User) -> None:
    reply = say("Noor", "What do you love?", STATED)
    proposal = approve(operator)
    decisions.undo(proposal.decisions.get(), by=operator)
    proposal.refresh_from_db()
    decisions.reject(ProposalVersion(proposal.pk, proposal.version), by=operator, reason="once")
    assert LearnedFact.objects.count() == 1
    erasure.forget_person(reply.conversation.person, by=operator)
    assert MARKER not in everything()
    assert not LearnedFact.objects.exists()


def test_the_note_and_the_report_of_a_batch_are_emptied(say: Say, operator: User) -> None:
    reply = say("Noor", "What do you love?", STATED)
    say("Noor", "And else?", "I love quaggy fog.")
    for name, text in (("Ida", STATED), ("Bea", "I love tea.")):
        say(name, "What do you love?", text)
    chosen = [ProposalVersion(proposal.pk, proposal.version) for proposal in Proposal.objects.all()]
    batch = batches.choose(chosen, verb="rejected", by=operator, back="?q=Noor")
    Batch.objects.update(reason="other", note="Noor asked her to.")
    batches.carry_on(Batch.objects.get(pk=batch.pk))
    BatchItem.objects.filter(proposal__object__contains=MARKER).update(why=f"She learned {MARKER} beetles already.")
    BatchItem.objects.filter(proposal__object="tea").update(why="She learned that already: LOVES quaggy fog.")
    erasure.forget_person(reply.conversation.person, by=operator)
    assert Batch.objects.values_list("note", "back").get() == ("", "")
    assert set(BatchItem.objects.values_list("why", flat=True)) == {REMOVED}
    assert set(Decision.objects.values_list("note", flat=True)) == {""}  # also of what was said to Bea
    assert "Noor" not in str(list(Detail.objects.values_list("note", flat=True)))
