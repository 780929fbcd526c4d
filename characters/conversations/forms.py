"""What is sent to start an import, by a page's form or by a program, and whom the form offers."""

from typing import Literal

from django.db.models import QuerySet
from ninja import Field

from characters.conversations.models import IMPORTED, ConversationImport, Person
from kgadmin.accounts.models import User
from kgadmin.rest.schemas import Body, Id, Line, Slug

NEW, OF_FILE = "new", "file"
PEOPLE_LISTED = 500


class StartIn(Body):
    """Whose conversations these are, and with whom: a person's id, somebody `new`, or those whom the `file` names."""

    character: Slug = Field(examples=["elena"])
    who: Id | Literal["new", "file"] = Field(examples=["new"])
    name: Line = Field("", max_length=100, examples=["Mark"], description="Only for a new person.")


def people_for(user: User) -> QuerySet[Person]:
    """The people for whom this user imports conversations: real ones, and test people that they may play."""
    return Person.objects.filter(namespace=IMPORTED) | Person.objects.playable_by(user)


def is_all_named(import_: ConversationImport) -> bool:
    """Whether the file names the person of each of its conversations."""
    return bool(import_.preview["people"] and import_.preview["all_named"])


def people_choices(import_: ConversationImport, user: User) -> list[tuple[str, str]]:
    """The options for the person: (value, label)."""
    named = len(import_.preview["people"])
    of_file = f"The people named in the file ({named})" if named > 1 else "The person named in the file"
    return [
        *([(OF_FILE, of_file)] if is_all_named(import_) else []),
        (NEW, "A new person"),
        *(
            (str(person.pk), f"{person.name}{', test person' if person.is_test else ''}")
            for person in people_for(user)[:PEOPLE_LISTED]
        ),
    ]


def guessed_person(import_: ConversationImport, name: str) -> str:
    """The option to preselect: the people of the file, else a real person of that name, else a new one."""
    if is_all_named(import_):
        return OF_FILE
    known = Person.objects.filter(namespace=IMPORTED, outside_id=name).first()
    return str(known.pk) if known else NEW
