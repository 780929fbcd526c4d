"""What a character knows of a person, as rows."""

from datetime import UTC, datetime, timedelta
from typing import Any

from characters.conversations.models import Acquaintance, Conversation, Memory, Message, Person
from characters.memory.models import Entity, UserFact
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.memory import people

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Knowing:
    """One person, a character that knows them, and a conversation of the two."""

    def __init__(self, person: Person, character: Character, owner: User) -> None:
        self.person, self.character, self.owner = person, character, owner
        self.acquaintance = Acquaintance.objects.create(
            person=person, character=character, first_met=NOON, last_met=NOON + timedelta(days=3)
        )
        self.conversation = Conversation.objects.create(
            person=person, character=character, owner=owner, title=f"{person.name} and {character.name}"
        )

    def says(self, text: str, *naming: Entity, **fields: Any) -> Message:
        """A remembered message that mentions these."""
        place = self.conversation.messages.count() + 1
        made = Message.objects.create(
            conversation=self.conversation,
            role=Message.Role.USER,
            text=text,
            at=NOON + timedelta(hours=place),
            **{"place": place, "memory": Memory.QUOTABLE, "facts_read_at": NOON} | fields,
        )
        people.mentions(made, *naming)
        return made

    def entity(self, name: str, kind: str = "thing", *aliases: str) -> Entity:
        return people.entity(self.person, name, kind, *aliases)

    def fact(
        self, predicate: str, about: Entity, message: Message | None = None, span: str = "", **more: Any
    ) -> UserFact:
        """A fact, with the span of the message that says it."""
        dates = {"first_seen": NOON, "last_seen": NOON + timedelta(days=1)}
        return people.fact(self.character, predicate, about, message=message, span=span, **dates | more)
