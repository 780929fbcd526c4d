"""Which bases somebody may know of (doors are in `test_permissions`), and what is written to them."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group
from django.core.exceptions import PermissionDenied
from django.http import Http404

from characters.profiles import access as sharing
from characters.profiles import services as profiles
from characters.profiles.models import CharacterBase
from kgadmin.accounts.models import User
from kgadmin.knowledge import access, services
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.rest.actions import Refused
from tests.characters.profiles.sheets import sheet


@pytest.fixture
def other(db: None) -> User:
    """Another author."""
    user = User.objects.create_user("other")
    user.groups.add(Group.objects.get(name="author"))
    return user


@pytest.mark.engine
def test_authors_see_bases_for_everyone_and_those_of_characters_that_they_know(
    author: User, other: User, operator: User, tester: User, outsider: User
) -> None:
    services.register(name="Everyone", by=None)
    for slug, owner in (("hers", author), ("nobodys", None)):
        base = services.register(name=slug, by=None)
        base.change(for_everyone=False)
        character = profiles.create_character(slug=slug, sheet=sheet(), by=owner)
        CharacterBase.objects.create(character=character, base=base)
    everything = ["everyone", "hers", "nobodys"]
    slugs = {
        user.username: [base.slug for base in access.bases_for(user)]
        for user in (author, other, operator, tester, outsider, AnonymousUser())
    }
    assert slugs == {
        "author": everything,
        "other": ["everyone", "nobodys"],
        "operator": everything,
        "tester": everything,
        "outsider": [],
        "": [],
    }
    sharing.share(character=author.characters.get(), user=other, may_edit=False, by=None)
    assert [base.slug for base in access.bases_for(other)] == everything


def test_a_base_that_somebody_may_not_know_of_is_missing_and_one_they_only_read_is_refused(
    author: User, operator: User
) -> None:
    services.register(name="Everyone", by=None)
    services.register(name="Nobody's", slug="nobodys", by=None).change(for_everyone=False)
    assert access.base_for(author, "everyone") == access.base_for(operator, "everyone", to_write=True)
    with pytest.raises(PermissionDenied):
        access.base_for(author, "everyone", to_write=True)
    for slug in ("nobodys", "gone"):
        with pytest.raises(Http404):
            access.base_for(author, slug)


def test_a_document_is_found_in_its_own_base_only(operator: User) -> None:
    reef, other = (services.register(name=name, by=None) for name in ("Reef", "Other"))
    document = services.add_document(base=reef, name="log.md", content=b"# Log", by=None)
    assert access.document_for(operator, "reef", document.pk) == document
    with pytest.raises(Http404):
        access.document_for(operator, other.slug, document.pk)


def add(base: KnowledgeBase, name: str = "urchins.md", content: bytes = b"# Urchins\n\nMany.") -> Document:
    return services.add_document(base=base, name=name, content=content, by=None)


@pytest.mark.engine
def test_a_slug_is_made_of_the_name_and_stays_unique(db: None) -> None:
    slugs = [services.register(name=name, by=None).slug for name in ("Reef notes", "Reef notes", "漢字")]
    assert slugs == ["reef_notes", "reef_notes_2", "base"]


def test_a_document_waits_to_be_ingested_and_the_same_name_replaces_it(reef: KnowledgeBase, operator: User) -> None:
    first = services.add_document(base=reef, name="urchins.md", content=b"Many.", by=operator)
    assert (first.state, first.kind, first.size, first.uploaded_by) == ("queued", "md", 5, operator)
    again = add(reef, "./urchins.md", content=b"Few.")
    assert (again.pk, again.version, bytes(again.content)) == (first.pk, 2, b"Few.")


def test_names_are_stripped_of_paths_and_of_what_cannot_be_stored() -> None:
    for name, cleaned in {
        "../../etc/passwd.txt": "etc/passwd.txt",
        "notes\\a.md": "notes/a.md",
        "a\0b\ud800.md": "a_b_.md",
    }.items():
        assert services.clean_name(name) == cleaned
    long = [services.clean_name(f"{'export/' * 60}{name}.md") for name in ("a", "b")]
    assert all(len(name) <= 255 for name in long)
    assert [name[-11:] for name in long] == ["export/a.md", "export/b.md"], "files of one deep folder stay apart"
    assert services.clean_name(f"old/{'x' * 300}.md") != services.clean_name(f"new/{'x' * 300}.md")


def test_reading_again_queues_what_is_finished_all_or_one(reef: KnowledgeBase) -> None:
    for name, state in (("a.md", "done"), ("b.md", "failed"), ("c.md", "embedding")):
        document = add(reef, name)
        Document.objects.filter(pk=document.pk).update(state=state)
    services.ingest_again(base=reef, document=reef.documents.get(name="b.md"), by=None)
    assert list(reef.documents.values_list("state", flat=True)) == ["done", "queued", "embedding"]
    services.ingest_again(base=reef, by=None)
    assert list(reef.documents.values_list("state", flat=True)) == ["queued", "queued", "embedding"]
    Document.objects.filter(name="b.md").update(state="failed", content=b"")
    with pytest.raises(Refused, match=r"b\.md couldn't be read"):
        services.ingest_again(base=reef, document=reef.documents.get(name="b.md"), by=None)
