import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command

from characters.profiles.models import Predicate
from kgadmin.accounts.models import ROLES


@pytest.mark.django_db(transaction=True)
def test_roles_and_predicates_are_there_after_a_test_that_emptied_all_tables() -> None:
    call_command("flush", interactive=False, verbosity=0)
    assert set(Group.objects.values_list("name", flat=True)) == set(ROLES)
    assert Predicate.objects.filter(name="HAS_FATHER").exists()
