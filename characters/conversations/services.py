"""Starting conversations and turns."""

from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction

from characters.conversations.models import Conversation, Message, Person, Turn
from characters.profiles.documents import is_storable
from characters.profiles.models import Character
from kgadmin.accounts.models import User

MAX_MESSAGE = 8_000
TITLE_LENGTH = 60


class MessageError(ValueError):
    """A message that can't be taken; the text says why and what to do."""


def check_message(text: str) -> str:
    """`text`, if it can be taken exactly as it is. Raises `MessageError`."""
    if not text.strip():
        raise MessageError("The message is empty. Write something first.")
    if len(text) > MAX_MESSAGE:
        raise MessageError(f"The message has {len(text):,} characters; at most {MAX_MESSAGE:,} are taken. Shorten it.")
    if not is_storable(text):
        raise MessageError("The message holds a null byte or half of a character, which can't be stored. Remove it.")
    return text


def person_of_tester(user: User) -> Person:
    """The person as whom a tester talks."""
    name = user.get_full_name() or user.get_username().capitalize()
    person, _ = Person.objects.get_or_create(namespace=f"tester:{user.pk}", outside_id="1", defaults={"name": name})
    return person


def start_conversation(*, character: Character, by: User, first: str = "") -> Conversation:
    """A new conversation of the tester's test person; its title is the beginning of the first message."""
    title = " ".join(first.split())
    title = title if len(title) <= TITLE_LENGTH else f"{title[:TITLE_LENGTH].rsplit(' ', 1)[0]} …"
    return Conversation.objects.create(character=character, person=person_of_tester(by), owner=by, title=title)


def start_turn(
    *, conversation: Conversation, text: str, key: str = "", asked: dict[str, Any] | None = None
) -> tuple[Turn, bool]:
    """Save the message and the turn that will answer it; whether it is new. The same `key` again gives the same turn.

    Raises `MessageError`.
    """
    check_message(text)
    key = key or uuid4().hex
    existing = Turn.objects.filter(key=key, message__conversation=conversation).first()
    if existing:
        return existing, False
    path = conversation.path()
    try:
        with transaction.atomic():
            message = Message.objects.create(
                conversation=conversation, parent=path[-1] if path else None, role=Message.Role.USER, text=text
            )
            return Turn.objects.create(message=message, key=key, request=asked or {}), True
    except IntegrityError as error:
        existing = Turn.objects.filter(key=key, message__conversation=conversation).first()
        if existing is None:
            raise MessageError("This form was sent already, elsewhere. Reload the page, then send it again.") from error
        return existing, False  # the same form was sent twice at the same moment


def try_again(turn: Turn) -> tuple[Turn, bool]:
    """Another turn on the same message, for a reply that failed, was stopped or was interrupted; one per turn."""
    return Turn.objects.get_or_create(
        key=f"again-{turn.pk}", defaults={"message": turn.message, "variant_of": turn, "request": turn.request}
    )
