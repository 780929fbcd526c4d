"""The job that reads what a person said: on real rows, by patterns and by a scripted model."""

import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections

from characters import after_reply
from characters.conversations.models import Message, Person
from characters.memory import erasure
from characters.memory.message_reader import Extractor
from characters.memory.models import Alias, Entity, Evidence, Mention, UserFact
from characters.memory.tasks import embed_what_lacks_vectors
from kgadmin.jobs import runner
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from kgadmin.stores import wiring
from kgadmin.stores.embedder import Vectors
from tests.characters.memory import people
from tests.characters.memory.teller import NOON, Teller
from tests.characters.profiles import sheets
from tests.fixtures.talk import Lead, register_predicates
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.scripted_model import ScriptedModel


@pytest.fixture
def mark(db: None, hashed: HashEmbedder, wire: Lead) -> Teller:
    """Mark, who talks to Ann; there is no language model."""
    register_predicates()
    wire(llm_base_url="")
    return Teller(people.person(), sheets.character())


def test_what_was_said_becomes_facts_with_evidence_and_mentions(mark: Teller) -> None:
    message = mark.says("Hi! I live in Seattle, and my cat Luna loves rain.", answer="Lovely.")
    before = mark.facts_version
    job = mark.read()
    message.refresh_from_db()
    assert (job.state, job.error, message.is_unread) == ("done", "", False)
    assert mark.facts_version > before
    assert mark.current == [
        ("", "HAS_PET", "Luna"), ("", "LIVES_IN", "Seattle"), ("Luna", "IS_A", "cat"), ("Luna", "LIKES", "rain"),
    ]  # fmt: skip
    quotes = {fact.predicate: str(fact.evidence.get()) for fact in UserFact.objects.all()}
    assert quotes == {"HAS_PET": "my cat Luna", "IS_A": "my cat Luna", "LIVES_IN": "Seattle", "LIKES": "rain"}
    assert set(message.mentions.values_list("entity__name", flat=True)) == {"Luna", "Seattle", "cat", "rain"}
    fact = mark.fact("HAS_PET")
    assert (fact.first_seen, fact.last_seen, fact.mentions, fact.origin) == (message.at, message.at, 1, "pattern")
    assert (mark.entity("Luna").kind, mark.entity("Seattle").kind) == ("pet", "place")
    assert {alias.text for alias in mark.entity("Luna").aliases.all()} == {"my cat"}


def test_facts_and_messages_have_vectors_of_todays_embedder(mark: Teller) -> None:
    mark.tells("My father has a boat.")
    fact, embedder = mark.fact("OWNS"), wiring.embedder()
    assert fact.embedder == embedder.id
    assert bytes(fact.vector or b"") == embedder.embed(["Mark's father has a boat"])[0].tobytes()
    UserFact.objects.update(embedder="another model")
    Message.objects.update(embedder="another model")
    embed_what_lacks_vectors()  # though nobody speaks
    runner.run(Job.objects.open().get(kind="remember").pk)
    for model in (UserFact, Message):
        assert set(model.objects.values_list("embedder", flat=True)) == {embedder.id}
    embed_what_lacks_vectors()
    assert not Job.objects.open().exists()


def test_of_a_kind_that_is_one_the_new_fact_closes_the_old_with_its_date_though_that_is_read_later(
    mark: Teller,
) -> None:
    moved = mark.says("I've moved to Portland!")
    mark.read()
    for day in (3, 5, 4):
        mark.says("I live in Seattle.", at=NOON - timedelta(days=day))
    mark.read()
    assert (mark.current, mark.closed) == ([("", "LIVES_IN", "Portland")], [("", "LIVES_IN", "Seattle")])
    old, new = mark.fact("LIVES_IN", "Seattle"), mark.fact("LIVES_IN", "Portland")
    assert (old.first_seen, old.last_seen) == (NOON - timedelta(days=5), NOON - timedelta(days=3))
    assert (old.closed_at, new.first_seen, new.closed_at) == (moved.at, moved.at, None)
    assert old.evidence.count() == 3
    later = mark.says("I moved to Oslo.")
    mark.read()
    assert mark.fact("LIVES_IN", "Portland").closed_at == later.at


def test_what_ended_since_is_not_brought_back_by_an_older_message(mark: Teller) -> None:
    mark.tells("I have a boat.", "I sold my boat.")
    mark.says("I have a boat.", at=NOON + timedelta(minutes=90))
    mark.read()
    assert (mark.current, mark.closed) == ([], [("", "OWNS", "boat")])
    mark.tells("I bought a boat again, I have a boat.")
    assert (mark.current, mark.closed) == ([("", "OWNS", "boat")], [("", "OWNS", "boat")])


def test_what_no_longer_holds_is_closed(mark: Teller) -> None:
    for first, then, closed in (
        ("I have a boat and a kayak.", "I sold my boat.", [("", "OWNS", "boat")]),
        ("My girlfriend Ana is a nurse.", "We broke up.", [("", "HAS_PARTNER", "Ana")]),
        ("I work at Statoil.", "I no longer work at Statoil.", [("", "WORKS_AT", "Statoil")]),
        ("I work at Equinor.", "I no longer work at Hydro.", []),
        ("I live in Oslo.", "I sold my bike.", []),
        ("I love coriander.", "I hate coriander.", [("", "LIKES", "coriander")]),
        ("I love Ann.", "I have a sister called Holm.", []),
    ):
        before = mark.closed
        mark.tells(first, then)
        assert [each for each in mark.closed if each not in before] == closed, then
    names = {text for _, _, text in mark.current}
    assert names.isdisjoint({"Ann", "Holm"}), "a character's own name is no fact"


def test_a_father_who_gets_a_name_is_one_with_the_father_who_had_none(mark: Teller) -> None:
    mark.tells("My father has a boat.")
    assert mark.current == [("", "HAS_FATHER", "father"), ("father", "OWNS", "boat")]
    mark.tells("My father's name is Walt.")
    assert (mark.current, mark.closed) == ([("", "HAS_FATHER", "Walt"), ("Walt", "OWNS", "boat")], [])
    walt = mark.entity("Walt")
    assert {"my father", "my dad"} <= {alias.text for alias in walt.aliases.all()}
    mark.tells("My dad lives in Bergen.")
    assert ("Walt", "LIVES_IN", "Bergen") in mark.current
    assert not Entity.objects.filter(key__in=["father", "dad"]).exists()
    assert walt.mentions.count() == 3


def test_of_two_sisters_neither_is_told_what_is_said_of_one(mark: Teller) -> None:
    mark.tells("My sister Ana plays chess.", "My sister lives in Oslo.")
    assert ("Ana", "LIVES_IN", "Oslo") in mark.current
    mark.tells("My sister Lea plays chess.", "My sister lives in Rome.")
    assert ("sister", "LIVES_IN", "Rome") in mark.current
    assert ("Ana", "LIVES_IN", "Oslo") in mark.current


def test_whoever_is_known_is_told_of_by_name_alone(mark: Teller) -> None:
    mark.tells("I have a cat called Luna.", "Luna got a brother called Sol!")
    assert ("Luna", "HAS_BROTHER", "Sol") in mark.current
    assert mark.entity("Sol").kind == "pet"


def test_what_is_said_again_is_one_fact_with_more_evidence(mark: Teller) -> None:
    mark.tells("I live in Oslo.", "Yes, I live in Oslo.", "i live in oslo")
    fact = mark.fact("LIVES_IN")
    assert (fact.mentions, fact.evidence.count()) == (3, 3)
    assert fact.last_seen - fact.first_seen == timedelta(hours=2)


def test_each_message_is_read_once(mark: Teller, monkeypatch: pytest.MonkeyPatch) -> None:
    mark.tells("I live in Oslo.")
    rows = [list(model.objects.values()) for model in (UserFact, Entity, Alias, Evidence, Mention, Message)]
    version = mark.facts_version
    monkeypatch.setattr(Extractor, "extract", None)
    assert mark.read().state == "done"
    again = [list(model.objects.values()) for model in (UserFact, Entity, Alias, Evidence, Mention, Message)]
    assert (again, mark.facts_version) == (rows, version)


def test_nothing_is_read_but_what_the_person_said_where_it_is_remembered(mark: Teller) -> None:
    mark.says("Good evening.", answer="I live in Rome, and I have a cat called Nero.")
    sandbox = people.conversation(mark.person, mark.character)
    sandbox.sandbox = True
    sandbox.save()
    people.message(sandbox, "I live in Oslo.")
    assert mark.read().state == "done"
    assert not Entity.objects.exists()
    assert not Message.objects.unread().exists()


def test_what_one_character_is_told_the_other_does_not_know(mark: Teller) -> None:
    other = Teller(mark.person, sheets.character("bo"))
    mark.says("I have a cat called Luna.")
    other.says("Luna got a brother called Sol.")
    mark.read()
    assert other.current == []
    assert mark.current == [("", "HAS_PET", "Luna"), ("Luna", "IS_A", "cat")]


def test_a_person_who_was_forgotten_meanwhile_ends_the_job_in_peace(
    mark: Teller, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in range(5):
        mark.says(f"I have a cat called Luna{'abcde'[place]}.")
    original = Job.progress

    def forget_first(job: Job, *, done: int, total: int, note: str = "") -> None:
        original(job, done=done, total=total, note=note)
        if done == 2:
            erasure.forget_person(mark.person, by=None)

    monkeypatch.setattr(Job, "progress", forget_first)
    job = jobs.start(kind="remember", subject=mark.person.graph_id, by=None)
    runner.run(job.pk)
    assert not Job.objects.filter(pk=job.pk).exists()
    assert not (Entity.objects.exists() or UserFact.objects.exists() or Message.objects.exists())
    again = jobs.start(kind="remember", subject=mark.person.graph_id, by=None)
    runner.run(again.pk)
    again.refresh_from_db()
    assert again.state == "done"
    assert not Person.objects.filter(pk=mark.person.pk).exists()


@pytest.mark.engine
def test_two_workers_at_once_lose_and_double_nothing(transactional_db: None, mark: Teller) -> None:
    names = [f"Luna{chr(97 + first)}{chr(97 + second)}" for first in range(6) for second in range(5)]
    for name in names:
        mark.says(f"I have a cat called {name}, and I love the ocean.")
    workers = [running(mark, kind) for kind in ("remember", "twin")]
    started = threading.Barrier(2)

    def work(job: Job) -> None:
        started.wait()
        after_reply.run(job)
        connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(work, workers)) == [None, None]
    assert mark.person.facts.filter(predicate="HAS_PET").count() == len(names)
    assert (mark.fact("LIKES").mentions, mark.fact("LIKES").evidence.count()) == (len(names), len(names))
    assert not Message.objects.unread().exists()


def running(mark: Teller, kind: str) -> Job:
    """A job that a worker has taken."""
    Job.objects.filter(kind=kind).delete()
    return Job.objects.create(kind=kind, subject=mark.person.graph_id, state="running", worker=kind)


def facts_of(*items: tuple[str, str, str, str]) -> str:
    names = ("subject", "predicate", "object", "quote")
    rows = [dict(zip(names, item, strict=True)) | {"ends": False, "confidence": 0.8} for item in items]
    return json.dumps({"facts": rows})


def test_what_a_model_reads_is_saved_as_the_models(mark: Teller, wire: Lead, scripted_model: ScriptedModel) -> None:
    wire(scripted_model)
    scripted_model.says(facts_of(("Luna", "IS_A", "cat", "Luna, the cat"), ("", "HAS_PET", "Luna", "we took Luna in")))
    mark.tells("In spring we took Luna in, Luna, the cat from the harbour.")
    assert mark.current == [("", "HAS_PET", "Luna"), ("Luna", "IS_A", "cat")]
    assert set(UserFact.objects.values_list("origin", "confidence")) == {("model", 0.8)}
    assert mark.entity("Luna").kind == "pet"
    assert str(mark.fact("HAS_PET").evidence.get()) == "we took Luna in"
    assert {alias.text for alias in mark.entity("Luna").aliases.all()} == {"my cat"}


def test_where_the_model_fails_patterns_read_and_the_job_says_so(
    mark: Teller, wire: Lead, scripted_model: ScriptedModel
) -> None:
    wire(scripted_model)
    job = mark.tells("I live in Oslo, by the fjord.", "I have a cat called Luna.")
    assert mark.current == [("", "HAS_PET", "Luna"), ("", "LIVES_IN", "Oslo"), ("Luna", "IS_A", "cat")]
    assert job.state == "failed"
    assert job.error == ("2 messages could not be read as usual. The first: the answer is not complete JSON")
    assert not UserFact.objects.filter(vector=None).exists()
    assert mark.read().state == "done"


class Meddling(HashEmbedder):
    """Somebody corrects the fact while its sentence is being embedded."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        if texts == ["Mark lives in Oslo"]:
            UserFact.objects.update(text="Bergen")
        return super().embed(texts)


def test_a_fact_that_was_corrected_while_it_was_embedded_gets_no_vector_of_the_old_words(
    mark: Teller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "embedder", Meddling)
    mark.tells("I live in Oslo.")
    assert UserFact.objects.get().vector is None
