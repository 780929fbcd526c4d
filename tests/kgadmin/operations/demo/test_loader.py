"""Loading the demo: once, whole, and again as shipped; and that its sheets and predicates fit each other."""

import json
from functools import cache
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from characters.conversations import imports
from characters.conversations.models import Conversation, ConversationImport, Message, Person, Turn
from characters.domain.sheet import Sheet
from characters.memory.models import EnrichmentRun
from characters.profiles.documents import SheetError
from characters.profiles.folder import read_folder
from characters.profiles.models import Character
from kgadmin.accounts.models import ROLES, User
from kgadmin.config import ROOT
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.operations.demo import loader

pytestmark = pytest.mark.django_db


def do_nothing(job: Job) -> None:
    """In the place of a job that another test runs."""


@pytest.fixture(autouse=True)
def demo_is_on(settings: Settings) -> None:
    settings.DEMO = True
    nothing = dict.fromkeys(("remember", "enrich"), f"{__name__}.do_nothing")
    settings.JOB_HANDLERS = settings.JOB_HANDLERS | nothing


def stored() -> dict[str, int]:
    """How many messages there are of whom."""
    counts = {person.name: 0 for person in Person.objects.all()}
    for name in Message.objects.values_list("conversation__person__name", flat=True):
        counts[name] += 1
    return counts


def shipped() -> dict[str, int]:
    everybody = map(loader.read_person, [*loader.people_files(), *loader.spoken_files()])
    return {person.name: sum(len(talk.messages) for talk in person.talks) for person in everybody}


def import_all() -> None:
    for upload in ConversationImport.objects.filter(finished_at=None):
        assert upload.job
        runner.run(upload.job.pk)


def load_demo(*arguments: str) -> str:
    out = StringIO()
    call_command("load_demo", *arguments, stdout=out)
    return out.getvalue()


def test_accounts_bases_and_characters_are_there_after_loading_and_documents_wait_to_be_read() -> None:
    lines = load_demo().splitlines()

    accounts = {user.username: user.roles for user in User.objects.filter(is_demo=True)}
    assert accounts == {"demo": frozenset(ROLES), **{role: frozenset({role}) for role in ROLES}}
    assert {character.slug for character in Character.objects.all()} == {"elena", "livio", "perpetua"}
    assert len(lines) == 4 + 3 + 3 + 3 + 2
    bases = {base.slug for base in KnowledgeBase.objects.all()}
    assert bases == {"dnd_campaign", "lab_handbook", "reef_field_notes"}
    documents = sum(len(loader.document_files(folder)) for folder in loader.base_folders())
    assert Document.objects.filter(state=Document.State.QUEUED).count() == documents >= 40
    assert set(Job.objects.open().filter(kind="ingest").values_list("subject", flat=True)) == bases


def test_what_people_said_before_is_there_and_waits_to_be_read_and_connected() -> None:
    load_demo()

    assert {person.name: person.namespace for person in Person.objects.all()} == {
        "Mark": "tester:all",
        "Noor": "tester:all",
        "Ingrid Solheim": "import",
        "June": "tester:all",
        "Pavel": "tester:all",
    }
    run = EnrichmentRun.objects.get()
    assert (run.person and run.person.name, run.character.slug, run.model) == ("Mark", "elena", "")
    assert Job.objects.open().filter(kind="enrich", subject=f"run:{run.pk}").exists()
    upload = ConversationImport.objects.get()  # a real person's past comes as one
    assert upload.person
    assert (upload.name, upload.person.namespace, upload.refused.count()) == ("ingrid.jsonl", "import", 0)
    assert stored()["Ingrid Solheim"] == 0

    import_all()
    assert stored() == shipped()
    assert sum(shipped().values()) >= 80
    mark = Person.objects.get(name="Mark")
    messages = Message.objects.filter(conversation__person=mark)
    assert messages.unread().count() == messages.filter(role="user").count() > 40
    assert Job.objects.open().filter(kind="remember", subject=mark.graph_id).exists()
    assert {each.character.slug for each in Conversation.objects.filter(person=mark)} == {"elena", "livio"}


def test_loading_a_second_time_does_nothing_and_again_brings_back_what_is_missing_or_changed() -> None:
    load_demo()
    import_all()
    dates = dict(Message.objects.values_list("outside_key", "at"))
    base = KnowledgeBase.objects.get(slug="dnd_campaign")
    Document.objects.update(state=Document.State.DONE)
    knowledge.add_document(base=base, name="house_rules.md", content=b"# No rules", by=None)
    knowledge.add_document(base=base, name="my_own.md", content=b"# Mine", by=None)
    Message.objects.filter(text__startswith="Big news").delete()
    Person.objects.get(name="Noor").delete()
    imports.abandon(Person.objects.get(name="Ingrid Solheim"))

    assert "`manage.py load_demo --again` brings it back as shipped" in load_demo()
    assert not Person.objects.filter(name="Noor").exists()

    lines = load_demo("--again").splitlines()
    assert "knowledge base dnd_campaign: 1 documents wait to be read" in lines
    assert b"Natural 20" in bytes(base.documents.get(name="house_rules.md").content)
    assert base.documents.filter(name="my_own.md").exists()
    assert [character.revisions.count() for character in Character.objects.all()] == [1, 1, 1]
    assert "person June: their 3 turns are there" in lines
    import_all()
    assert stored() == shipped()
    again = {key: at for key, at in Message.objects.values_list("outside_key", "at") if key in dates}
    assert again == {key: dates[key] for key in again}
    assert EnrichmentRun.objects.count() == 1
    june = Person.objects.get(name="June")
    assert [turn.state for turn in Turn.objects.filter(message__conversation__person=june)] == ["done"] * 3
    assert Conversation.objects.filter(person=june, sandbox=False).count() == 2
    assert not Message.objects.filter(conversation__person=june).exclude(memory="waiting").exists()
    assert Job.objects.open().filter(kind="remember", subject=june.graph_id).exists()


def test_somebodys_own_account_never_becomes_a_demo_account_and_without_any_nobodys_past_is_loaded() -> None:
    for name in loader.ACCOUNTS:
        User.objects.create_user(name, password="long and secret")

    assert "people: left out" in load_demo()

    assert not Person.objects.exists()
    for user in User.objects.all():
        assert (user.is_demo, user.check_password("long and secret"), user.roles) == (False, True, frozenset()), user


def test_a_load_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "character_folders", lambda: [loader.HERE / "no-such-folder"])

    with pytest.raises(SheetError, match="no-such-folder"):
        load_demo()

    assert not User.objects.exists()
    assert not KnowledgeBase.objects.exists()


def test_without_the_demo_setting_it_is_refused_with_a_sentence(settings: Settings) -> None:
    settings.DEMO = False

    with pytest.raises(CommandError, match="DEMO=1"):
        load_demo()


CHARACTERS = [folder.name for folder in loader.character_folders()]
BASES = loader.base_folders()


@cache
def sheet_of(slug: str) -> Sheet:
    return read_folder(loader.HERE / "characters" / slug).sheet


@cache
def registered() -> dict[str, dict[str, object]]:
    rows = json.loads((ROOT / "characters" / "profiles" / "predicates.json").read_text())
    return {row["name"]: row for row in rows}


def test_a_shipped_sheet_uses_registered_predicates_and_shipped_bases() -> None:
    slugs = {base.name for base in BASES}
    for slug in CHARACTERS:
        sheet = sheet_of(slug)
        names = [fact.predicate for fact in sheet.facts]
        assert set(names) <= registered().keys(), slug
        assert {base for persona in sheet.personas for base in persona.bases} <= slugs, slug
        assert all(set(concept.predicates) <= set(names) for concept in sheet.concepts), slug
        twice = {name for name in names if names.count(name) > 1}
        assert [name for name in twice if not registered()[name]["many"]] == [], slug


def test_only_tastes_and_opinions_may_be_learned_and_every_predicate_has_a_question_and_a_sentence() -> None:
    rows = registered().values()

    assert {row["family"] for row in rows if row["learnable"]} == {"taste", "opinion"}
    assert len(rows) >= 60
    assert all(row["question"] and row["sentence"] for row in rows)
