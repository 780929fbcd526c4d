"""Who sees and changes what is remembered of whom."""

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from characters.conversations.access import person_for
from characters.conversations.models import Person
from kgadmin.accounts.models import User


@pytest.fixture
def people(db: None, tester: User) -> dict[str, Person]:
    spaces = {"shared": "tester:all", "own": f"tester:{tester.pk}", "other's": "tester:999999", "real": "import"}
    return {
        name: Person.objects.create(namespace=space, outside_id="1", name=f"The {name} person")
        for name, space in spaces.items()
    }


def test_who_sees_and_changes_whom(people: dict[str, Person], operator: User, tester: User, author: User) -> None:
    may = [(operator, whose, True, True) for whose in people]
    may += [(tester, "shared", True, True), (tester, "own", True, True)]
    may += [(tester, "other's", True, False), (tester, "real", False, False)]
    may += [(author, whose, False, False) for whose in people]
    for user, whose, reads, writes in may:
        for to_write, allowed in ((False, reads), (True, writes)):
            try:
                person = person_for(user, people[whose].pk, to_write=to_write)
            except PermissionDenied:
                person = None
            assert person == (people[whose] if allowed else None), (user, whose, to_write)
    with pytest.raises(Http404):
        person_for(operator, 999_999)
