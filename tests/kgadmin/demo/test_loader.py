"""Loading the demo: once, whole, and again as shipped."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from characters.profiles.models import Character
from kgadmin.accounts.models import ROLES, User
from kgadmin.demo import loader
from kgadmin.jobs.models import Job
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import Document, KnowledgeBase

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def demo_is_on(settings: Settings) -> None:
    settings.DEMO = True


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
    assert len(lines) == 4 + 3 + 3


def test_every_shipped_document_waits_in_a_job_of_its_base() -> None:
    load_demo()

    shipped = sum(len(loader.document_files(folder)) for folder in loader.base_folders())
    assert Document.objects.filter(state=Document.State.QUEUED).count() == shipped >= 40
    assert set(Job.objects.open().values_list("subject", flat=True)) == set(
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
