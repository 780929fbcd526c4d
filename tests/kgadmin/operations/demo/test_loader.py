"""Loading the demo: once, whole, and again as shipped."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from characters.conversations import imports
from characters.conversations.models import Conversation, ConversationImport, Message, Person, Turn
from characters.memory.models import EnrichmentRun
from characters.profiles.models import Character
from kgadmin.accounts.models import ROLES, User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.operations.demo import loader, past, turns

pytestmark = pytest.mark.django_db


def do_nothing(job: Job) -> None:
    """In the place of a job that another test runs."""


@pytest.fixture(autouse=True)
def demo_is_on(settings: Settings) -> None:
    settings.DEMO = True
    nothing = dict.fromkeys(("remember", "enrich"), f"{__name__}.do_nothing")
    settings.JOB_HANDLERS = settings.JOB_HANDLERS | nothing


def said() -> dict[str, int]:
    """How many messages there are of whom."""
    counts = {person.name: 0 for person in Person.objects.all()}
    for name in Message.objects.values_list("conversation__person__name", flat=True):
        counts[name] += 1
    return counts


def shipped() -> dict[str, int]:
    pasts = [past.read_past(path) for path in past.people_files()]
    spoken = [turns.read(path) for path in turns.files()]
    told = {each.name: sum(len(talk.said) for talk in each.talks) for each in pasts}
    return told | {each.name: 2 * sum(len(talk.said) for talk in each.talks) for each in spoken}


def import_all() -> None:
    for found in ConversationImport.objects.filter(finished_at=None):
        job = found.job
        assert job is not None
        runner.run(job.pk)


def load_demo(*arguments: str) -> str:
    out = StringIO()
    call_command("load_demo", *arguments, stdout=out)
    return out.getvalue()


def test_accounts_bases_and_characters_are_there_after_loading() -> None:
    lines = load_demo().splitlines()

    accounts = {user.username: user.roles for user in User.objects.filter(is_demo=True)}
    assert accounts == {"demo": frozenset(ROLES), **{role: frozenset({role}) for role in ROLES}}
    assert {base.slug for base in KnowledgeBase.objects.all()} == {"dnd_campaign", "lab_handbook", "reef_field_notes"}
    assert {character.slug for character in Character.objects.all()} == {"elena", "livio", "perpetua"}
    assert {person.name: person.namespace for person in Person.objects.all()} == {
        "Mark": "tester:all",
        "Noor": "tester:all",
        "Ingrid Solheim": "import",
        "June": "tester:all",
        "Pavel": "tester:all",
    }
    assert len(lines) == 4 + 3 + 3 + 3 + 2


def test_every_shipped_document_waits_in_a_job_of_its_base() -> None:
    load_demo()

    shipped = sum(len(loader.document_files(folder)) for folder in loader.base_folders())
    assert Document.objects.filter(state=Document.State.QUEUED).count() == shipped >= 40
    assert set(Job.objects.open().filter(kind="ingest").values_list("subject", flat=True)) == set(
        KnowledgeBase.objects.values_list("slug", flat=True)
    )


def test_loading_a_second_time_does_nothing() -> None:
    load_demo()
    Document.objects.filter(name="the_maid.md").delete()

    said = load_demo()

    assert "loaded before" in said
    assert not Document.objects.filter(name="the_maid.md").exists()


def test_loading_again_brings_back_what_was_changed_and_keeps_what_was_added() -> None:
    load_demo()
    base = KnowledgeBase.objects.get(slug="dnd_campaign")
    Document.objects.update(state=Document.State.DONE)
    knowledge.add_document(base=base, name="house_rules.md", content=b"# No rules", by=None)
    knowledge.add_document(base=base, name="my_own.md", content=b"# Mine", by=None)

    said = load_demo("--again")

    assert "dnd_campaign: 1 documents" in said
    assert b"Natural 20" in bytes(base.documents.get(name="house_rules.md").content)
    assert base.documents.filter(name="my_own.md").exists()
    assert [character.revisions.count() for character in Character.objects.all()] == [1, 1, 1]


def test_somebodys_own_account_never_becomes_a_demo_account() -> None:
    User.objects.create_user("author", password="long and secret")

    load_demo()

    own = User.objects.get(username="author")
    assert not own.is_demo
    assert own.check_password("long and secret")
    assert own.roles == frozenset()


def test_a_load_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "character_folders", lambda: [loader.HERE / "no-such-folder"])

    with pytest.raises(ValueError, match="no-such-folder"):
        load_demo()

    assert not User.objects.exists()
    assert not KnowledgeBase.objects.exists()


def test_without_the_demo_setting_it_is_refused_with_a_sentence(settings: Settings) -> None:
    settings.DEMO = False

    with pytest.raises(CommandError, match="DEMO=1"):
        load_demo()


def test_what_people_said_before_is_there_and_waits_to_be_read() -> None:
    load_demo()
    import_all()

    assert said() == shipped()
    assert sum(shipped().values()) >= 80
    mark = Person.objects.get(name="Mark")
    messages = Message.objects.filter(conversation__person=mark)
    assert not messages.filter(stale=False).exists()
    assert messages.filter(role="user", unread=True).count() == messages.filter(role="user").count() > 40
    assert Job.objects.open().filter(kind="remember", subject=mark.graph_id).exists()
    assert {each.character.slug for each in Conversation.objects.filter(person=mark)} == {"elena", "livio"}


def test_a_real_persons_past_comes_as_an_upload() -> None:
    load_demo()

    (found,) = ConversationImport.objects.all()
    assert (found.name, found.person and found.person.namespace, found.refused.count()) == ("ingrid.jsonl", "import", 0)
    assert said()["Ingrid Solheim"] == 0
    import_all()
    assert said()["Ingrid Solheim"] == shipped()["Ingrid Solheim"]


def test_marks_messages_to_elena_are_connected_without_a_model() -> None:
    load_demo()

    run = EnrichmentRun.objects.get()
    assert (run.person and run.person.name, run.character.slug, run.model) == ("Mark", "elena", "")
    assert Job.objects.open().filter(kind="enrich", subject=f"run:{run.pk}").exists()


def test_loading_again_keeps_the_dates_and_brings_back_what_is_missing() -> None:
    load_demo()
    import_all()
    dates = dict(Message.objects.values_list("outside_key", "at"))
    Message.objects.filter(text__startswith="Big news").delete()
    Person.objects.get(name="Noor").delete()
    imports.abandon(Person.objects.get(name="Ingrid Solheim"))

    load_demo("--again")
    import_all()

    assert said() == shipped()
    again = {key: at for key, at in Message.objects.values_list("outside_key", "at") if key in dates}
    assert again == {key: dates[key] for key in again}
    assert EnrichmentRun.objects.count() == 1


def test_turns_of_the_demo_are_there_once_and_wait_to_be_examined() -> None:
    load_demo()
    load_demo("--again")

    june = Person.objects.get(name="June")
    said = Turn.objects.filter(message__conversation__person=june)
    assert [turn.state for turn in said] == ["done"] * 3
    assert Conversation.objects.filter(person=june, sandbox=False).count() == 2
    assert not Message.objects.filter(conversation__person=june, unexamined=False).exists()
    assert Job.objects.open().filter(kind="remember", subject=june.graph_id).exists()


def test_without_an_account_of_the_demo_nobodys_past_is_loaded() -> None:
    for name in loader.ACCOUNTS:
        User.objects.create_user(name, password="long and secret")

    assert "people: left out" in load_demo()
    assert not Person.objects.exists()
