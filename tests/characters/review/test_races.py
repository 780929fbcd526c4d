"""Two operators, or an operator and an author, a reply, the decay, at the same moment: one audited state in the end."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from characters.conversations.models import Message
from characters.domain.sheet import Settings
from characters.language.claims.meaning import meaning
from characters.profiles import services as profiles
from characters.profiles.learned import services as learning
from characters.profiles.models import Character, LearnedFact
from characters.review import batches, decisions, judgement, reply_reader
from characters.review.decisions import DecidedError, ProposalVersion
from characters.review.models import Claim, Decision, Proposal
from characters.review.tasks import judge_again
from kgadmin import locks
from kgadmin.accounts.models import User
from kgadmin.audit.models import Entry
from kgadmin.rest.actions import Refused
from tests import stack
from tests.characters.profiles import sheets
from tests.characters.review.proposals import at_version, learned, proposal, replied, verbs
from tests.characters.review.races import Work, overtaken, together
from tests.characters.review.replayed import assert_consistent
from tests.fixtures.talk import register_predicates
from tests.kgadmin.knowledge.ingestion import HashEmbedder

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.engine]
State, Fact = Proposal.State, LearnedFact.State
Race = Callable[[Work, Work], list[Any]]
AT_ONCE = pytest.param(together, id="from one start", marks=pytest.mark.faults)
SECOND = pytest.param(overtaken, id="the second while the first is in the middle")
FIRST = pytest.param(
    lambda first, second: overtaken(second, first)[::-1], id="the first while the second is in the middle"
)
alike = pytest.mark.parametrize("race", [SECOND, AT_ONCE], indirect=True)
"""For two works that are the same: whose middle it is makes no difference."""


@pytest.fixture(params=[SECOND, FIRST, AT_ONCE])
def race(request: pytest.FixtureRequest) -> Race:
    """Has two works meet, and replays the log of what came of it."""

    def run(first: Work, second: Work) -> list[Any]:
        ended = request.param(first, second)
        assert_consistent()
        return ended  # type: ignore[no-any-return]

    return run


@pytest.fixture
def ann(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Character:
    register_predicates()
    monkeypatch.setattr("kgadmin.stores.wiring.embedder", HashEmbedder)
    return sheets.character("ann", ("HAS_FATHER", "Built boats"), settings=Settings(learning="propose"))


def proposed(ann: Character, object: str = "staghorn", predicate: str = "FAVORITE_CORAL") -> Proposal:
    return proposal(ann, predicate, object, {}, meaning=meaning(predicate, object))


def answer(ann: Character, by: User, name: str = "") -> Message:
    return replied(ann, by, "What's your favourite coral?", "My favourite coral is staghorn, by far.", name=name)


def decides(do: Callable[[], Any], nth: int = 1) -> Work:
    """Its middle is before the log is written: everything is locked, nothing committed."""
    return Work(do, Entry, "save", nth)


def approves(row: ProposalVersion, by: User) -> Work:
    return decides(lambda: decisions.approve(row, by=by))


def rejects(row: ProposalVersion, by: User) -> Work:
    return decides(lambda: decisions.reject(row, by=by, reason="vague"))


def undoes(decision: Decision, by: User) -> Work:
    return decides(lambda: decisions.undo(decision, by=by))


def publishes(ann: Character, *facts: tuple[str, str]) -> Work:
    sheet = sheets.sheet(*facts, settings=Settings(learning="propose"))
    return Work(lambda: profiles.publish(ann, sheet=sheet, by=None), Character, "go_live")


def reads(reply: Message) -> Work:
    """Its middle is when the claim is saved: the proposal is found, or made."""
    return Work(lambda: reply_reader.read_reply(reply), Claim, "save")


def judges(row: Proposal) -> Work:
    """Its middle is between the checks and the transaction that stores the verdicts."""
    return Work(lambda: judgement.judge(Proposal.objects.get(pk=row.pk)), judgement, "store")


def errors(ended: list[Any]) -> list[str]:
    return [str(each) for each in ended if isinstance(each, Exception)]


def test_one_approves_and_another_rejects(race: Race, ann: Character, operator: User, other: User) -> None:
    row = proposed(ann)
    (error,) = errors(race(approves(at_version(row), operator), rejects(at_version(row), other)))
    decided = Decision.objects.get()
    assert f"{decided.by} {decided.verb} it in the meantime" in error
    assert learned(ann) == (["FAVORITE_CORAL staghorn"] if decided.verb == "approved" else [])


def test_one_decides_many_and_another_one_of_them(race: Race, ann: Character, operator: User, other: User) -> None:
    rows = [proposed(ann, text, "LOVES") for text in ("fog", "rain", "tea")]
    chosen = [at_version(row) for row in rows]

    def approve_all() -> batches.BatchReport:
        return batches.decide(chosen, verb="approved", by=operator)

    report, single = race(decides(approve_all, nth=2), rejects(chosen[1], other))
    skipped = {each.id: each.why for each in report.left}
    assert {*report.done, *skipped} == {row.pk for row in rows}
    if isinstance(single, DecidedError):
        assert "operator approved it in the meantime" in str(single)
        assert learned(ann) == ["LOVES fog", "LOVES rain", "LOVES tea"]
    else:
        assert skipped == {rows[1].pk: "other rejected it in the meantime, so nothing was done. Look at it again."}
        assert learned(ann) == ["LOVES fog", "LOVES tea"]


def test_one_approves_what_an_author_publishes_otherwise(race: Race, ann: Character, operator: User) -> None:
    row = proposed(ann)
    ended = race(approves(at_version(row), operator), publishes(ann, ("FAVORITE_CORAL", "brain coral")))
    assert learned(ann) == []
    if isinstance(ended[0], Refused):
        assert str(ended[0]) == "The sheet contradicts this: FAVORITE_CORAL brain coral. Core facts take precedence."
        assert (Proposal.objects.get().state, verbs()) == (State.OPEN, [])
    else:
        assert LearnedFact.objects.get().state == Fact.SUSPENDED
        assert verbs() == ["approved", "suspended"]


def test_one_undoes_what_an_author_publishes_otherwise(race: Race, ann: Character, operator: User) -> None:
    approved = decisions.approve(at_version(proposed(ann)), by=operator)
    ended = race(undoes(approved, operator), publishes(ann, ("FAVORITE_CORAL", "brain coral")))
    assert errors(ended) == []
    assert LearnedFact.objects.get().state == Fact.TAKEN_BACK


def test_one_undoes_what_another_approves(race: Race, ann: Character, operator: User, other: User) -> None:
    row = proposed(ann)
    deferred = decisions.defer(at_version(row), by=operator, until=None)
    ended = race(undoes(deferred, operator), approves(at_version(row), other))
    (error,) = errors(ended)
    if isinstance(ended[0], DecidedError):
        assert ("other approved it in the meantime" in error, learned(ann)) == (True, ["FAVORITE_CORAL staghorn"])
    else:
        assert ("Its decision was undone in the meantime" in error, learned(ann)) == (True, [])


@alike
def test_two_undo(race: Race, ann: Character, operator: User, other: User) -> None:
    approved = decisions.approve(at_version(proposed(ann)), by=operator)
    (error,) = errors(race(undoes(approved, operator), undoes(approved, other)))
    assert "was undone in the meantime" in error
    assert (learned(ann), verbs()) == ([], ["approved", "took back", "undid"])


@alike
def test_two_workers_do_the_same_batch(race: Race, ann: Character, operator: User) -> None:
    chosen = [at_version(proposed(ann, text, "LOVES")) for text in ("fog", "rain")]
    batch = batches.choose(chosen, verb=Decision.Verb.APPROVED, by=operator)
    does = decides(lambda: batches.carry_on(batch), nth=2)
    assert race(does, does) == [None, None]
    assert (batch.decisions.count(), set(batch.items.values_list("why", flat=True))) == (2, {""})
    assert (learned(ann), verbs()) == (["LOVES fog", "LOVES rain"], ["approved"] * 2)


@pytest.mark.parametrize("verb", ["approved", "rejected"])
def test_one_undoes_what_is_said_again(race: Race, ann: Character, operator: User, tester: User, verb: str) -> None:
    reply_reader.read_reply(answer(ann, tester))
    row = Proposal.objects.get()
    decide: dict[str, Callable[[], Decision]] = {
        "approved": lambda: decisions.approve(at_version(row), by=operator),
        "rejected": lambda: decisions.reject(at_version(row), by=operator, reason="vague"),
    }
    decision = decide[verb]()
    ended = race(undoes(decision, operator), reads(answer(ann, tester, name="Mark")))
    assert errors(ended) == []
    judge_again(row.pk)  # what the undo has left for a worker to do
    row.refresh_from_db()
    echoes = Claim.objects.filter(proposal=None).count()  # said while it was learned: no support
    assert (row.state, row.claims.count() + echoes) == (State.OPEN, 2)
    assert echoes == 0 or verb == "approved"
    assert row.verdicts.get(check_name="confidence").evidence["parts"]["people"] == 2 - echoes


def test_somebody_else_hears_it_just_when_it_is_deferred_until_then(
    ann: Character, operator: User, tester: User
) -> None:
    reply_reader.read_reply(answer(ann, tester))
    row = Proposal.objects.get()
    defers = decides(lambda: decisions.defer(at_version(row), by=operator, until=None))
    assert errors(overtaken(defers, reads(answer(ann, tester, name="Mark")))) == []
    row.refresh_from_db()
    assert (row.state, row.claims.count()) == (State.OPEN, 2)
    assert_consistent()


def test_one_approves_what_is_said_again(race: Race, ann: Character, operator: User, tester: User) -> None:
    reply_reader.read_reply(answer(ann, tester))
    row = Proposal.objects.get()
    race(approves(at_version(row), operator), reads(answer(ann, tester, name="Mark")))
    row.refresh_from_db()
    assert (row.state, row.claims.count()) == (State.APPROVED, 2)
    decisions.undo(Decision.objects.get(), by=operator)
    assert_consistent()


def test_one_approves_what_is_judged(race: Race, ann: Character, operator: User, tester: User) -> None:
    """Its verdicts change, so that there is another version to see; what is decided has the one that was decided."""
    reply_reader.read_reply(answer(ann, tester))
    row = Proposal.objects.get()
    row.verdicts.filter(check_name="taint").update(outcome="warn")
    race(approves(at_version(row), operator), judges(row))
    row.refresh_from_db()
    if row.state == State.APPROVED:
        assert row.version == Decision.objects.get().version
    else:
        assert (row.state, verbs()) == (State.OPEN, [])


@alike
def test_two_people_hear_the_same_for_the_first_time(race: Race, ann: Character, tester: User) -> None:
    race(reads(answer(ann, tester)), reads(answer(ann, tester, name="Mark")))
    row = Proposal.objects.get()
    assert row.claims.count() == 2
    assert row.verdicts.count() == 5
    assert row.verdicts.get(check_name="confidence").evidence["parts"]["people"] == 2


def test_it_is_said_again_while_it_is_judged(race: Race, ann: Character, tester: User) -> None:
    reply_reader.read_reply(answer(ann, tester))
    row = Proposal.objects.get()
    race(judges(row), reads(answer(ann, tester, name="Mark")))
    assert row.verdicts.get(check_name="confidence").evidence["parts"]["people"] == 2


@alike
def test_the_same_reply_is_read_twice(race: Race, ann: Character, tester: User) -> None:
    reply = answer(ann, tester)
    race(reads(reply), reads(reply))
    assert Claim.objects.get().proposal == Proposal.objects.get()


def test_a_fact_decays_when_a_turn_uses_it(race: Race, ann: Character, operator: User) -> None:
    decisions.approve(at_version(proposed(ann)), by=operator)
    now = timezone.now()
    LearnedFact.objects.update(learned_at=now - timedelta(days=31), uses=2)
    fact = LearnedFact.objects.get()
    uses = Work(lambda: learning.count_uses([fact.fact.id], now), learning, "F")
    race(decides(lambda: learning.decay(now)), uses)
    fact.refresh_from_db()
    assert fact.uses == 3
    assert (fact.state, "archived" in verbs()) in {(Fact.ACTIVE, False), (Fact.ARCHIVED, True)}


def test_a_fact_decays_when_it_is_undone(race: Race, ann: Character, operator: User) -> None:
    approved = decisions.approve(at_version(proposed(ann)), by=operator)
    LearnedFact.objects.update(learned_at=timezone.now() - timedelta(days=31))
    ended = race(decides(lambda: learning.decay(timezone.now())), undoes(approved, operator))
    assert errors(ended) == []
    assert LearnedFact.objects.get().state == Fact.TAKEN_BACK


@alike
def test_two_approve_where_one_place_is_left(race: Race, ann: Character, operator: User, other: User) -> None:
    assert ann.sheet
    profiles.publish(ann, sheet=replace(ann.sheet, settings=Settings(most_learned=1)), by=None)
    fog, rain = proposed(ann, "fog", "LOVES"), proposed(ann, "rain", "LOVES")
    (error,) = errors(race(approves(at_version(fog), operator), approves(at_version(rain), other)))
    assert error == "Ann Holm has 1 learned facts in use, which is the most allowed. Archive one first."
    assert len(learned(ann)) == 1
    assert Proposal.objects.undecided().count() == 1


def test_two_begin_to_read_it_and_one_has_it(ann: Character, operator: User, other: User) -> None:
    row = proposed(ann)
    works = [Work(lambda user=user: row.reserve(user), Proposal, "") for user in (operator, other)]  # type: ignore[misc]
    assert sorted(together(*works)) == [False, True]
    holder = Proposal.objects.get().reserved_by
    with pytest.raises(DecidedError, match=f"{holder} is reviewing this now"):
        decisions.reject(at_version(row), by=other if holder == operator else operator, reason="vague")
    assert_consistent()


def test_whoever_waits_too_long_for_the_database_is_told_in_a_sentence(ann: Character, operator: User) -> None:
    row = proposed(ann)
    decision = decisions.approve(at_version(row), by=operator)
    fact, second = LearnedFact.objects.get(), proposed(ann, "fog", "LOVES")
    with held_by_another():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 50" if stack.PRODUCTION else "PRAGMA busy_timeout = 50")
        with pytest.raises(DecidedError, match=locks.BUSY):
            decisions.approve(at_version(second), by=operator)
        with pytest.raises(DecidedError, match="changing this at the same moment"):
            decisions.undo(decision, by=operator)
        with pytest.raises(Refused, match="changing this at the same moment"):
            learning.change(fact, Fact.ARCHIVED, by=operator)
    connections.close_all()
    assert_consistent()
    assert verbs() == ["approved"]


@contextmanager
def held_by_another() -> Iterator[None]:
    """Every character, and with SQLite the whole database, held by a thread until the block ends."""
    held, let_go = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            list(Character.objects.select_for_update())
            held.set()
            assert let_go.wait(20)
        connections.close_all()

    with ThreadPoolExecutor(1) as threads:
        writing = threads.submit(write)
        assert held.wait(20)
        try:
            yield
        finally:
            let_go.set()
            writing.result()
