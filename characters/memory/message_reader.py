"""Reads what a person said: which facts stand in their messages."""

from collections.abc import Iterator, Mapping

from django.db.models import QuerySet

from characters.conversations.models import Memory, Message, Person
from characters.domain.entities import Entity as Known
from characters.domain.entities import EntityMatcher, key
from characters.domain.people import EntityKind
from characters.memory import learning
from characters.memory.extraction.reading import Reader
from characters.memory.models import Alias, Entity, UserFact
from characters.profiles.models import Character

READ_BATCH = 200


def unread_messages(person: Person) -> QuerySet[Message]:
    """Those that were examined, and that nobody read yet."""
    return Message.objects.unread().filter(conversation__person=person).exclude(memory=Memory.WAITING)


class MessageReader:
    """Reads messages of one person, and keeps what each character knows of them until that changes."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._reader = Reader()
        self._matchers: dict[int, EntityMatcher] = {}
        self._kinds: dict[int, dict[str, EntityKind]] = {}

    def messages(self) -> Iterator[Message]:
        """The unread ones, the oldest first; what was read drops out of the query."""
        with_names = unread_messages(self._person).select_related(
            "conversation__person", "conversation__character", "parent"
        )
        while batch := list(with_names.order_by("at", "pk").defer("vector")[:READ_BATCH]):
            yield from batch

    def read(self, message: Message) -> list[str]:
        """Extract and save its facts; sentences on what went wrong. Raises `StoreError`."""
        character = message.conversation.character
        found = self._reader.read(
            message.text,
            before=message.parent.text if message.parent else "",
            names=(character.name, *character.name.split()),
            known=self._known_kinds(character),
        )
        learned = learning.learn(
            message=message,
            statements=found.statements,
            matcher=self._matcher_of(character),
            origin=UserFact.Origin.MODEL if found.by_model else UserFact.Origin.PATTERN,
        )
        if learned and learned.changed:
            self._matchers.pop(character.pk, None)
            self._kinds.pop(character.pk, None)
        return [found.problem] if found.problem else []

    def _matcher_of(self, character: Character) -> EntityMatcher:
        if character.pk not in self._matchers:
            self._matchers[character.pk] = self._matcher(character)
        return self._matchers[character.pk]

    def _known_kinds(self, character: Character) -> Mapping[str, EntityKind]:
        """The kinds of the entities that she knows, by folded names."""
        if character.pk not in self._kinds:
            entities = self._matcher_of(character).entities
            self._kinds[character.pk] = {
                key(name): entity.kind for entity in entities for name in (*entity.aliases, entity.name)
            }
        return self._kinds[character.pk]

    def _matcher(self, character: Character) -> EntityMatcher:
        """Made of bare values: it is made again after every message that tells something new."""
        facts = UserFact.objects.of(self._person.pk, character.pk)
        ends = {pk for pair in facts.values_list("subject_id", "object_id") for pk in pair}
        aliases: dict[int, list[str]] = {}
        for pk, text in Alias.objects.filter(entity__person=self._person).values_list("entity_id", "text"):
            aliases.setdefault(pk, []).append(text)
        rows = Entity.objects.filter(person=self._person).values_list("pk", "name", "kind")
        return EntityMatcher(
            tuple(
                Known(f"entity:{pk}", name, kind, tuple(aliases.get(pk, ())))  # type: ignore[arg-type]
                for pk, name, kind in rows
                if pk in ends
            )
        )
