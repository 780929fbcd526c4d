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


@pytest.mark.parametrize("whose", ["shared", "own", "other's", "real"])
@pytest.mark.parametrize("to_write", [False, True])
def test_an_operator_sees_and_changes_everybody(
    people: dict[str, Person], operator: User, whose: str, to_write: bool
) -> None:
    assert person_for(operator, people[whose].pk, to_write=to_write) == people[whose]


@pytest.mark.parametrize(
    ("whose", "reads", "writes"),
    [("shared", True, True), ("own", True, True), ("other's", True, False), ("real", False, False)],
)
def test_a_tester_sees_test_people_and_changes_those_that_they_play(
    people: dict[str, Person], tester: User, whose: str, reads: bool, writes: bool
) -> None:
    for to_write, may in ((False, reads), (True, writes)):
        if may:
            assert person_for(tester, people[whose].pk, to_write=to_write) == people[whose]
        else:
            with pytest.raises(PermissionDenied):
                person_for(tester, people[whose].pk, to_write=to_write)


def test_an_author_sees_nobody(people: dict[str, Person], author: User) -> None:
    with pytest.raises(PermissionDenied):
        person_for(author, people["shared"].pk)


def test_somebody_who_is_not_there_is_missing(people: dict[str, Person], operator: User) -> None:
    with pytest.raises(Http404):
        person_for(operator, 999_999)
