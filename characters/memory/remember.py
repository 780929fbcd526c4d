"""The job that reads what a person said: may it come back as memory, and which facts stand in it?

One person at a time, the oldest message first.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence

from django.conf import settings
from django.db import OperationalError
from django.db.models import F, Q, QuerySet
from django.utils.module_loading import import_string

from characters.conversations.models import Acquaintance, Message, Person
from characters.memory import learning
from characters.memory.extraction.reading import Reader
from characters.memory.models import Alias, Entity, UserFact
from characters.profiles.models import Character
from characters.turn import people
from characters.turn.entities import Entity as Known
from characters.turn.entities import EntityMatcher, key
from characters.turn.people import EntityKind
from kgadmin.jobs.models import Job
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError

logger = logging.getLogger(__name__)

EMBED_BATCH = 32
READ_BATCH = 200


def run(job: Job) -> None:
    """Read every message of the job's person that nobody read yet, then embed the sentences of new facts.

    A message that the language model couldn't read is read by patterns; the job ends with a sentence that says so.
    """
    person = Person.objects.filter(pk=job.subject.partition(":")[2]).first()
    if person is None:
        return  # forgotten meanwhile
    problems = _examined(person, job)
    reader, matchers = Reader(), _Matchers(person)
    unread = _unread(person)
    total = unread.count()
    for done, message in enumerate(_in_batches(unread), start=1):
        problems += _read(message, reader, matchers)
        job.progress(done=done, total=max(total, done), note=f"{done} of {max(total, done)} messages read")
    embed_facts(person)
    if problems:
        raise StoreError(_told(problems), retryable=False)


def _examined(person: Person, job: Job) -> list[str]:
    """Have every new message looked at by the layer that knows what a character may learn; what went wrong.

    One that can't be looked at is withheld, and the others go on: else nothing would be remembered of this person.
    """
    examine: Callable[[Message], list[str]] = import_string(settings.EXAMINER)
    new = Message.objects.filter(conversation__person=person, unexamined=True, place__isnull=False)
    with_names = new.select_related(
        "conversation__character__live_revision", "conversation__person", "parent", "replied_by"
    )
    problems: list[str] = []
    for pk in list(new.order_by("place").values_list("pk", flat=True)):
        job.progress(done=0, total=0, note="Looking at what was said")
        for message in with_names.filter(pk=pk):  # none, where it was looked at with its reply
            try:
                problems += examine(message)
            except OperationalError:
                raise
            except Exception as error:
                logger.exception("Message %s could not be looked at", pk)
                pair = Message.objects.filter(Q(pk=pk) | Q(children=pk))
                pair.update(quotable=False, unread=False, unexamined=False)
                known = Acquaintance.objects.filter(person=person, character=message.conversation.character_id)
                known.update(messages_epoch=F("messages_epoch") + 1)
                problems.append(f"a message could not be looked at ({type(error).__name__}), and isn't remembered")
    return problems


def _unread(person: Person) -> QuerySet[Message]:
    rows = Message.objects.filter(conversation__person=person, unread=True, unexamined=False, place__isnull=False)
    return rows.order_by("at", "pk")


def _in_batches(unread: QuerySet[Message]) -> Iterator[Message]:
    """Message by message; what was read drops out of the query."""
    with_names = unread.select_related("conversation__person", "conversation__character", "parent").defer("vector")
    while batch := list(with_names[:READ_BATCH]):
        yield from batch


def _read(message: Message, reader: Reader, matchers: "_Matchers") -> list[str]:
    """Extract and save; sentences on what went wrong."""
    character = message.conversation.character
    matcher = matchers.of(character)
    found = reader.read(
        message.text,
        before=message.parent.text if message.parent else "",
        names=(character.name, *character.name.split()),
        known=matchers.known(character),
    )
    learned = learning.learn(
        message=message,
        statements=found.statements,
        matcher=matcher,
        origin=UserFact.Origin.MODEL if found.by_model else UserFact.Origin.PATTERN,
    )
    if learned and learned.changed:
        matchers.forget(character)
    return [found.problem] if found.problem else []


def _told(problems: Sequence[str]) -> str:
    several = "message" if len(problems) == 1 else "messages"
    return f"{len(problems)} {several} could not be read as usual. The first: {problems[0]}"


class _Matchers:
    """Finds what each character knows of a person; made again when that changed."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._made: dict[int, EntityMatcher] = {}
        self._known: dict[int, dict[str, EntityKind]] = {}

    def of(self, character: Character) -> EntityMatcher:
        if character.pk not in self._made:
            self._made[character.pk] = self._matcher(character)
        return self._made[character.pk]

    def known(self, character: Character) -> Mapping[str, EntityKind]:
        """Their kinds by folded names."""
        if character.pk not in self._known:
            entities = self.of(character).entities
            self._known[character.pk] = {
                key(name): entity.kind for entity in entities for name in (*entity.aliases, entity.name)
            }
        return self._known[character.pk]

    def forget(self, character: Character) -> None:
        self._made.pop(character.pk, None)
        self._known.pop(character.pk, None)

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


def embed_facts(person: Person) -> None:
    """Embed the sentences of facts that have no vector of today's embedder. Raises `StoreError`."""
    embedder = wiring.embedder()
    missing = UserFact.objects.filter(person=person, state=UserFact.State.CURRENT).exclude(
        embedder=embedder.id, vector__isnull=False
    )
    rows = list(missing.select_related("subject", "object", "character"))
    for start in range(0, len(rows), EMBED_BATCH):
        batch = rows[start : start + EMBED_BATCH]
        vectors = embedder.embed([_sentence(person, row) for row in batch])
        for row, vector in zip(batch, vectors, strict=True):
            same = UserFact.objects.filter(pk=row.pk, object=row.object, text=row.text)
            same.update(vector=vector.tobytes(), embedder=embedder.id)
    for character in {row.character for row in rows}:
        learning.change_known(person, character)


def _sentence(person: Person, fact: UserFact) -> str:
    return people.sentence(person.name, fact.predicate, fact.text, subject=fact.subject.name if fact.subject else "")
