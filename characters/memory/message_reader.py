"""Read the facts that a person's messages state."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet

from characters.conversations.models import Memory, Message, Person
from characters.domain.entities import Entity as Known
from characters.domain.entities import EntityMatcher, key
from characters.domain.people import EntityKind, Statement
from characters.language.english import ParserError
from characters.language.extraction import patterns
from characters.memory import facts_by_model, message_facts
from characters.memory.models import Alias, Entity, UserFact
from characters.profiles.models import Character
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import AnswerError
from kgadmin.stores.language_model import LanguageModel

READ_BATCH = 200
GIVE_UP_AFTER = 3
"""Messages in a row that a model failed to read, each asked twice, after which it isn't asked again."""
WORTH_ASKING = 12
"""Characters below which a message isn't sent to a model: "ok", "thanks!"."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """Statements of a message about its writer. `problem` is why the model didn't read it, if it should have."""

    statements: tuple[Statement, ...] = ()
    by_model: bool = False
    problem: str = ""


class Extractor:
    """Finds statements with the language model if one is connected, else, or if it fails, by the parse.

    A model that fails repeatedly isn't asked any more: each of thousands of messages might wait for its time-out.
    """

    def __init__(self) -> None:
        self._failures = 0
        self._problem = ""

    def extract(self, text: str, *, before: str, names: Collection[str], known: Mapping[str, EntityKind]) -> Extracted:
        """Return the statements in `text`, which answers `before`. Raises `StoreError`.

        `names` are the character's, `known` entities'.
        """
        model = wiring.language_model()
        is_asked = model.judges and len(text.strip()) >= WORTH_ASKING
        if is_asked and (statements := self._ask(text, before, names, model)) is not None:
            return Extracted(tuple(statements), by_model=True)
        try:
            statements = patterns.extract(text, names=names, known=known, model=settings.CONFIG.parser_model)
        except ParserError as error:
            raise StoreError(str(error), retryable=False) from error
        return Extracted(tuple(statements), problem=self._problem if is_asked else "")

    def _ask(self, text: str, before: str, names: Collection[str], model: LanguageModel) -> list[Statement] | None:
        """Return the model's statements, or None if it failed now or too often before."""
        if self._failures >= GIVE_UP_AFTER:
            return None
        try:
            statements = facts_by_model.extract(text, before=before, names=names, model=model)
        except (AnswerError, StoreError) as error:  # the job continues by the parse, and reports it at the end
            self._problem = str(error)
            self._failures += 1
            return None
        self._failures = 0
        return statements


def unread_messages(person: Person) -> QuerySet[Message]:
    """Return examined messages whose facts haven't been read yet."""
    return Message.objects.unread().filter(conversation__person=person).exclude(memory=Memory.WAITING)


class MessageReader:
    """Reads messages of one person, and caches what each character knows of them until that changes."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._extractor = Extractor()
        self._matchers: dict[int, EntityMatcher] = {}

    def messages(self) -> Iterator[Message]:
        """Yield the unread messages, oldest first."""
        with_names = unread_messages(self._person).select_related(
            "conversation__person", "conversation__character", "parent"
        )
        while batch := list(with_names.order_by("at", "pk").defer("vector")[:READ_BATCH]):
            yield from batch

    def read(self, message: Message) -> list[str]:
        """Extract and save a message's facts; return sentences on what went wrong. Raises `StoreError`."""
        character = message.conversation.character
        matcher = self._matchers.get(character.pk) or self._matcher(character)
        self._matchers[character.pk] = matcher
        extracted = self._extractor.extract(
            message.text,
            before=message.parent.text if message.parent else "",
            names=(character.name, *character.name.split()),
            known={key(name): each.kind for each in matcher.by_id.values() for name in (*each.aliases, each.name)},
        )
        is_new = message_facts.learn(
            message=message,
            statements=extracted.statements,
            matcher=matcher,
            origin=UserFact.Origin.MODEL if extracted.by_model else UserFact.Origin.PATTERN,
        )
        if is_new:
            del self._matchers[character.pk]
        return [extracted.problem] if extracted.problem else []

    def _matcher(self, character: Character) -> EntityMatcher:
        """Return a matcher built from plain values, for speed: it is rebuilt after every message with something new."""
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
