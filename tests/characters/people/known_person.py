"""What a character knows of a person, as rows."""

from datetime import UTC, datetime, timedelta
from typing import Any

from characters.conversations.models import Acquaintance, Conversation, Memory, Message, Person
from characters.domain.entities import key
from characters.memory.models import Alias, Entity, Evidence, Mention, UserFact
from characters.profiles.models import Character
from kgadmin.accounts.models import User

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
        Mention.objects.bulk_create(Mention(message=made, entity=entity) for entity in naming)
        return made

    def entity(self, name: str, kind: str = "thing", *aliases: str) -> Entity:
        made = Entity.objects.create(person=self.person, key=key(name), name=name, kind=kind)
        Alias.objects.bulk_create(Alias(entity=made, key=key(alias), text=alias) for alias in aliases)
        return made

    def fact(
        self, predicate: str, object_: Entity, message: Message | None = None, span: str = "", **fields: Any
    ) -> UserFact:
        """A fact, with the span of the message that says it."""
        made = UserFact.objects.create(
            person=self.person,
            character=self.character,
            predicate=predicate,
            object=object_,
            **{
                "text": object_.name,
                "confidence": 0.9,
                "origin": UserFact.Origin.PATTERN,
                "first_seen": NOON,
                "last_seen": NOON + timedelta(days=1),
            }
            | fields,
        )
        if message:
            start = message.text.index(span)
            Evidence.objects.create(fact=made, message=message, start=start, end=start + len(span))
        return made
