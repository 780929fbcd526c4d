"""Start conversations and turns."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Greatest, Least
from django.utils import timezone

from characters.conversations.models import TESTER, Acquaintance, Conversation, Memory, Message, Person, Turn
from characters.domain import unseen
from characters.domain.sheet import expanded
from characters.profiles.documents import is_storable
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.jobs import services as jobs
from kgadmin.projection.tasks import sweep
from kgadmin.rest.actions import Refused

MAX_MESSAGE = 8_000
MAX_NAME = 100
TITLE_LENGTH = 60


def check_message(text: str) -> None:
    """Check that the text can be stored exactly as it is. Raises `Refused`."""
    if not text.strip():
        raise Refused("The message is empty. Write something first.")
    if len(text) > MAX_MESSAGE:
        raise Refused(f"The message has {len(text):,} characters; at most {MAX_MESSAGE:,} are allowed. Shorten it.")
    if not is_storable(text):
        raise Refused("The message contains a null byte or half of a character, which can't be stored. Remove it.")


@transaction.atomic
def enqueue_for_memory(*, conversation: Conversation, messages: Sequence[Message]) -> None:
    """Give these messages their places, and start what follows (`after_reply`); nothing of a sandbox, and nothing
    twice. In the caller's transaction; the caller saves messages that have no key yet.
    """
    new = [message for message in messages if message.memory == Memory.NONE]
    if conversation.sandbox or not new:
        return
    for place, message in enumerate(new, _first_place(conversation, [message.at for message in new])):
        message.memory, message.place = Memory.WAITING, place
    saved = [message for message in new if message.pk]
    Message.objects.filter(memory=Memory.NONE).bulk_update(saved, ["memory", "place"], batch_size=500)
    jobs.start(kind="remember", subject=conversation.person.graph_id, by=None)
    sweep.delay_on_commit()


def _first_place(conversation: Conversation, dates: Sequence[datetime]) -> int:
    """Reserve places for messages of these dates; return the first. The acquaintance's row lets one writer at a
    time through.
    """
    count, since, until = len(dates), min(dates), max(dates)
    pair = {"person": conversation.person, "character": conversation.character}
    Acquaintance.objects.get_or_create(**pair, defaults={"first_met": since, "last_met": until})
    rows = Acquaintance.objects.filter(**pair)
    rows.update(places=F("places") + count, last_met=Greatest("last_met", until), first_met=Least("first_met", since))
    return rows.values_list("places", flat=True).get() - count + 1


def person_of_tester(user: User) -> Person:
    """Return the person as whom a tester talks."""
    name = user.get_full_name() or user.get_username().capitalize()
    person, _ = Person.objects.get_or_create(namespace=f"tester:{user.pk}", outside_id="1", defaults={"name": name})
    return person


def as_name(text: str) -> str:
    """Return a name from outside as a person's: in one line, without invisible characters, and not too long."""
    return " ".join(unseen.without(text).split())[:MAX_NAME]


def new_test_person(*, name: str, by: User) -> Person:
    """Create a test person for a tester. Raises `Refused`."""
    name = " ".join(name.split())
    if not name:
        raise Refused("A test person needs a name. Enter one.")
    if len(name) > MAX_NAME:
        raise Refused(f"The name has {len(name)} characters; at most {MAX_NAME} are allowed. Shorten it.")
    if not is_storable(name):
        raise Refused("The name contains a null byte or half of a character, which can't be stored. Remove it.")
    if Person.objects.playable_by(by).filter(name__iexact=name).exists():
        raise Refused(f"There is already a test person called {name}. Talk as them, or choose another name.")
    return Person.objects.create(namespace=f"{TESTER}{by.pk}", outside_id=uuid4().hex, name=name)


@transaction.atomic
def set_trust(*, person: Person, character: Character, trust: float, by: User | None) -> None:
    """Set how far the character believes the person, 0 to 1, from the next turn on."""
    known = person.acquaintances.select_for_update().get(character=character)
    if person.acquaintances.filter(pk=known.pk).exclude(trust=trust).update(trust=trust):
        act = Act("set trust in", person.graph_id, character.graph_id, {"trust": known.trust}, {"trust": trust})
        record(act, actor=by, people=[person.pk])


def start_conversation(
    *, character: Character, by: User, first: str = "", person: Person | None = None
) -> Conversation:
    """Create a conversation, titled by its first message; a sandbox if the tester may not play the person."""
    person = person or person_of_tester(by)
    return Conversation.objects.create(
        character=character, person=person, owner=by, title=titled(first), sandbox=not person.is_played_by(by)
    )


def titled(first: str) -> str:
    """Return the title of a conversation that begins with this message."""
    title = " ".join(first.split())
    return title if len(title) <= TITLE_LENGTH else f"{title[:TITLE_LENGTH].rsplit(' ', 1)[0]} …"


def begin(
    *, character: Character, by: User, person: Person, text: str, key: str = "", greeting: int | None = 0
) -> tuple[Turn, bool]:
    """Create a conversation with its first turn, both or neither, after the greeting of this number; return whether
    it is new. The same `key` again gives the same turn. Raises `Refused`.
    """
    check_message(text)
    sent_before = Turn.objects.filter(key=key, message__conversation__owner=by) if key else Turn.objects.none()
    if existing := sent_before.first():
        return existing, False
    try:
        with transaction.atomic():
            conversation = start_conversation(character=character, by=by, first=text, person=person)
            greet(conversation, greeting)
            return start_turn(conversation=conversation, text=text, key=key)
    except Refused:
        if existing := sent_before.first():  # the same form was sent twice at the same moment
            return existing, False
        raise


def greetings(character: Character, person: Person) -> list[str]:
    """Return the greetings with which the character may begin a conversation with this person."""
    sheet = character.sheet
    if sheet is None:
        return []
    now = timezone.now()
    return [expanded(text, character=sheet.called, person=person.name, now=now) for text in sheet.greetings]


def greet(conversation: Conversation, number: int | None) -> None:
    """Let a conversation begin with a greeting, which isn't remembered. Raises `Refused`."""
    texts = greetings(conversation.character, conversation.person)
    if not texts or number is None:
        return
    if not 0 <= number < len(texts):
        raise Refused(f"{conversation.character.name} has {len(texts)} greetings, counted from 0. Choose another.")
    if texts[number].strip():
        conversation.messages.create(role=Message.Role.ASSISTANT, text=texts[number], memory=Memory.GREETING)


def start_turn(
    *, conversation: Conversation, text: str, key: str = "", asked: dict[str, Any] | None = None
) -> tuple[Turn, bool]:
    """Save the message and the turn that will answer it; return whether it is new. The same `key` again gives the
    same turn.

    One at a time: a message sent while another is answered would hide that reply. Raises `Refused`.
    """
    check_message(text)
    if conversation.client is not None:
        raise Refused(f"This conversation takes place through {conversation.client}. Start a new one to talk yourself.")
    if conversation.is_imported:
        raise Refused("This conversation was imported and stays as it is. Start a new one to keep talking.")
    key = key or uuid4().hex
    try:
        with transaction.atomic():
            _hold(conversation)
            existing = Turn.objects.filter(key=key, message__conversation=conversation).first()
            if existing:
                return existing, False
            _refuse_while_answering(conversation)
            message = Message.objects.create(
                conversation=conversation, parent=conversation.newest, role=Message.Role.USER, text=text
            )
            return Turn.objects.create(message=message, key=key, request=asked or {}), True
    except IntegrityError as error:
        raise Refused("This form was already sent in another tab. Reload the page, then send it again.") from error


def _hold(conversation: Conversation) -> None:
    """Lock the conversation, so that nobody else begins a turn in it until this transaction ends."""
    Conversation.objects.select_for_update().filter(pk=conversation.pk).first()


def _refuse_while_answering(conversation: Conversation) -> None:
    if Turn.objects.alive().filter(message__conversation=conversation).exists():
        name = conversation.character.name
        raise Refused(f"{name} is still answering. Wait for the reply or stop it, then send this.", status=409)


def try_again(turn: Turn) -> tuple[Turn, bool]:
    """Start another turn on the same message; one at a time, of the last message only. Raises `Refused`."""
    with transaction.atomic():
        _hold(turn.conversation)
        existing = Turn.objects.filter(key=f"again-{turn.pk}").first()
        if existing:
            return existing, False
        _refuse_while_answering(turn.conversation)
        newest = turn.conversation.newest
        if newest and turn.message_id not in {newest.pk, newest.parent_id}:  # another reply would hide what came after
            raise Refused("The conversation has continued since. Send the message again at its end.")
        made = {"message": turn.message, "variant_of": turn, "request": turn.request}
        return Turn.objects.create(key=f"again-{turn.pk}", **made), True
