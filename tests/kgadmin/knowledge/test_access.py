"""Which bases somebody may know of; who comes through which door is in `test_permissions`."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group
from django.core.exceptions import PermissionDenied
from django.http import Http404

from characters.profiles import access as sharing
from characters.profiles import services as profiles
from characters.profiles.models import CharacterBase
from kgadmin.accounts.models import User
from kgadmin.knowledge import access, services
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
