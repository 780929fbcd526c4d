"""Putting conversations in: complete, in order, and never twice, however often the job runs."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from characters.conversations import import_job, imports, services
from characters.conversations.models import Acquaintance, Conversation, ConversationImport, Memory, Message, Person
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused
from tests.characters.conversations.export_files import START, jsonl, line, talk

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reading_is_quiet")]

Import = Callable[..., ConversationImport]


@pytest.fixture
def ana(db: None) -> Person:
    return import_job.real_person("Ana")


@pytest.fixture
def started(elena: Character, ana: Person, operator: User) -> Import:
    """`started(*documents)`: an uploaded and started import that no worker has taken."""

    def start(*documents: Any, name: str = "ana.jsonl", person: Person | None = ana) -> ConversationImport:
        import_ = imports.upload(name=name, content=jsonl(*documents), by=operator)
        imports.start(import_=import_, character=elena, person=person, by=operator)
        return import_

    return start


@pytest.fixture
def imported(started: Import) -> Import:
    """The same, run to its end."""

    def run(*documents: Any, **more: Any) -> ConversationImport:
        import_ = started(*documents, **more)
        work_on(import_)
        return import_

    return run


def work_on(import_: ConversationImport) -> Job:
    job = import_.job
    assert job is not None
    runner.run(job.pk)
    job.refresh_from_db()
    import_.refresh_from_db()
    return job


def texts(outside_id: str = "c1") -> list[str]:
    return [message.text for message in Conversation.objects.get(outside_id=outside_id).path()]


def test_both_sides_are_there_in_their_order_with_their_dates_to_be_read_and_projected(
    imported: Import, ana: Person, elena: Character
) -> None:
    import_ = imported(*talk(5))
    conversation = Conversation.objects.get()
    assert (conversation.person, conversation.character, conversation.sandbox) == (ana, elena, False)
    assert conversation.title == "c1 says 0"
    path = conversation.path()
    assert [message.text for message in path] == [f"c1 says {place}" for place in range(5)]
    assert [message.role for message in path] == ["user", "assistant"] * 2 + ["user"]
    assert path[3].at == datetime.fromtimestamp(START + 180, tz=UTC)
    assert (conversation.created_at, conversation.updated_at) == (path[0].at, path[4].at)
    assert (import_.added, import_.known, bytes(import_.content)) == (5, 0, b"")
    assert [row.place for row in path] == [1, 2, 3, 4, 5]
    assert [row.is_unread for row in path] == [True, False, True, False, True]
    assert all(row.memory == Memory.WAITING for row in path)
    assert Job.objects.open().filter(kind="remember", subject=ana.graph_id).exists()
    met = Acquaintance.objects.get(person=ana)
    assert (met.places, met.first_met, met.last_met) == (5, path[0].at, path[4].at)


def test_an_export_again_adds_only_what_is_new(imported: Import) -> None:
    imported(*talk(5))
    before = list(Message.objects.values())
    again = imported(*talk(5))
    assert list(Message.objects.values()) == before
    assert (again.added, again.known) == (0, 5)
    longer = imported(*talk(9), *talk(3, "c2"))
    assert (longer.added, longer.known) == (7, 5)
    assert texts() == [f"c1 says {place}" for place in range(9)]
    assert texts("c2") == [f"c2 says {place}" for place in range(3)]


def test_a_newer_part_of_a_conversation_follows_what_is_there_and_an_older_one_comes_before(imported: Import) -> None:
    imported(*talk(4)[1:])
    imported(*talk(8)[4:])
    assert texts() == [f"c1 says {place}" for place in range(1, 8)]
    imported(*talk(8))
    assert texts() == [f"c1 says {place}" for place in range(8)]


def test_mended_lines_take_their_places_whatever_the_batches(imported: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    for batch in (1, 2, 3):
        monkeypatch.setattr(import_job, "BATCH", batch)
        for missing in ([0], [3], [4], [2, 3], [3, 6], [7], [1, 3, 5]):
            name = f"{batch} without {missing}"
            lines = talk(8, name)
            imported(*[line for place, line in enumerate(lines) if place not in missing])
            assert imported(*lines).added == len(missing), name
            assert texts(name) == [f"{name} says {place}" for place in range(8)]


def test_the_same_words_twice_are_two_messages_and_stay_two(imported: Import) -> None:
    lines = [line("Yes"), line("Sure?", "assistant"), line("Yes")]
    imported(*lines)
    assert imported(*lines).added == 0
    assert texts() == ["Yes", "Sure?", "Yes"]


def test_messages_without_a_date_stand_between_those_around_them(imported: Import) -> None:
    imported(line("a"), line("b", "assistant"), line("c", at=10), line("d", "assistant"), line("e", at=30))
    dates = [message.at for message in Conversation.objects.get().path()]
    assert dates == sorted(dates)
    assert dates[2] - dates[0] == timedelta(seconds=2)
    assert dates[3] - dates[2] == timedelta(seconds=1)


def test_everybody_whom_the_file_names_gets_their_own(imported: Import) -> None:
    imported(
        *talk(4, "c1", person="p7", name="Bea"), *talk(2, "c2", person="p8"), *talk(2, "c3", person="p7"), person=None
    )
    people = Person.objects.filter(namespace="import").exclude(name="Ana")
    assert {(each.outside_id, each.name) for each in people} == {("p7", "Bea"), ("p8", "p8")}
    assert Message.objects.filter(conversation__person__outside_id="p7").count() == 6
    assert {each.person.outside_id for each in Conversation.objects.all()} == {"p7", "p8"}


def pausing_at(monkeypatch: pytest.MonkeyPatch, wish: Callable[[Job], Any], done: int) -> None:
    """Let somebody ask for a stop when so many messages are in."""
    monkeypatch.setattr(import_job, "BATCH", 4)
    progress = Job.progress

    def watched(job: Job, **figures: Any) -> None:
        if figures["done"] == done:
            wish(job)
        progress(job, **figures)

    monkeypatch.setattr(Job, "progress", watched)


def test_a_paused_import_goes_on_where_it_stopped_and_a_cancelled_one_forgets_its_file(
    started: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        pausing_at(patch, Job.pause, 8)
        import_ = started(*talk(20))
        job = work_on(import_)
        assert (job.state, import_.added, Message.objects.count()) == ("paused", 8, 8)
    assert job.resume()
    assert work_on(import_).state == "done"
    assert texts() == [f"c1 says {place}" for place in range(20)]
    pausing_at(monkeypatch, Job.cancel, 8)
    cancelled = started(*talk(20, "c2"))
    assert work_on(cancelled).state == "cancelled"
    assert (Message.objects.count(), bytes(cancelled.content)) == (28, b"")


def test_an_import_whose_person_is_forgotten_meanwhile_stops_and_does_not_bring_them_back(
    started: Import, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forget(job: Job) -> None:
        for person in Person.objects.filter(outside_id__in=["Ana", "p7"]):
            imports.abandon(person)
            person.delete()

    pausing_at(monkeypatch, forget, 8)
    for person, named in ((ana, {}), (None, {"person": "p7"})):
        job = started(*talk(20, **named), person=person).job
        assert job is not None
        runner.run(job.pk)
        assert not Person.objects.filter(outside_id__in=["Ana", "p7"]).exists()
        assert not Message.objects.exists()
        assert not ConversationImport.objects.exists()


def test_a_preview_is_discarded_after_a_day(operator: User) -> None:
    old = imports.upload(name="old.jsonl", content=jsonl(line("Hi")), by=operator)
    ConversationImport.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(hours=25))
    imports.upload(name="new.jsonl", content=jsonl(line("Hi")), by=operator)
    assert [each.name for each in ConversationImport.objects.all()] == ["new.jsonl"]


def test_an_imported_conversation_cannot_be_talked_on(imported: Import) -> None:
    imported(*talk(2))
    with pytest.raises(Refused, match="Start a new one"):
        services.start_turn(conversation=Conversation.objects.get(), text="Hi")
