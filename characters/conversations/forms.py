"""What is sent to start an import, by a page's form or by a program, and whom the form offers."""

from typing import Literal

from django.db.models import Q, QuerySet
from ninja import Field

from characters.conversations.importing import REAL_PEOPLE
from characters.conversations.models import SHARED_TEST_PEOPLE, TESTER, ConversationImport, Person
from kgadmin.accounts.models import User
from kgadmin.rest.schemas import Body, Id, Line, Slug

NEW, OF_FILE = "new", "file"
PEOPLE_LISTED = 500


class StartIn(Body):
    """Whose conversations these are, and with whom: a person's id, somebody `new`, or those whom the `file` names."""

    character: Slug = Field(examples=["elena"])
    who: Id | Literal["new", "file"] = Field(examples=["new"])
    name: Line = Field("", max_length=100, examples=["Mark"], description="Of somebody new only.")


def people_for(user: User) -> QuerySet[Person]:
    """Those of whom this user puts conversations in: real ones, and test people that they may play."""
    theirs = Q(namespace__in=[SHARED_TEST_PEOPLE, f"{TESTER}{user.pk}"])
    return Person.objects.filter(Q(namespace=REAL_PEOPLE) | theirs)


def is_all_named(found: ConversationImport) -> bool:
    """Whether the file names the person of each of its conversations."""
    return bool(found.preview["people"] and found.preview["all_named"])


def people_choices(found: ConversationImport, user: User) -> list[tuple[str, str]]:
    """What the form offers as the person, with its words."""
    named = len(found.preview["people"])
    of_file = f"Those whom the file names ({named})" if named > 1 else "The one whom the file names"
    return [
        *([(OF_FILE, of_file)] if is_all_named(found) else []),
        (NEW, "Somebody new"),
        *(
            (str(person.pk), f"{person.name}{', test person' if person.is_test else ''}")
            for person in people_for(user)[:PEOPLE_LISTED]
        ),
    ]


def guessed_person(found: ConversationImport, name: str) -> str:
    """Those of the file, else a real person of that name, else somebody new."""
    if is_all_named(found):
        return OF_FILE
    known = Person.objects.filter(namespace=REAL_PEOPLE, outside_id=name).first()
    return str(known.pk) if known else NEW
