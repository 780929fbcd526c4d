"""Who may read and change a person, a conversation, a turn; pages and API both ask here."""

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from characters.conversations.models import TESTER, Conversation, Person, Turn
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import AnyUser, has_role


def people_for(user: AnyUser) -> QuerySet[Person]:
    """Return the people whose memory the user may read: all for an operator, test people for a tester."""
    if has_role(user, "operator"):
        return Person.objects.all()
    return Person.objects.filter(namespace__startswith=TESTER) if has_role(user, "tester") else Person.objects.none()


def may_read_person(user: User, person: Person) -> bool:
    """Return whether the user may read the person's memory: an operator everybody's, a tester that of test people."""
    return has_role(user, "operator") or (has_role(user, "tester") and person.is_test)


def may_write_person(user: User, person: Person) -> bool:
    """Return whether the user may change it: an operator everybody's, a tester that of their own and shared test
    people.
    """
    return has_role(user, "operator") or (has_role(user, "tester") and person.is_played_by(user))


def person_for(user: User, pk: int, *, to_write: bool = False) -> Person:
    """Return a person; 404 if there is none, 403 if this user may not read them, or not change their memory."""
    person = Person.objects.filter(pk=pk).first()
    if person is None:
        raise Http404("There is no such person. They may have been forgotten. See the list of people.")
    if not may_read_person(user, person):
        raise PermissionDenied("This is a real person. Only operators can see what is remembered about them.")
    if to_write and not may_write_person(user, person):
        raise PermissionDenied("This is another tester’s test person: you can only read what is known about them.")
    return person


def conversations_for(user: AnyUser) -> QuerySet[Conversation]:
    """Return the conversations that the user may read with their traces: all, for a tester."""
    rows = Conversation.objects.select_related("character__live_revision", "person")
    rows = rows.defer("character__live_revision__vectors", "character__live_revision__yaml")
    return rows if has_role(user, "tester") else rows.none()


def conversation_for(user: User, pk: int, *, to_write: bool = False) -> Conversation:
    """Return a conversation; only its own tester writes in it."""
    conversation = conversations_for(user).filter(pk=pk).first()
    if conversation is None:
        raise Http404("There is no such conversation. It may have been deleted.")
    _refuse_to_write(user, conversation, to_write=to_write)
    return conversation


def turn_for(user: User, pk: int, *, to_write: bool = False) -> Turn:
    """Return a turn; only its conversation's tester changes it."""
    turn = Turn.objects.with_trace().filter(pk=pk).first() if has_role(user, "tester") else None
    if turn is None:
        raise Http404("There is no such turn. It may have been deleted.")
    _refuse_to_write(user, turn.conversation, to_write=to_write)
    return turn


def may_write_in(user: User, conversation: Conversation) -> bool:
    """Return whether the user may send messages in it: their own, not a program's, and its character isn't archived."""
    is_own = conversation.owner_id == user.pk or user.is_superuser
    return is_own and conversation.client_id is None and conversation.character.archived_at is None


def _refuse_to_write(user: User, conversation: Conversation, *, to_write: bool) -> None:
    if to_write and not may_write_in(user, conversation):
        if conversation.character.archived_at:
            raise PermissionDenied(f"{conversation.character.name} is archived: nobody can talk to this character.")
        whose = "a program's" if conversation.client_id else "someone else’s"
        raise PermissionDenied(f"This is {whose} conversation: you can read it, or start your own.")
